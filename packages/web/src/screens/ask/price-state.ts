// Where the price of a question stands. A price belongs to exactly one question, with its study and settings;
// for any other it is old, and nothing is asked at an old price.

import type { Priced, Unpriced } from "../../workers/price.ts"

/** A price that was worked out, and what it is the price of. */
export interface KnownPrice {
  readonly key: string
  readonly price: Priced | Unpriced
  readonly by: "browser" | "server"
}

/** What a question is told apart by: everything that is sent with it. */
export function keyOf(body: object): string {
  return JSON.stringify(body)
}

/** Where the price of what stands in the editor stands. */
export interface PriceState {
  /** The newest price; of an earlier question while it is stale. */
  readonly price: Priced | Unpriced | undefined
  readonly isStale: boolean
  /** Whether it could not be worked out. */
  readonly hasFailed: boolean
  /** Whether just this may be asked: it has a price, and the price is shown. */
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
