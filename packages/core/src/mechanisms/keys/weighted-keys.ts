// Key selection by weights, where no counts are wanted with the keys: a unit that is in n groups adds about
// S / sqrt(n) to each of them, so that the length of what it adds is S whatever n is. Whoever is in few
// groups counts for more than at equal weights, and nobody for less.

import { approxToMu } from "../../accounting/conversions/gaussian-delta.ts"
import { assert } from "../../errors/assert.ts"
import { fail } from "../../errors/errors.ts"
import { betweenZeroAndOne, positive, wholeNumber, type Numeric } from "../../exact/decimal.ts"
import { numberNear, roundDown, roundUp } from "../../exact/dyadic.ts"
import { integerSqrt } from "../../exact/log.ts"
import { guessNormalWidth } from "../../exact/normal-doubles.ts"
import {
  add,
  compare,
  divide,
  multiply,
  one,
  rational,
  showRational,
  square,
  zero,
  type Rational,
} from "../../exact/rational.ts"
import { fillRoundedGaussian, sampleRoundedGaussian } from "../../noise/rounded-gaussian.ts"
import type { Losses } from "../../privacy/loss.ts"
import type { Neighbours } from "../../privacy/unit.ts"
import type { RandomBits } from "../../random/random-bits.ts"
import { addNoise } from "../shared/add-noise.ts"
import type { KeyError } from "../shared/error.ts"
import { gaussianDeltaUp, gaussianHalfWidth, gaussianTailUp } from "../additive/gaussian.ts"

/** What a unit adds to each of its groups, if it is in at most so many (and in more than the row before). */
export interface KeyWeight {
  readonly groups: bigint
  readonly weight: bigint
}

/** Shows a key if the weights of its units, with Gaussian noise, reach the threshold. No count comes out. */
export interface WeightedKeysSpec {
  readonly kind: "keys-weighted"
  /** The most groups that one unit may be in. */
  readonly groupsPerUnit: bigint
  readonly neighbours: Neighbours
  /** By growing numbers of groups, the last groupsPerUnit; weights fall. */
  readonly weights: readonly KeyWeight[]
  /** Of the noise, in squares of what weights are counted in. */
  readonly variance: Rational
  readonly threshold: bigint
  /** Where it is to be charged as (epsilon, delta): the epsilon at which the delta of the noise is taken. */
  readonly epsilon?: Rational
}

/** Weighted selection at (epsilon, delta): half of delta for the noise, half for the threshold. */
export function weightedKeys(options: {
  readonly epsilon: Numeric
  readonly delta: Numeric
  readonly groupsPerUnit: Numeric
  readonly neighbours: Neighbours
}): WeightedKeysSpec {
  const epsilon = positive(options.epsilon, "epsilon")
  const half = divide(roundDown(betweenZeroAndOne(options.delta, "delta")), rational(2n))
  const muSquared = square(approxToMu(epsilon, half))
  return { ...weightedKeysOfMu({ ...options, delta: half, muSquared }), epsilon }
}

/** Weighted selection at a GDP loss, with this delta for keys of a single unit. */
export function weightedKeysOfMu(options: {
  readonly muSquared: Numeric
  readonly delta: Numeric
  readonly groupsPerUnit: Numeric
  readonly neighbours: Neighbours
}): WeightedKeysSpec {
  const muSquared = positive(options.muSquared, "mu squared")
  const delta = betweenZeroAndOne(options.delta, "delta")
  const groupsPerUnit = wholeNumber(options.groupsPerUnit, "groups per unit")
  const { neighbours } = options
  if (groupsPerUnit > whole) {
    const range = `at most ${whole} where keys are weighted`
    return fail("parameter/out-of-range", { name: "groups per unit", got: `${groupsPerUnit}`, range })
  }
  const change = rational((neighbours === "replace" ? 2n : 1n) * whole * whole)
  const variance = divide(change, muSquared)
  const found = weigh({ groupsPerUnit, variance, delta: roundDown(delta) })
  return { kind: "keys-weighted", groupsPerUnit, neighbours, variance, ...found }
}

/** What a unit in one group may add: sums over 2^40 units fit into 64 bits. */
const whole = 1n << 20n

/** Up to so many groups each number has a weight of its own; then a row covers a sixteenth more each. */
const apart = 16n

/**
 * Weights and threshold. A unit in as many groups as it may be, k, adds w = floor(S / sqrt(k)) to each, and
 * the threshold T is the least that its own keys allow: w(k) + r(k) + 1, where r(n) is the half width of the
 * noise at 2 delta / n. Units in fewer groups, n, add floor(S / sqrt(n)), or T - r(n) - 1 if that is less:
 * more would raise the threshold for everybody. So nobody counts for less than w(k), as r(n) <= r(k): against
 * a threshold on plain counts, where everybody counts the same, no group of any data is shown less often (but
 * for the rounding of weights, less than a thousandth).
 * (Nor would more than k groups a unit help: the threshold would rise for all who are in k.)
 */
function weigh(noise: {
  readonly groupsPerUnit: bigint
  readonly variance: Rational
  readonly delta: Rational
}): Pick<WeightedKeysSpec, "weights" | "threshold"> {
  const { groupsPerUnit, variance, delta } = noise
  const missOf = (groups: bigint): Rational => divide(multiply(rational(2n), delta), rational(groups))
  const least = lengthWithin(groupsPerUnit)
  let threshold = least + gaussianHalfWidth(variance, missOf(groupsPerUnit)) + 1n
  const weights: KeyWeight[] = []
  for (let from = 1n; from <= groupsPerUnit;) {
    const last = from + (from - 1n) / apart
    const groups = last < groupsPerUnit ? last : groupsPerUnit
    const long = lengthWithin(groups)
    // Doubles tell where the threshold is far enough for any doubt of theirs.
    const guess = guessNormalWidth(numberNear(variance), numberNear(missOf(groups)) / 2)
    const isFar = long + guess + guess / 1024n < threshold
    const most = isFar ? long : threshold - gaussianHalfWidth(variance, missOf(groups)) - 1n
    weights.push({ groups, weight: long < most ? long : most })
    from = groups + 1n
  }
  // What rounding up leaves to be done, in all but the rarest cases nothing.
  while (compare(lonePassUp({ weights, variance }, threshold), delta) > 0)
    threshold += 1n + threshold / 65_536n
  return { weights, threshold }
}

