// Key selection: which groups may be shown at all, when the group keys themselves come from the data. Three
// methods: optimal keep probabilities (the truncated geometric), and thresholds on a Laplace or Gaussian
// count. Only keys that hold at least one unit come in here. A unit is counted once a key, or, under a
// threshold, by its rows there, up to a bound: then the number of rows is what comes out.

import { approxToMu } from "../../accounting/conversions/gaussian-delta.ts"
import { fail } from "../../errors/errors.ts"
import { betweenZeroAndOne, positive, wholeNumber, type Numeric } from "../../exact/decimal.ts"
import {
  add,
  divide,
  multiply,
  one,
  rational,
  square,
  subtract,
  type Rational,
} from "../../exact/rational.ts"
import { roundDown, roundUp } from "../../exact/dyadic.ts"
import type { ApproxLoss, Losses } from "../../privacy/loss.ts"
import type { Neighbours } from "../../privacy/unit.ts"
import { bernoulli } from "../../random/bernoulli.ts"
import type { RandomBits } from "../../random/random-bits.ts"
import {
  countHalfWidth,
  countTailUp,
  releaseCounts,
  type CountNoise,
  type GaussianCounts,
  type LaplaceCounts,
} from "../additive/count-noise.ts"
import type { KeyError } from "../shared/error.ts"
import { gaussianDeltaUp } from "../additive/gaussian.ts"
import { keepProbabilities } from "./keep-probabilities.ts"
import { averagePass, lowerIfWithin, shownFrom, type KeyThreshold } from "./key-threshold.ts"
import { pureLosses, type PureLosses } from "../shared/pure-losses.ts"

interface KeyBounds {
  /** The most groups that one unit may be in. */
  readonly groupsPerUnit: bigint
  readonly neighbours: Neighbours
}

/**
 * Keeps a key of n units with the largest probability that (epsilon, delta) a key allows. No count comes out.
 */
export interface OptimalKeysSpec extends KeyBounds {
  readonly kind: "keys-optimal"
  readonly epsilonPerKey: Rational
  readonly deltaPerKey: Rational
}

/** What a threshold is held against. */
interface Counted {
  /** The most that one unit adds to the count of a key: 1 where units are counted, more where rows are. */
  readonly rowsPerGroup: bigint
}

/** Shows a key if its count with Laplace noise reaches the threshold, together with that noisy count. */
export interface LaplaceKeysSpec extends KeyBounds, Counted, KeyThreshold, LaplaceCounts {}

/** Shows a key if its count with Gaussian noise reaches the threshold, together with that noisy count. */
export interface GaussianKeysSpec extends KeyBounds, Counted, KeyThreshold, GaussianCounts {
  /** Where it is to be charged as (epsilon, delta): the epsilon at which the delta of the noise is taken. */
  readonly epsilon?: Rational
}

/** A method of key selection. */
export type KeySpec = OptimalKeysSpec | LaplaceKeysSpec | GaussianKeysSpec

/** What key selection is asked to keep. */
export interface KeyOptions {
  readonly epsilon: Numeric
  readonly delta: Numeric
  readonly groupsPerUnit: Numeric
  readonly neighbours: Neighbours
}

/** The same, where rows may be counted: at most so many of a unit in each key; 1 if it is left out. */
export interface CountedKeyOptions extends KeyOptions {
  readonly rowsPerGroup?: Numeric
}

/** Optimal keep probabilities: best for few groups per unit, when counts are not wanted with the keys. */
export function optimalKeys(options: KeyOptions): OptimalKeysSpec {
  const { epsilon, delta, bounds, changed } = readOptions(options)
  const epsilonPerKey = divide(epsilon, rational(changed))
  const deltaPerKey = divide(delta, rational(changed))
  keepProbabilities(epsilonPerKey, deltaPerKey)
  return { kind: "keys-optimal", ...bounds, epsilonPerKey, deltaPerKey }
}

/** A threshold on Laplace counts: the noisy counts come with the keys. */
export function laplaceKeys(options: CountedKeyOptions): LaplaceKeysSpec {
  const { epsilon, delta, bounds, changed } = readOptions(options)
  const rowsPerGroup = rowsOf(options)
  const scale = divide(rational(changed * rowsPerGroup), epsilon)
  return withThreshold({ kind: "keys-laplace", ...bounds, rowsPerGroup, scale }, delta)
}

