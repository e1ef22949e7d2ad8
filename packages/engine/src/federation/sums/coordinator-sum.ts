// The coordinator's side of a secure sum: it carries messages, says who has stayed, and takes the masks off
// the sum. It learns the sum and nothing else, if it follows this; what else it may try, sites refuse.
// Without input or output, and no clock: whoever owns it says when a stage is over.

import { assert } from "@dosimeter/core/errors"
import { fail } from "../../errors.ts"
import { isEncoded, MaskedNumbers } from "./masked-numbers.ts"
import { choicesOf, joinShares, type PlacedShare } from "./secret-sharing.ts"
import { ownKey, pairKey, seedHash } from "./site-sum.ts"
import { AgreementKey, secretBytes } from "./sum-keys.ts"
import {
  decodeSiteMessage,
  entryOf,
  type Addressed,
  type CoordinatorMessage,
  type KeysMessage,
  type MaskedMessage,
  type SharesMessage,
  type SiteMessage,
  type UnmaskMessage,
} from "./sum-messages.ts"
import {
  checkKeys,
  checkSignature,
  groupOf,
  maskedStatement,
  rosterOf,
  sharesStatement,
  survivorsStatement,
  unmaskStatement,
} from "./sum-statements.ts"
import { checkTerms, hashOfTerms, survivorsMin, type SumTerms } from "./sum-terms.ts"

/** What the coordinator collects, in order; then the sum is there, or cannot be made any more. */
export type SumStage = SiteMessage["kind"] | "summed" | "failed"

/** What has happened to a sum, in order: enough to make the coordinator's state again. */
export type SumEvent =
  | { readonly kind: "received"; readonly message: SiteMessage }
  | { readonly kind: "closed" }

/** The sum and whose numbers are in it. */
export interface SumResult {
  readonly survivors: readonly string[]
  readonly numbers: readonly bigint[]
}

/** The coordinator of one sum. */
export class CoordinatorSum {
  readonly #terms: SumTerms
  readonly #sum: string
  readonly #events: SumEvent[] = []
  readonly #keys = new Map<string, KeysMessage>()
  readonly #shares = new Map<string, SharesMessage>()
  readonly #masked = new Map<string, MaskedMessage>()
  readonly #agreed = new Map<string, string>()
  readonly #unmask = new Map<string, UnmaskMessage>()
  #stage: SumStage = "keys"
  #roster = ""
  #group = ""
  #result: SumResult | undefined

  constructor(terms: SumTerms) {
    this.#terms = checkTerms(terms)
    this.#sum = hashOfTerms(terms)
  }

  /** The same coordinator again, from what has happened; messages are those that it sent then. */
  static rebuilt(
    terms: SumTerms,
    events: readonly SumEvent[],
  ): { readonly sum: CoordinatorSum; readonly sent: readonly Addressed[] } {
    const sum = new CoordinatorSum(terms)
    const sent = events.flatMap((event) => {
      if (event.kind === "closed") return sum.close()
      sum.receive(event.message)
      return []
    })
    return { sum, sent }
  }

  /** What has happened so far. */
  get events(): readonly SumEvent[] {
    return this.#events
  }

  /** What is collected. */
  get stage(): SumStage {
    return this.#stage
  }

  /** Who is asked in this stage and has not answered. */
  get waitingFor(): readonly string[] {
    const answered = this.#answers()
    return this.#asked().filter((site) => !answered.has(site))
  }

  /** The sum, once the last stage is closed. */
  get result(): SumResult | undefined {
    return this.#result
  }

