// A node's requests to its coordinator, each signed, each reply held to the key that was pinned.

import type { Signer } from "@dosimeter/engine"
import { z } from "zod"
import { fail } from "../../errors.ts"
import { openReply, sealRequest, type RequestKind } from "../wire/sealed.ts"
import { postJson, type Reached, type Route } from "./https-client.ts"
import { jsonOf } from "../wire/json.ts"

/** Whom a line speaks for, and to whom. */
export interface LineOptions {
  readonly url: string
  readonly coordinator: string
  readonly site: string
  readonly signer: Signer
  readonly route: Route
  readonly now?: () => Date
}

/** How long a reply may take beyond what the coordinator was asked to hold it, in milliseconds. */
const patience = 30_000
const sealedSchema = z.object({ text: z.string(), signature: z.string() })
const problemSchema = z.object({ code: z.string(), message: z.string() })

/** Speaks with one coordinator. */
export class CoordinatorLine {
  readonly #options: LineOptions

  constructor(options: LineOptions) {
    this.#options = options
  }

  /** Sends a request and gives what its reply holds. */
  async call<Content>(
    kind: RequestKind,
    content: unknown,
    reply: z.ZodType<Content>,
    { heldMs = 0, signal }: { readonly heldMs?: number; readonly signal?: AbortSignal } = {},
  ): Promise<Content> {
    const { url, coordinator, site, signer, route, now = () => new Date() } = this.#options
    const { sealed, nonce } = sealRequest(signer, { kind, coordinator, site, at: now() }, content)
    const reached = await postJson(`${url}/api/v1/federation/${kind}`, JSON.stringify(sealed), {
      ...route,
      timeoutMs: heldMs + patience,
      ...(signal === undefined ? {} : { signal }),
    })
    const read = sealedSchema.safeParse(jsonOf(reached.text))
    if (reached.status !== 200 || !read.success) return refusedBy(url, reached)
    const opened = reply.safeParse(openReply(read.data, { coordinator, nonce }))
    return opened.success ? opened.data : fail("federation/other-version", { url })
  }
}

/**
 * What was said instead of a reply. It is not signed, and anybody on the way may have written it: it is
 * shown, without signs that would move on a terminal or begin a line, and nothing else depends on it.
 */
function refusedBy(url: string, { status, text, retryAfter }: Reached): never {
  const problem = problemSchema.safeParse(jsonOf(text))
  const said = problem.success
    ? `${shown(problem.data.message, 300)} [${shown(problem.data.code, 60)}]`
    : `status ${status}, which is not a coordinator's reply`
  const seconds = retryAfter === undefined ? {} : { seconds: `${retryAfter}` }
  return fail("federation/refused", { url, said, ...seconds })
}

function shown(text: string, most: number): string {
  return text.slice(0, most).replaceAll(/[\p{Cc}\p{Cs}\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu, "\ufffd")
}