/** A threshold on Gaussian counts: from about four groups per unit on, the best of the three. */
export function gaussianKeys(options: CountedKeyOptions): GaussianKeysSpec {
  const { epsilon, delta, bounds, changed } = readOptions(options)
  const rowsPerGroup = rowsOf(options)
  const half = divide(roundDown(delta), rational(2n))
  const mu = approxToMu(epsilon, half)
  const variance = divide(rational(changed * rowsPerGroup * rowsPerGroup), square(mu))
  return { ...gaussianKeysOfVariance({ ...bounds, rowsPerGroup, delta: half, variance }), epsilon }
}

/** A threshold on Gaussian counts of a given variance, with this delta for keys of a single unit. */
export function gaussianKeysOfVariance(options: {
  readonly variance: Numeric
  readonly delta: Numeric
  readonly groupsPerUnit: Numeric
  readonly rowsPerGroup?: Numeric
  readonly neighbours: Neighbours
}): GaussianKeysSpec {
  const variance = positive(options.variance, "variance")
  const groupsPerUnit = wholeNumber(options.groupsPerUnit, "groups per unit")
  const rowsPerGroup = rowsOf(options)
  const delta = betweenZeroAndOne(options.delta, "delta")
  const { neighbours } = options
  return withThreshold({ kind: "keys-gaussian", groupsPerUnit, neighbours, rowsPerGroup, variance }, delta)
}

// P(X > r) <= P(|X| > r) / 2 <= delta a key for the half width r at twice that: a key of one unit, which adds
// no more than rowsPerGroup, passes if X > r.
function withThreshold<Spec extends CountNoise & KeyBounds & Counted>(
  spec: Spec,
  delta: Rational,
): Spec & KeyThreshold {
  const miss = multiply(rational(2n), divide(delta, rational(spec.groupsPerUnit)))
  const whole = countHalfWidth(spec, miss) + spec.rowsPerGroup + 1n
  return { ...spec, ...lowerIfWithin(whole, (threshold) => lonePassesUp(spec, threshold), delta) }
}

function rowsOf({ rowsPerGroup = 1 }: Pick<CountedKeyOptions, "rowsPerGroup">): bigint {
  return wholeNumber(rowsPerGroup, "rows per group")
}

/** A key that may be shown, by its place in the list, with its noisy count where the method has one. */
export interface ShownKey {
  readonly key: number
  readonly count?: bigint
}

/**
 * Decides for each key, by its exact count of units or rows, whether it is shown; returns those that are. The
 * others are below the threshold, and that they exist at all is not told: how many there are would give away
 * keys that one unit holds.
 *
 * Guarantee: the loss is keyLoss(spec), for the list returned.
 * Needs: every key holds at least one unit (checked here); a unit is in at most groupsPerUnit keys, and adds
 *   one to the count of each, or from 0 to rowsPerGroup under a threshold; keys are named by the caller only
 *   where they are in the list, and in an order that does not depend on the others (the caller).
 * Proof: see keyLoss. The coins of the thresholds are drawn for all keys alike.
 * Numerics: exact draws; integer comparisons.
 * Source: as keyLoss.
 */
export function releaseKeys(spec: KeySpec, counts: readonly bigint[], rng: RandomBits): ShownKey[] {
  if (counts.some((count) => count < 1n)) {
    fail("parameter/out-of-range", {
      name: "count of a key",
      got: "less than 1",
      range: "the integers from 1",
    })
  }
  if (spec.kind === "keys-optimal") {
    const keep = keepProbabilities(spec.epsilonPerKey, spec.deltaPerKey)
    return counts.flatMap((count, key) => (bernoulli(keep.of(count), rng) ? [{ key }] : []))
  }
  const { threshold, lowerChance } = spec
  return releaseCounts(spec, counts, rng).flatMap((count, key) => {
    // A coin for every key, whatever its count.
    const isLower = bernoulli(lowerChance, rng)
    return count >= (isLower ? threshold - 1n : threshold) ? [{ key, count }] : []
  })
}

