// How a training's loss is parted among its rounds. The noise of a round follows from its part.

import { calibrateGaussian } from "@dosimeter/core/accounting"
import {
  divide,
  exactly,
  isPositive,
  multiply,
  one,
  rational,
  type Numeric,
  type Rational,
} from "@dosimeter/core/exact"
import {
  countSensitivity,
  gaussianOfVariance,
  l2SquaredOf,
  normSensitivity,
  type GaussianSpec,
  type Neighbours,
  type Sensitivity,
} from "@dosimeter/core/mechanisms"
import { fail } from "../errors.ts"

/** What a training may lose, in one of three measures. */
export type TrainingBudget =
  | { readonly epsilon: Numeric; readonly delta: Numeric }
  | { readonly rho: Numeric }
  | { readonly muSquared: Numeric }

/** The same as mu squared: what Gaussian noise is parted by. An epsilon is used up exactly, rounded down. */
export function muSquaredOf(budget: TrainingBudget): Rational {
  if ("epsilon" in budget) {
    return divide(one, calibrateGaussian({ ...budget, releases: 1, l2Squared: 1 }))
  }
  const muSquared =
    "rho" in budget
      ? multiply(rational(2n), exactly(budget.rho, "rho"))
      : exactly(budget.muSquared, "mu squared")
  if (!isPositive(muSquared)) return fail("model/no-loss", {})
  return muSquared
}

/** The noise of a round that may lose so much, for sums of this sensitivity. */
export function roundSpec(sensitivity: Sensitivity, muSquared: Rational): GaussianSpec {
  return gaussianOfVariance({ sensitivity, variance: divide(rational(l2SquaredOf(sensitivity)), muSquared) })
}

/** The sensitivity of sums to which each unit adds integers of this length, as a vector, of either sign. */
export function signedLength(length: number, neighbours: Neighbours): Sensitivity {
  return normSensitivity({ norm: "l2", bound: BigInt(length), isSigned: true, neighbours })
}

/** The sensitivity of counts in which each unit counts once in each of so many tables. */
export function countedOnce(tables: number, neighbours: Neighbours): Sensitivity {
  return countSensitivity({ groupsPerUnit: tables, rowsPerGroup: 1, neighbours })
}

/** A part of a loss, as a fraction with two digits: the shares of a training are public constants. */
export function shareOf(muSquared: Rational, percent: number): Rational {
  return multiply(muSquared, rational(BigInt(percent), 100n))
}
