// Which mechanism answers what: Laplace where losses are added up as epsilon, Gaussian where as rho or mu
// squared (half the variance at the same loss), the exponential mechanism for quantiles. Keys and modes have
// files of their own.

import {
  boundedSensitivity,
  divide,
  gaussianOfVariance,
  l2SquaredOf,
  laplace,
  multiply,
  quantiles,
  rational,
  type GaussianSpec,
  type LaplaceSpec,
  type Neighbours,
  type QuantilesSpec,
  type Rational,
  type Sensitivity,
} from "@dosimeter/core"
import { epsilonOfDraws, type Allowance } from "./share-out.ts"

export { chooseKeys } from "./choose-keys.ts"
export { chooseMode } from "./choose-mode.ts"

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

/**
 * In how many histograms of a release one unit can change rows: those of its groups. Replacing a unit may
 * take its rows from some groups and put new ones into others.
 */
export function groupsChanged({ groupsPerUnit, groupsInAll, neighbours }: UnitBounds): bigint {
  return neighbours === "replace" && groupsInAll !== 1n ? 2n * groupsPerUnit : groupsPerUnit
}

/** A histogram whose quantiles are drawn; with a miss, intervals too. */
export interface QuantileHistogram {
  readonly fractions: readonly Rational[]
  readonly cells: bigint
  /** In how many histograms a unit has rows, and how many in each. */
  readonly groups: bigint
  readonly rows: bigint
  readonly miss: Rational | undefined
}

/**
 * Quantiles of each group. With intervals, half of the loss is for the values and half for the ends: an
 * interval is then twice as wide as if it had all of the loss, and a value's error still far inside it.
 */
export function chooseQuantiles(
  { fractions, cells, groups, rows, miss }: QuantileHistogram,
  { neighbours }: UnitBounds,
  allowance: Allowance,
  amount: Rational,
): QuantilesSpec {
  const levels = groups * BigInt(32 - Math.clz32(fractions.length))
  const histogram = { quantiles: fractions, cells, rowsPerUnit: rows, groupsPerUnit: groups, neighbours }
  if (miss === undefined) {
    return quantiles({ ...histogram, epsilon: epsilonOfDraws(allowance, amount, levels) })
  }
  const half = divide(amount, rational(2n))
  const ends = { epsilon: epsilonOfDraws(allowance, half, groups * 2n * BigInt(fractions.length)), miss }
  return quantiles({ ...histogram, epsilon: epsilonOfDraws(allowance, half, levels), ends })
}
