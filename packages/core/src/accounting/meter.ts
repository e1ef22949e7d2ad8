// The meter: how much of an account is used. Two things run out, the loss that is added up and the deltas of
// charges; whichever is nearer to its end says how much is used. Every page and door shows this number.

import { numberUp } from "../exact/dyadic.ts"
import {
  compare,
  divide,
  isPositive,
  maximum,
  minimum,
  rational,
  zero,
  type Rational,
} from "../exact/rational.ts"
import { amountLimit, deltaLimit, type FilterState } from "./filter.ts"

/** How much of an account is used: shares from 0 to 1, rounded up. */
export interface Used {
  /** The larger of the two. */
  readonly share: number
  /** Of what is added up: epsilon, rho or mu squared. */
  readonly loss: number
  /** Of what there is for the deltas of charges; 0 where there is nothing and nothing is needed. */
  readonly delta: number
  /** What runs out first. */
  readonly first: "loss" | "delta"
}

/** How much of an account is used. */
export function usedOf({ budget, spent, deltaSpent }: FilterState): Used {
  const loss = shareOf(spent, amountLimit(budget))
  const delta = shareOf(deltaSpent, deltaLimit(budget))
  const first = compare(delta, loss) > 0 ? "delta" : "loss"
  return {
    share: numberUp(maximum(loss, delta)),
    loss: numberUp(loss),
    delta: numberUp(delta),
    first,
  }
}

/** A share for people, with care at the ends: little is not nothing, almost all is not all. */
export function showShare(share: number): string {
  const percent = share * 100
  if (percent > 0 && percent < 1) return "<1 %"
  if (percent > 99 && percent < 100) return ">99 %"
  return `${Math.round(percent)} %`
}

// What was spent of nothing is all of it.
function shareOf(spent: Rational, limit: Rational): Rational {
  if (!isPositive(spent)) return zero
  return isPositive(limit) ? minimum(rational(1n), divide(spent, limit)) : rational(1n)
}
