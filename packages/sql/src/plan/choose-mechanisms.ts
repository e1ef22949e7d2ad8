// Which mechanism answers what: Laplace where losses are added up as epsilon, Gaussian where as rho or mu
// squared (half the variance at the same loss), the exponential mechanism for quantiles and modes, a
// threshold for keys.

import {
  boundedSensitivity,
  divide,
  gaussianKeysOfVariance,
  gaussianOfVariance,
  l2SquaredOf,
  laplace,
  laplaceKeys,
  multiply,
  optimalKeys,
  quantiles,
  rational,
  selection,
  countSensitivity,
  type GaussianSpec,
  type KeySpec,
  type LaplaceSpec,
  type Neighbours,
  type QuantilesSpec,
  type Rational,
  type SelectionSpec,
  type Sensitivity,
} from "@dosimeter/core"
import { epsilonOfDraws, type Allowance } from "./share-out.ts"

/** What one unit can do to the groups of a release. */
export interface UnitBounds {
  readonly groupsPerUnit: bigint
  /** How many groups there are, if that is public. */
  readonly groupsInAll: bigint | undefined
  readonly neighbours: Neighbours
}

/** Noise for a column of sums to which a unit adds between lower and upper in each of its groups. */
export function chooseAdditive(
  bounds: UnitBounds & { readonly lower: bigint; readonly upper: bigint },
  allowance: Allowance,
  amount: Rational,
): LaplaceSpec | GaussianSpec {
  const sensitivity = sensitivityOf(bounds)
  if (allowance.accounting === "pure") return laplace({ sensitivity, epsilon: amount })
  return gaussianOfVariance({ sensitivity, variance: varianceFor(sensitivity, allowance, amount) })
}

/** The sensitivity of such a column. */
export function sensitivityOf(
  bounds: UnitBounds & { readonly lower: bigint; readonly upper: bigint },
): Sensitivity {
  const { groupsInAll, ...rest } = bounds
  return boundedSensitivity({ ...rest, ...(groupsInAll === undefined ? {} : { groupsInAll }) })
}

/** The variance of Gaussian noise that costs so much: rho = L2^2 / (2 variance), mu^2 = L2^2 / variance. */
export function varianceFor(sensitivity: Sensitivity, { accounting }: Allowance, amount: Rational): Rational {
  const squared = rational(l2SquaredOf(sensitivity))
  return divide(squared, accounting === "zcdp" ? multiply(rational(2n), amount) : amount)
}

/** Key selection. Where the number of units was asked for too, it comes with the keys at no further loss. */
export function chooseKeys(
  bounds: UnitBounds,
  allowance: Allowance,
  { amount, wantsCount }: { readonly amount: Rational; readonly wantsCount: boolean },
): KeySpec {
  const { groupsPerUnit, neighbours } = bounds
  const delta = allowance.deltaForKeys
  if (allowance.accounting === "pure") {
    const options = { epsilon: amount, delta, groupsPerUnit, neighbours }
    return wantsCount ? laplaceKeys(options) : optimalKeys(options)
  }
  const sensitivity = countSensitivity({ groupsPerUnit, rowsPerGroup: 1n, neighbours })
  const variance = varianceFor(sensitivity, allowance, amount)
  return gaussianKeysOfVariance({ variance, delta, groupsPerUnit, neighbours })
}

/**
 * The most rows that one unit can change in all histograms of a release together. A draw's loss is
 * proportional to the rows that change in its histogram, so one rate for k groups of r rows costs what a
 * single histogram of k r rows would: pure losses add up to it, and rho and mu squared of the parts to no
 * more, being convex in epsilon and 0 at 0. Replacing a unit may take its rows from some groups and put new
 * ones into others.
 */
export function rowsChanged(bounds: UnitBounds, rowsPerGroup: bigint): bigint {
  const rows = bounds.groupsPerUnit * rowsPerGroup
  return bounds.neighbours === "replace" && bounds.groupsInAll !== 1n ? 2n * rows : rows
}

/** Quantiles of each group. */
export function chooseQuantiles(
  histogram: { readonly fractions: readonly Rational[]; readonly cells: bigint; readonly rows: bigint },
  { neighbours }: UnitBounds,
  allowance: Allowance,
  amount: Rational,
): QuantilesSpec {
  const levels = BigInt(32 - Math.clz32(histogram.fractions.length))
  return quantiles({
    quantiles: histogram.fractions,
    cells: histogram.cells,
    rowsPerUnit: histogram.rows,
    neighbours,
    epsilon: epsilonOfDraws(allowance, amount, levels),
  })
}

/** The most frequent value of each group. Permute-and-flip is never worse than the exponential mechanism. */
export function chooseMode(
  histogram: { readonly cells: bigint; readonly rows: bigint },
  { neighbours }: UnitBounds,
  allowance: Allowance,
  amount: Rational,
): SelectionSpec {
  return selection({
    method: allowance.accounting === "pure" ? "permute-and-flip" : "exponential",
    epsilon: epsilonOfDraws(allowance, amount, 1n),
    sensitivity: histogram.rows,
    scores: neighbours === "replace" ? "any" : "monotone",
    candidates: histogram.cells,
  })
}
