// The most frequent value of each group: permute-and-flip is never worse than the exponential mechanism at
// the same epsilon, but where rho or mu squared is added up the exponential mechanism has twice the epsilon
// for the same loss.

import {
  divide,
  expm1Near,
  expNear,
  ln1pNear,
  lnNear,
  numberNear,
  rational,
  type Rational,
} from "@dosimeter/core/exact"
import { selection, type Neighbours, type SelectionSpec } from "@dosimeter/core/mechanisms"
import { pureWithin } from "../loss/pure-within.ts"
import { epsilonOfDraws, type Allowance } from "../loss/share-out.ts"

/** The histograms that are chosen from: their cells, in how many a unit has rows, and how many in each. */
export interface ModeHistogram {
  readonly cells: bigint
  readonly groups: bigint
  readonly rows: bigint
}

/** The method whose expected error at this loss is smaller at worst. */
export function chooseMode(
  { cells: candidates, groups: groupsPerUnit, rows: sensitivity }: ModeHistogram,
  { neighbours }: { readonly neighbours: Neighbours },
  allowance: Allowance,
  amount: Rational,
): SelectionSpec {
  const scores = neighbours === "replace" ? "any" : "monotone"
  const each = divide(amount, rational(groupsPerUnit))
  const shared = { groupsPerUnit, sensitivity, scores, candidates } as const
  const flip = selection({
    ...shared,
    method: "permute-and-flip",
    epsilon: pureWithin(allowance.accounting, each),
  })
  const exponential = selection({
    ...shared,
    method: "exponential",
    epsilon: epsilonOfDraws(allowance, each, 1n),
  })
  return worstError(flip) <= worstError(exponential) ? flip : exponential
}

/**
 * How far the score of the choice is expected to be below the best one, at worst: when all others are the
 * same distance below it. In sensitivities over epsilon, so that methods can be compared.
 */
export function worstError({ method, epsilon, candidates }: SelectionSpec): number {
  const [rate, n] = [numberNear(epsilon), Number(candidates)]
  const reach = (lnNear(n) + 8) / rate
  let worst = 0
  for (let step = 1; step <= 400; step += 1) {
    const distance = (reach * step) / 400
    const odds = expNear(-rate * distance)
    worst = Math.max(worst, distance * missOf(method, odds, n))
  }
  return worst
}

/** The probability that the best of n is not chosen, if all others have these odds against it. */
export function missOf(method: SelectionSpec["method"], odds: number, n: number): number {
  switch (method) {
    case "exponential":
      return ((n - 1) * odds) / (1 + (n - 1) * odds)
    case "permute-and-flip":
      // It is reached if all that stand before it in the order are passed over: the mean of (1 - odds)^j.
      return 1 + expm1Near(n * ln1pNear(-odds)) / (n * odds)
    case "noisy-max":
      return 1
    default:
      return method satisfies never
  }
}
