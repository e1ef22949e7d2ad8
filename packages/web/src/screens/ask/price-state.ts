// The state of a question's price. A price belongs to exactly one question, with its study and settings; for
// any other question it is stale, and no question is asked at a stale price.

import type { Priced, Unpriced } from "../../workers/price.ts"

/** A price that was worked out, with the key of its question. */
export interface KnownPrice {
  readonly key: string
  readonly price: Priced | Unpriced
  readonly by: "browser" | "server"
}

/** The key of a question: everything that is sent with it, as text. */
export function keyOf(body: object): string {
  return JSON.stringify(body)
}

/** The state of the price of the question in the editor. */
export interface PriceState {
  /** The newest price; while `isStale`, that of an earlier question. */
  readonly price: Priced | Unpriced | undefined
  readonly isStale: boolean
  /** Whether it could not be worked out. */
  readonly hasFailed: boolean
  /** Whether the question in the editor may be asked: its own price is known and shown. */
  readonly mayAsk: boolean
}

/** The state for the question with a key; undefined where there is none. */
export function priceState(
  key: string | undefined,
  known: KnownPrice | undefined,
  failedKey: string | undefined,
): PriceState {
  if (key === undefined) return { price: undefined, isStale: false, hasFailed: false, mayAsk: false }
  const isCurrent = known?.key === key
  const hasFailed = failedKey === key
  return {
    price: hasFailed ? undefined : known?.price,
    isStale: !isCurrent && !hasFailed,
    hasFailed,
    mayAsk: isCurrent && !hasFailed && known.price.kind === "priced",
  }
}