  /** Takes a site's message. What is late, not asked for, not signed or of another sum is refused. */
  receive(value: unknown): void {
    const message = decodeSiteMessage(value)
    if (message.sum !== this.#sum) fail("federation/sum-other", {})
    if (message.kind !== this.#stage) fail("federation/sum-out-of-turn", { stage: this.#stage })
    if (!this.#asked().includes(message.site)) fail("federation/sum-sites", {})
    if (this.#answers().has(message.site)) fail("federation/sum-out-of-turn", { stage: this.#stage })
    this.#take(message)
    this.#events.push({ kind: "received", message })
  }

  /** Ends a stage: who has not answered has dropped out. Returns what to send. */
  close(): readonly Addressed[] {
    if (this.#stage === "summed" || this.#stage === "failed") return []
    this.#events.push({ kind: "closed" })
    const needed =
      this.#stage === "agreed" || this.#stage === "unmask" ? this.#terms.threshold : survivorsMin(this.#terms)
    if (this.#answers().size < needed) {
      this.#stage = "failed"
      return []
    }
    return this.#next(this.#stage)
  }

  #next(stage: SiteMessage["kind"]): readonly Addressed[] {
    const sum = this.#sum
    const sites = this.#present()
    switch (stage) {
      case "keys": {
        this.#stage = "shares"
        const keys = sites.flatMap((site) => this.#keys.get(site) ?? [])
        this.#roster = rosterOf(keys)
        return toAll(sites, { kind: "roster", sum, keys })
      }
      case "shares":
        this.#stage = "masked"
        this.#group = groupOf(this.#roster, sites)
        return sites.map((to) => {
          const sealed = sites.map((from) => [from, entryOf(this.#shares.get(from)?.sealed ?? {}, to) ?? ""])
          return { to, message: { kind: "sealed", sum, sealed: Object.fromEntries(sealed) } }
        })
      case "masked":
        this.#stage = "agreed"
        return toAll(sites, { kind: "survivors", sum, survivors: sites })
      case "agreed": {
        this.#stage = "unmask"
        const signatures = Object.fromEntries(sites.map((site) => [site, this.#agreed.get(site) ?? ""]))
        return toAll(sites, { kind: "agreements", sum, signatures })
      }
      case "unmask":
        this.#result = this.#unmasked()
        this.#stage = this.#result === undefined ? "failed" : "summed"
        return []
      default:
        return stage satisfies never
    }
  }

  #take(message: SiteMessage): void {
    const terms = this.#terms
    const { site, signature } = message
    switch (message.kind) {
      case "keys":
        checkKeys(terms, this.#sum, [...this.#keys.values(), message])
        this.#keys.set(site, message)
        return
      case "shares": {
        checkSignature(terms, site, sharesStatement(message), signature)
        const isForAll = this.#asked().every((to) => entryOf(message.sealed, to) !== undefined)
        if (message.roster !== this.#roster || !isForAll) fail("federation/sum-message", { what: "sealed" })
        this.#shares.set(site, message)
        return
      }
      case "masked":
        checkSignature(terms, site, maskedStatement(message), signature)
        if (message.group !== this.#group) fail("federation/sum-message", { what: "group" })
        if (!isEncoded(message.numbers, terms)) fail("federation/sum-message", { what: "numbers" })
        this.#masked.set(site, message)
        return
      case "agreed":
        checkSignature(terms, site, this.#survivorsStatement(), signature)
        this.#agreed.set(site, signature)
        return
      case "unmask": {
        const survivors = this.#survivorsStatement()
        checkSignature(terms, site, unmaskStatement({ ...message, survivors }), signature)
        this.#unmask.set(site, message)
        return
      }
      default:
        message satisfies never
    }
  }

  /**
   * The sum without its masks; undefined where the shares that came back do not give a secret that was
   * committed to.
   */
  #unmasked(): SumResult | undefined {
    const terms = this.#terms
    const total = new MaskedNumbers(terms)
    const survivors = this.#inOrder(this.#masked)
    for (const { numbers } of this.#masked.values()) total.addEncoded(numbers)
    for (const site of this.#inOrder(this.#shares)) {
      const isIn = this.#masked.has(site)
      const opened = [...this.#unmask.values()].flatMap(({ site: from, seeds, keys }) =>
        placed(this.#placeOf(from), entryOf(isIn ? seeds : keys, site)),
      )
      if (isIn) {
        const expected = this.#shares.get(site)?.seedHash
        const seed = this.#joined(opened, (bytes) => seedHash(bytes, this.#roster, site) === expected)
        if (seed === undefined) return undefined
        total.addMask(ownKey(seed, this.#roster, site), -1)
        continue
      }
      const expected = this.#keys.get(site)?.mask
      const secret = this.#joined(opened, (bytes) => new AgreementKey(bytes).public === expected)
      if (secret === undefined) return undefined
      const key = new AgreementKey(secret)
      for (const survivor of survivors) {
        const shared = key.sharedWith(this.#keys.get(survivor)?.mask ?? "")
        // What the survivor added for the site that is gone is taken off.
        const isAdded = this.#placeOf(survivor) < this.#placeOf(site)
        total.addMask(pairKey(shared, this.#roster, [survivor, site]), isAdded ? -1 : 1)
      }
    }
    return { survivors, numbers: total.numbers() }
  }

  /**
   * The secret of which these are shares. Wrong ones among more than needed do no harm: each choice of enough
   * shares is tried, those that leave out fewest first, up to `triesMax`.
   */
  #joined(opened: readonly PlacedShare[], isRight: (secret: Uint8Array) => boolean): Uint8Array | undefined {
    let tries = 0
    for (const shares of choicesOf(opened, this.#terms.threshold)) {
      const secret = joinShares(shares)
      if (isRight(secret)) return secret
      tries += 1
      if (tries === triesMax) return undefined
    }
    return undefined
  }

  #survivorsStatement(): string {
    return survivorsStatement(this.#sum, this.#group, this.#inOrder(this.#masked))
  }

  /** Who has answered in this stage, in the order of the terms. */
  #present(): readonly string[] {
    return this.#inOrder(this.#answers())
  }

  #inOrder(answers: ReadonlyMap<string, unknown>): readonly string[] {
    return this.#terms.sites.map(({ name }) => name).filter((name) => answers.has(name))
  }

  #answers(): ReadonlyMap<string, unknown> {
    switch (this.#stage) {
      case "keys":
        return this.#keys
      case "shares":
        return this.#shares
      case "masked":
        return this.#masked
      case "agreed":
        return this.#agreed
      case "unmask":
      case "summed":
      case "failed":
        return this.#unmask
      default:
        return this.#stage satisfies never
    }
  }

  /** Who is asked in this stage: who has answered in the one before. */
  #asked(): readonly string[] {
    switch (this.#stage) {
      case "keys":
        return this.#terms.sites.map(({ name }) => name)
      case "shares":
        return this.#inOrder(this.#keys)
      case "masked":
        return this.#inOrder(this.#shares)
      case "agreed":
        return this.#inOrder(this.#masked)
      case "unmask":
        return this.#inOrder(this.#agreed)
      case "summed":
      case "failed":
        return []
      default:
        return this.#stage satisfies never
    }
  }

  #placeOf(site: string): number {
    const index = this.#terms.sites.findIndex(({ name }) => name === site)
    assert(index >= 0, "a site is one of the terms")
    return index + 1
  }
}

/** Enough for any two wrong shares of a hundred. */
const triesMax = 5200

function toAll(sites: readonly string[], message: CoordinatorMessage): readonly Addressed[] {
  return sites.map((to) => ({ to, message }))
}

function placed(place: number, share: string | undefined): readonly PlacedShare[] {
  if (share === undefined) return []
  const bytes = Buffer.from(share, "base64")
  return bytes.length === secretBytes ? [{ place, bytes }] : []
}