/** The most that can be added to so many groups at a length of at most S. */
function lengthWithin(groups: bigint): bigint {
  return integerSqrt((whole * whole) / groups)
}

/**
 * The most that the square of the length of all weights can change. A unit in n groups changes n coordinates
 * by its weight. Two units that are exchanged change coordinates by u - v with u, v >= 0, so |u - v|^2 =
 * |u|^2 + |v|^2 - 2 uv is at most the sum of the two.
 */
function changeSquared(weights: readonly KeyWeight[], neighbours: Neighbours): bigint {
  const squares = weights.map(({ groups, weight }) => groups * weight * weight)
  const most = squares.reduce((a, b) => (a > b ? a : b), 0n)
  return neighbours === "replace" ? 2n * most : most
}

/**
 * Decides for each key, by the weights of its units, whether it is shown; returns the places of those that
 * are.
 *
 * Guarantee: the loss is weightedKeysLoss(spec), for the list returned.
 * Needs: every key holds at least one unit (checked here: a weight is at least 1); a unit that is in n keys
 *   adds to each of them no more than the weight of the first row with groups >= n, and is in at most as
 *   many as the last row says; keys are named by the caller only where they are in the list, and in an order
 *   that does not depend on the others (the caller).
 * Proof: see weightedKeysLoss.
 * Numerics: exact draws; integer comparisons.
 * Source: as weightedKeysLoss.
 */
export function releaseWeightedKeys(
  spec: WeightedKeysSpec,
  weights: readonly bigint[],
  rng: RandomBits,
): { readonly key: number }[] {
  if (weights.some((weight) => weight < 1n)) {
    const [name, range] = ["weight of a key", "the integers from 1"]
    fail("parameter/out-of-range", { name, got: "less than 1", range })
  }
  const { variance } = spec
  const noisy = addNoise(weights, {
    scale: Math.sqrt(numberNear(variance)),
    fill: (out) => fillRoundedGaussian(out, variance, rng),
    sample: () => sampleRoundedGaussian(variance, rng),
  })
  return noisy.flatMap((weight, key) => (weight >= spec.threshold ? [{ key }] : []))
}

/**
 * What weighted selection loses.
 *
 * Guarantee: zCDP with delta, GDP with delta, and (epsilon, delta) at the epsilon of the spec, if it has one.
 * Needs: as releaseWeightedKeys.
 * Proof: unless a key that only one unit holds is shown, which has the probability delta, the output is that
 *   of the Gaussian mechanism on weights: weighted-keys.proof.md.
 * Numerics: p and the delta at an epsilon are rounded up; rho and mu squared are exact.
 * Source: Gopi, Gulhane, Kulkarni, Shen, Shokouhi, Yekhanin 2020, section 5 (weighted Gaussian); rows of
 *   weights, integers and the sum over a unit's own keys are ours.
 */
export function weightedKeysLoss(spec: WeightedKeysSpec): Losses {
  const { variance, weights, neighbours, epsilon } = spec
  const delta = lonePassUp(spec, spec.threshold)
  const muSquared = divide(rational(changeSquared(weights, neighbours)), variance)
  const total = epsilon === undefined ? undefined : add(gaussianDeltaUp(muSquared, epsilon), delta)
  return {
    ...(epsilon === undefined || total === undefined
      ? {}
      : { approx: { measure: "approx", epsilon, delta: roundUp(total) } }),
    zcdp: { measure: "zcdp", rho: divide(muSquared, rational(2n)), delta },
    gdp: { measure: "gdp", muSquared, delta },
  }
}

/**
 * The size from which on a group is shown with probability at least 1 - miss, of units that are in as many
 * groups as they may be: all others count for no less.
 */
export function weightedKeysError(spec: WeightedKeysSpec, miss: Rational): KeyError {
  const least = spec.weights.at(-1)?.weight ?? 0n
  assert(least > 0n, "weights are positive")
  const twice = multiply(rational(2n), miss)
  const more = compare(twice, one) >= 0 ? 0n : gaussianHalfWidth(spec.variance, twice)
  return { kind: "keys", shownFrom: (spec.threshold + more + least - 1n) / least }
}

type Weighing = Pick<WeightedKeysSpec, "weights" | "variance">

// The same few thresholds are asked for again and again, and each tail takes a while.
const kept = new Map<string, Rational>()

/** The probability that one of a unit's own keys is shown, rounded up: the most over all rows. */
function lonePassUp({ weights, variance }: Weighing, threshold: bigint): Rational {
  const rows = weights.map(({ groups, weight }) => `${groups} ${weight}`)
  const key = [showRational(variance), threshold, ...rows].join(" ")
  const known = kept.get(key)
  if (known !== undefined) return known
  const pass = weights
    .map(({ groups, weight }) => {
      const rise = threshold - weight
      return multiply(rational(groups), rise <= 0n ? one : gaussianTailUp(variance, rise))
    })
    .reduce((a, b) => (compare(a, b) >= 0 ? a : b), zero)
  if (kept.size >= 64) kept.clear()
  const up = roundUp(pass)
  kept.set(key, up)
  return up
}
