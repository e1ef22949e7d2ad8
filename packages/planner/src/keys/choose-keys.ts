// Which method selects keys: of all that the account allows, the one under which the smallest groups are
// shown; where the count that selects is wanted too, the one that gives it with the smallest error.

import { assert } from "@dosimeter/core/errors"
import {
  compare,
  divide,
  expm1Near,
  ln1pNear,
  multiply,
  numberNear,
  rational,
  type Rational,
} from "@dosimeter/core/exact"
import { chargeAmount } from "@dosimeter/core/accounting"
import {
  countSensitivity,
  errorOf,
  gaussianKeys,
  gaussianKeysOfVariance,
  gaussianOfVariance,
  l2SquaredOf,
  laplaceKeys,
  laplaceOfScale,
  lossOf,
  optimalKeys,
  weightedKeys,
  weightedKeysOfMu,
  type AdditiveError,
  type AnyKeySpec,
  type Neighbours,
} from "@dosimeter/core/mechanisms"
import { pureWithin } from "../loss/pure-within.ts"
import type { Allowance } from "../loss/share-out.ts"

/** What is selected by: a unit is in at most so many groups. */
export interface KeyBounds {
  readonly groupsPerUnit: bigint
  readonly neighbours: Neighbours
}

/** What may be lost, and whether the count that selects is an output as well. */
export interface KeyAllowance {
  readonly amount: Rational
  readonly wantsCount: boolean
  /** The most that a unit adds to a count: 1 for units (if left out); of rows the count must be wanted. */
  readonly rowsPerGroup?: bigint
  /** Whether units can be weighed by the number of their groups. */
  readonly canWeigh: boolean
}

/**
 * The method with the smallest bias: of those within the loss, the one that shows a group of the fewest units
 * with a probability of one half. Where the count is wanted, it comes with the keys at no further loss, with
 * the noise that is smaller at 95 %; to buy keys and counts apart would halve the loss of each. Where it is
 * not, a threshold on weights takes the place of the one on Gaussian counts, which never shows more.
 */
export function chooseKeys(bounds: KeyBounds, allowance: Allowance, wish: KeyAllowance): AnyKeySpec {
  const valid = candidatesOf(bounds, allowance, wish).filter((spec) => isWithin(spec, allowance, wish.amount))
  const [first, ...rest] = valid
  assert(first !== undefined, "Gaussian keys fit where losses add up, Laplace keys where epsilons do")
  const errorBy = wish.wantsCount ? countWidth : halfShown
  return rest.reduce((best, spec) => (errorBy(spec) < errorBy(best) ? spec : best), first)
}

/** The number of units (or rows, where these are counted) at which a group is shown half of the time. */
export function halfShown(spec: AnyKeySpec): bigint {
  return errorOf(spec, half).shownFrom
}

/** How far a count that comes with the keys may be off, at 95 %; undefined where none comes. */
export function countError(spec: AnyKeySpec): AdditiveError | undefined {
  const sensitivity = countSensitivity({ ...spec, rowsPerGroup: 1n })
  switch (spec.kind) {
    case "keys-optimal":
    case "keys-weighted":
      return undefined
    case "keys-laplace":
      return errorOf(laplaceOfScale({ sensitivity, scale: spec.scale }), usual)
    case "keys-gaussian":
      return errorOf(gaussianOfVariance({ sensitivity, variance: spec.variance }), usual)
    default:
      return spec satisfies never
  }
}

function countWidth(spec: AnyKeySpec): number {
  return Number(countError(spec)?.halfWidth ?? Infinity)
}

// In the order in which ties are broken. Where epsilons add up, the optimal probabilities are the largest for
// every number of units, not only at one half.
function candidatesOf(bounds: KeyBounds, allowance: Allowance, wish: KeyAllowance): readonly AnyKeySpec[] {
  const { accounting, deltaForKeys: delta } = allowance
  const { rowsPerGroup = 1n } = wish
  assert(rowsPerGroup === 1n || wish.wantsCount, "rows are counted where their count is wanted")
  const changed = bounds.neighbours === "replace" ? 2n * bounds.groupsPerUnit : bounds.groupsPerUnit
  const each = divide(wish.amount, rational(changed))
  const epsilon = multiply(rational(changed), pureWithin(accounting, each))
  const options = { ...bounds, epsilon, delta }
  const isWeighed = wish.canWeigh && !wish.wantsCount && bounds.groupsPerUnit > 1n
  const counted = { ...options, rowsPerGroup }
  const thresholds =
    accounting === "pure"
      ? [laplaceKeys(counted), isWeighed ? weightedKeys(options) : gaussianKeys(counted)]
      : [
          isWeighed ? weighted(bounds, allowance, wish) : onCounts(bounds, allowance, wish),
          laplaceKeys(counted),
        ]
  if (wish.wantsCount) return thresholds
  const least = Math.min(...thresholds.map((spec) => Number(halfShown(spec))))
  const perKey = (all: Rational): number => numberNear(all) / Number(changed)
  // The table of probabilities has about twice as many entries as units reach one half, and takes its time.
  const units = optimalAtLeast(perKey(epsilon), perKey(delta))
  if (units > least || units > tableUnitsMax) return thresholds
  const optimal = optimalKeys(options)
  return accounting === "pure" ? [optimal, ...thresholds] : [...thresholds, optimal]
}

// Keep probabilities grow by no more than p(n) = e^epsilon p(n - 1) + delta: no fewer units reach one half.
function optimalAtLeast(epsilon: number, delta: number): number {
  return ln1pNear(expm1Near(epsilon) / (2 * delta)) / epsilon
}

/** Tables of keep probabilities are made up to here: a fifth of a second. */
const tableUnitsMax = 50_000
const half = rational(1n, 2n)
const usual = rational(19n, 20n)

function isWithin(spec: AnyKeySpec, { accounting, deltaForKeys }: Allowance, most: Rational): boolean {
  const { amount, delta } = chargeAmount(lossOf(spec), accounting)
  return compare(amount, most) <= 0 && compare(delta, deltaForKeys) <= 0
}

function onCounts(bounds: KeyBounds, allowance: Allowance, wish: KeyAllowance): AnyKeySpec {
  const counted = { ...bounds, rowsPerGroup: wish.rowsPerGroup ?? 1n }
  const squared = rational(l2SquaredOf(countSensitivity(counted)))
  const variance = divide(squared, muSquaredOf(allowance, wish.amount))
  return gaussianKeysOfVariance({ ...counted, delta: allowance.deltaForKeys, variance })
}

function weighted(bounds: KeyBounds, allowance: Allowance, { amount }: KeyAllowance): AnyKeySpec {
  const muSquared = muSquaredOf(allowance, amount)
  return weightedKeysOfMu({ ...bounds, delta: allowance.deltaForKeys, muSquared })
}

// rho = L2^2 / (2 variance), mu^2 = L2^2 / variance.
function muSquaredOf({ accounting }: Allowance, amount: Rational): Rational {
  return accounting === "zcdp" ? multiply(rational(2n), amount) : amount
}
