// What counts as spent where entries are lost or mean something else: everything, or what two people state,
// and never less than is known.

import { add, compare, type Rational } from "@dosimeter/core/exact"
import type { Units } from "./account.ts"
import type { Amounts, AnchoredHead } from "./entry.ts"
import { unitsUp } from "./units.ts"

/** The most that the lost entries and these can have charged together: the larger of limit and sum. */
export function lostUnits({ spent, limit }: AnchoredHead, own: Units): Units {
  return {
    amount: most(unitsUp(limit.amount), unitsUp(spent.amount) + own.amount),
    delta: most(unitsUp(limit.delta), unitsUp(spent.delta) + own.delta),
  }
}

/** What is wrong with a statement of what was spent, if there is one. */
export function statedProblem(
  said: {
    readonly by: readonly string[]
    readonly spent?: Amounts
    readonly anchor?: AnchoredHead
  },
  own: Units,
): string | undefined {
  const { by, spent, anchor } = said
  if (spent === undefined) return undefined
  if (new Set(by).size < 2) return "what was spent is stated by two people"
  const isLess =
    unitsUp(spent.amount) < most(own.amount, anchor === undefined ? 0n : unitsUp(anchor.spent.amount)) ||
    unitsUp(spent.delta) < most(own.delta, anchor === undefined ? 0n : unitsUp(anchor.spent.delta))
  return isLess ? "it states that less was spent than is known" : undefined
}

/** What a statement adds to what is known. */
export function moreThan(stated: Amounts, own: Units): Units {
  return {
    amount: most(unitsUp(stated.amount) - own.amount, 0n),
    delta: most(unitsUp(stated.delta) - own.delta, 0n),
  }
}

/** The least that was spent, as far as a ledger and an anchor know. */
export function knownLoss(own: Amounts, anchored: Amounts | undefined): Amounts {
  if (anchored === undefined) return own
  const larger = (a: Rational, b: Rational): Rational => (compare(a, b) > 0 ? a : b)
  return { amount: larger(own.amount, anchored.amount), delta: larger(own.delta, anchored.delta) }
}

/** The heads of several lost ledgers as one: all that was spent in them, and the largest limit. */
export function joinedHead(heads: readonly AnchoredHead[]): AnchoredHead | undefined {
  const [first, ...others] = heads
  if (first === undefined) return undefined
  return others.reduce(
    (all, head) => ({
      ...all,
      epoch: most(all.epoch, head.epoch),
      spent: {
        amount: add(all.spent.amount, head.spent.amount),
        delta: add(all.spent.delta, head.spent.delta),
      },
      limit: knownLoss(all.limit, head.limit),
    }),
    first,
  )
}

/** The larger of two. */
export function most(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