/**
 * What key selection loses.
 *
 * Guarantee: (epsilon, delta), zCDP with delta and GDP with delta, as returned.
 * Needs: as releaseKeys.
 * Proof: unless a key that only one unit holds is shown, which has the probability delta, the output is that
 *   of noisy counts that a unit changes by rowsPerGroup each at most: key-selection.proof.md.
 * Numerics: p, rho and the delta at an epsilon are rounded up; the rest is exact.
 * Source: Desfontaines, Voss, Gipson, Mandayam 2022, theorem 1; Korolova and others 2009; Wilson and others
 *   2020.
 */
export function keyLoss(spec: KeySpec): Losses {
  const count = changedKeys(spec)
  if (spec.kind === "keys-optimal") {
    return withDelta(pureLosses(spec.epsilonPerKey, { count }), multiply(rational(count), spec.deltaPerKey))
  }
  const delta = roundUp(averagePass(spec, (threshold) => lonePassesUp(spec, threshold)))
  const { rowsPerGroup } = spec
  if (spec.kind === "keys-laplace") {
    return withDelta(pureLosses(divide(rational(rowsPerGroup), spec.scale), { count }), delta)
  }
  const muSquared = divide(rational(count * rowsPerGroup * rowsPerGroup), spec.variance)
  return {
    ...approxOf(spec, muSquared, delta),
    zcdp: { measure: "zcdp", rho: divide(muSquared, rational(2n)), delta },
    gdp: { measure: "gdp", muSquared, delta },
  }
}

/** The loss of Gaussian keys as (epsilon, delta), at the epsilon of the spec, if it has one. */
function approxOf(
  { epsilon }: GaussianKeysSpec,
  muSquared: Rational,
  delta: Rational,
): { readonly approx?: ApproxLoss } {
  if (epsilon === undefined) return {}
  const total = add(gaussianDeltaUp(muSquared, epsilon), delta)
  return { approx: { measure: "approx", epsilon, delta: roundUp(total) } }
}

/** Losses that hold but for a probability of delta. */
function withDelta({ pure, zcdp, gdp }: PureLosses, delta: Rational): Losses {
  return {
    approx: { measure: "approx", epsilon: pure.epsilon, delta },
    zcdp: { ...zcdp, delta },
    ...(gdp === undefined ? {} : { gdp: { ...gdp, delta } }),
  }
}

/** The count, of units or rows, from which on a group is shown with probability at least 1 - miss. */
export function keyError(spec: KeySpec, miss: Rational): KeyError {
  if (spec.kind === "keys-optimal") {
    const keep = keepProbabilities(spec.epsilonPerKey, spec.deltaPerKey)
    return { kind: "keys", shownFrom: keep.reaches(subtract(one, miss)) }
  }
  const at = shownFrom(spec, miss, {
    tailUp: (rise) => countTailUp(spec, rise),
    halfWidth: (both) => countHalfWidth(spec, both),
  })
  return { kind: "keys", shownFrom: at }
}

/**
 * How many keys of a unit that nobody else holds pass a threshold on average, rounded up: at most, where the
 * unit has as many rows in each as count.
 */
function lonePassesUp(
  noise: CountNoise & Counted & Pick<KeyBounds, "groupsPerUnit">,
  threshold: bigint,
): Rational {
  const rise = threshold - noise.rowsPerGroup
  return multiply(rational(noise.groupsPerUnit), rise <= 0n ? one : countTailUp(noise, rise))
}

function changedKeys(bounds: KeyBounds): bigint {
  return bounds.neighbours === "replace" ? 2n * bounds.groupsPerUnit : bounds.groupsPerUnit
}

function readOptions(options: KeyOptions): {
  epsilon: Rational
  delta: Rational
  bounds: KeyBounds
  changed: bigint
} {
  const bounds = {
    groupsPerUnit: wholeNumber(options.groupsPerUnit, "groups per unit"),
    neighbours: options.neighbours,
  }
  return {
    epsilon: positive(options.epsilon, "epsilon"),
    delta: betweenZeroAndOne(options.delta, "delta"),
    bounds,
    changed: changedKeys(bounds),
  }
}
