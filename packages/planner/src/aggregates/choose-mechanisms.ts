// Which mechanism answers what: Laplace or Gaussian noise for sums, whichever is smaller. Keys, modes and
// quantiles have files of their own.

import { compare, divide, multiply, numberNear, rational, type Rational } from "@dosimeter/core/exact"
import { chargeAmount } from "@dosimeter/core/accounting"
import {
  boundedSensitivity,
  errorOf,
  gaussianAt,
  gaussianOfVariance,
  l2SquaredOf,
  laplace,
  lossOf,
  type GaussianSpec,
  type LaplaceSpec,
  type Neighbours,
  type Sensitivity,
} from "@dosimeter/core/mechanisms"
import { pureWithin } from "../loss/pure-within.ts"
import type { Allowance } from "../loss/share-out.ts"

export { chooseKeys } from "../keys/choose-keys.ts"
export { chooseMode } from "./choose-mode.ts"
export { chooseQuantiles } from "./choose-quantiles.ts"

/** What one unit can do to the groups of a release. */
export interface UnitBounds {
  readonly groupsPerUnit: bigint
  /** How many groups there are, if that is public. */
  readonly groupsInAll: bigint | undefined
  readonly neighbours: Neighbours
}

/**
 * Noise for a column of sums to which a unit adds between lower and upper in each of its groups: Laplace or
 * Gaussian, whichever has the smaller variance at the same charge. Where epsilons are added up Gaussian noise
 * needs a delta, and is smaller where a unit is in many groups; elsewhere Laplace noise is only where the
 * loss is large.
 */
export function chooseAdditive(
  bounds: UnitBounds & { readonly lower: bigint; readonly upper: bigint },
  allowance: Allowance,
  amount: Rational,
): LaplaceSpec | GaussianSpec {
  const sensitivity = sensitivityOf(bounds)
  const { accounting, deltaForNoise } = allowance
  if (accounting === "pure") {
    const plain = laplace({ sensitivity, epsilon: amount })
    if (deltaForNoise.numerator === 0n) return plain
    return smallerOf(plain, gaussianAt({ sensitivity, epsilon: amount, delta: deltaForNoise }))
  }
  const normal = gaussianOfVariance({ sensitivity, variance: varianceFor(sensitivity, allowance, amount) })
  if (numberNear(amount) < largeLoss) return normal
  const coordinates = sensitivity.patterns.map((blocks) => blocks.reduce((sum, one) => sum + one.groups, 0n))
  const most = rational(coordinates.reduce((a, b) => (a > b ? a : b), 1n))
  const epsilon = multiply(most, pureWithin(accounting, divide(amount, most)))
  const plain = laplace({ sensitivity, epsilon })
  const isWithin = compare(chargeAmount(lossOf(plain), accounting).amount, amount) <= 0
  return isWithin ? smallerOf(normal, plain) : normal
}

/** Below this rho or mu squared Gaussian noise is always the smaller one. */
const largeLoss = 0.5

/** The noise with the smaller standard deviation; the first if they are equal. */
function smallerOf(
  first: LaplaceSpec | GaussianSpec,
  second: LaplaceSpec | GaussianSpec,
): LaplaceSpec | GaussianSpec {
  const deviation = (spec: LaplaceSpec | GaussianSpec): number =>
    errorOf(spec, rational(1n, 2n)).standardDeviation
  return deviation(second) < deviation(first) ? second : first
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
