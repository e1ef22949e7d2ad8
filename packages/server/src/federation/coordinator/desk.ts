// Where the requests of nodes end: enrol, ask for letters, hand in letters. Every request is opened, its key
// is that of a site, and its number is new, before anything else is done; every reply is signed.

import type { Signer } from "@dosimeter/engine"
import type { z } from "zod"
import { fail } from "../../errors.ts"
import { RateLimits } from "../../limits/rate-limits.ts"
import type { StateStore } from "../../state/state-store.ts"
import type { Bells } from "../mail/bells.ts"
import { letterFrom } from "../mail/envelope-letter.ts"
import { hasLetter, keepLetters, lettersAfter, waitingLetters } from "../mail/letters.ts"
import { keepPart, partSchema } from "../mail/parts.ts"
import { enrolSchema, pollSchema, type lettersSchema, type welcomeSchema } from "../wire/messages.ts"
import { openRequest, sealReply, type OpenedRequest, type RequestKind, type Sealed } from "../wire/sealed.ts"
import type { Sites } from "./sites.ts"

/** What the desk works with. */
export interface DeskOptions {
  readonly store: StateStore
  readonly signer: Signer
  readonly sites: Sites
  readonly bells: Bells
  /** The name of the study. */
  readonly study: string
  /** Requests of one site in a minute. */
  readonly perMinute?: number
  readonly now?: () => Date
}

/** Letters of one site that nobody has worked on yet; more are refused until some are. */
const waitingMax = 2000

const lookMs = 1000

/** The bell that is rung when a letter has come. */
export const arrivedBell = "arrived"

/** Answers the requests of nodes. */
export class Desk {
  readonly #options: DeskOptions
  readonly #now: () => Date
  readonly #rates: RateLimits

  constructor(options: DeskOptions) {
    this.#options = options
    this.#now = options.now ?? (() => new Date())
    this.#rates = new RateLimits({ perMinute: options.perMinute ?? 1200 })
  }

  /** A node shows its invitation. */
  async enrol(sealed: Sealed): Promise<Sealed> {
    const { sites, signer, study } = this.#options
    const request = this.#open("enrol", sealed)
    const { proof } = checked(enrolSchema, request.content)
    await sites.enrol(request, proof, signer.publicKey)
    const welcome: z.infer<typeof welcomeSchema> = { study }
    return sealReply(signer, request, welcome)
  }

  /** A node asks for letters; where there are none, the request is held for a while. */
  async poll(sealed: Sealed, signal?: AbortSignal): Promise<Sealed> {
    const { store, signer, sites, bells } = this.#options
    const request = this.#open("poll", sealed)
    const { after, waitSeconds } = checked(pollSchema, request.content)
    await sites.admit(request)
    const search = { box: "out", peer: request.site, after } as const
    const end = performance.now() + waitSeconds * 1000
    let found = await lettersAfter(store, search)
    const isHeld = (): boolean => !bells.isClosed && signal?.aborted !== true
    while (found.length === 0 && performance.now() < end && isHeld()) {
      // A bell is heard in this process; what another process has written is seen at the next look.
      await bells.wait(siteBell(request.site), lookMs, signal)
      found = await lettersAfter(store, search)
    }
    const reply: z.infer<typeof lettersSchema> = {
      letters: found.map(({ position, body }) => ({ position, body })),
    }
    return sealReply(signer, request, reply)
  }

  /** A node hands in a part of a letter. */
  async send(sealed: Sealed): Promise<Sealed> {
    const { store, signer, sites, bells } = this.#options
    const request = this.#open("send", sealed)
    const part = checked(partSchema, request.content)
    await sites.admit(request)
    const { site } = request
    if ((await waitingLetters(store, "in", site)) >= waitingMax) {
      return fail("request/too-many", { seconds: "60" })
    }
    const at = this.#now().toISOString()
    const isWhole = await store.transaction(async (access) => {
      if (await hasLetter(access, "in", site, part.hash)) return true
      const body = await keepPart(access, site, part, at)
      if (body === undefined) return false
      await keepLetters(access, "in", [letterFrom(site, body)], at)
      return true
    })
    if (isWhole) bells.ring(arrivedBell)
    return sealReply(signer, request, { isWhole })
  }

  #open(kind: RequestKind, sealed: Sealed): OpenedRequest {
    const coordinator = this.#options.signer.publicKey
    const request = openRequest(sealed, { kind, coordinator, at: this.#now() })
    const seconds = this.#rates.take(request.key)
    if (seconds > 0) fail("request/too-many", { seconds: `${seconds}` })
    return request
  }
}

/** The bell of a site for which letters lie ready. */
export function siteBell(site: string): string {
  return `site ${site}`
}

function checked<Value>(schema: z.ZodType<Value>, content: unknown): Value {
  const read = schema.safeParse(content)
  return read.success ? read.data : fail("federation/bad-request", { what: "it holds something else" })
}
