// The Gaussian mechanism: rounded normal noise on a vector of integers. Its parameter is the variance, which
// is what stays rational: rho = L2^2 / (2 variance) and mu^2 = L2^2 / variance are exact.

import { approxToMu, gdpToDelta } from "../../accounting/conversions/gaussian-delta.ts"
import { assert } from "../../errors/assert.ts"
import { fail } from "../../errors/errors.ts"
import { deltaOf, positive, showParameter, type Numeric } from "../../exact/decimal.ts"
import { numberNear, numberUp, roundUp } from "../../exact/dyadic.ts"
import { lnUp, sqrtUp } from "../../exact/log.ts"
import {
  compare,
  divide,
  isPositive,
  multiply,
  one,
  rational,
  square,
  subtract,
  zero,
  type Rational,
} from "../../exact/rational.ts"
import { fillRoundedGaussian, sampleRoundedGaussian } from "../../noise/rounded-gaussian.ts"
import type { Losses } from "../../privacy/loss.ts"
import { l2SquaredOf, type Sensitivity } from "../../privacy/sensitivity.ts"
import type { RandomBits } from "../../random/random-bits.ts"
import { addNoise } from "../shared/add-noise.ts"
import type { AdditiveError } from "../shared/error.ts"
import { gaussianHalfWidth, roundedMoments } from "../shared/gaussian-width.ts"

/** Normal noise of this variance, rounded to integers, on each coordinate. */
export interface GaussianSpec {
  readonly kind: "gaussian"
  readonly variance: Rational
  readonly sensitivity: Sensitivity
  /** Where it is to be charged as (epsilon, delta): the epsilon at which its delta is taken. */
  readonly epsilon?: Rational
}

/**
 * The least Gaussian noise that is (epsilon, delta)-private, for any epsilon: exact (analytic) calibration.
 */
export function gaussian(options: {
  readonly sensitivity: Sensitivity
  readonly epsilon: Numeric
  readonly delta: Numeric
}): GaussianSpec {
  const epsilon = positive(options.epsilon, "epsilon")
  const delta = positiveDelta(options.delta)
  const mu = approxToMu(epsilon, delta)
  return gaussianOfVariance({ ...options, variance: divide(l2Squared(options), square(mu)) })
}

/** The same, charged as (epsilon, delta). */
export function gaussianAt(options: Parameters<typeof gaussian>[0]): GaussianSpec {
  return { ...gaussian(options), epsilon: positive(options.epsilon, "epsilon") }
}

export { gaussianHalfWidth, gaussianTailUp } from "../shared/gaussian-width.ts"

/** The Gaussian mechanism with zCDP loss rho: variance L2^2 / (2 rho), exactly. */
export function gaussianOfRho(options: {
  readonly sensitivity: Sensitivity
  readonly rho: Numeric
}): GaussianSpec {
  const rho = positive(options.rho, "rho")
  return gaussianOfVariance({ ...options, variance: divide(l2Squared(options), multiply(rational(2n), rho)) })
}

/** The Gaussian mechanism with GDP loss mu: variance L2^2 / mu^2, exactly. */
export function gaussianOfMu(options: {
  readonly sensitivity: Sensitivity
  readonly mu: Numeric
}): GaussianSpec {
  const mu = positive(options.mu, "mu")
  return gaussianOfVariance({ ...options, variance: divide(l2Squared(options), square(mu)) })
}

/**
 * The textbook calibration, sigma = L2 sqrt(2 ln(1.25/delta)) / epsilon, for comparison only: `gaussian`
 * needs less noise for the same promise. Its proof is for epsilon below 1, and it fails for large epsilon, so
 * it is refused above 1; up to there the result is certified by the exact delta of its sigma, not believed.
 */
export function gaussianClassic(options: {
  readonly sensitivity: Sensitivity
  readonly epsilon: Numeric
  readonly delta: Numeric
}): GaussianSpec {
  const epsilon = positive(options.epsilon, "epsilon")
  const delta = positiveDelta(options.delta)
  if (compare(epsilon, one) > 0) fail("privacy/classic-gaussian-range", { epsilon: showParameter(epsilon) })
  const log = lnUp(divide(rational(5n, 4n), delta))
  const sigmaSquared = divide(multiply(rational(2n), log), square(epsilon))
  const reached = gdpToDelta(sqrtUp(divide(one, sigmaSquared)), epsilon)
  assert(compare(reached, delta) <= 0, "the textbook sigma keeps its promise up to epsilon 1")
  return gaussianOfVariance({ ...options, variance: multiply(l2Squared(options), sigmaSquared) })
}

/** The Gaussian mechanism with a given variance. */
export function gaussianOfVariance(options: {
  readonly sensitivity: Sensitivity
  readonly variance: Numeric
}): GaussianSpec {
  const variance = positive(options.variance, "variance")
  l2Squared(options)
  return { kind: "gaussian", variance, sensitivity: options.sensitivity }
}

/**
 * Adds independent rounded normal noise to every coordinate.
 *
 * Guarantee: the loss is gaussianLoss(spec).
 * Needs: neighbours change `exact` by no more than spec.sensitivity (proved by whoever made it).
 * Proof: x + round(Z) = round(x + Z) for an integer x: a post-processing of the continuous Gaussian
 *   mechanism.
 * Numerics: integers plus exact integer noise; nothing else is rounded.
 * Source: Dwork, Kenthapadi, McSherry, Mironov, Naor 2006.
 */
export function releaseGaussian(spec: GaussianSpec, exact: readonly bigint[], rng: RandomBits): bigint[] {
  return addNoise(exact, {
    scale: Math.sqrt(numberNear(spec.variance)),
    fill: (out) => fillRoundedGaussian(out, spec.variance, rng),
    sample: () => sampleRoundedGaussian(spec.variance, rng),
  })
}

/**
 * What the Gaussian mechanism loses.
 *
 * Guarantee: rho-zCDP with rho = L2^2 / (2 variance); mu-GDP with mu^2 = L2^2 / variance; at the epsilon of
 *   the spec, if it has one, (epsilon, delta) with the delta that is returned.
 * Needs: the sensitivity's patterns cover every unit (boundedSensitivity).
 * Proof: of the continuous mechanism (the sources), of which this one is a post-processing (releaseGaussian).
 *   The delta at an epsilon is that of mu-GDP (gdpToDelta).
 * Numerics: rho and mu^2 are exact fractions; delta is rounded up.
 * Source: Bun and Steinke 2016, proposition 1.6; Dong, Roth, Su 2022, theorem 1 and corollary 1.
 */
export function gaussianLoss(spec: GaussianSpec): Losses {
  const muSquared = divide(rational(l2SquaredOf(spec.sensitivity)), spec.variance)
  const { epsilon } = spec
  const delta = epsilon === undefined ? undefined : roundUp(gaussianDeltaUp(muSquared, epsilon))
  return {
    ...(epsilon === undefined || delta === undefined
      ? {}
      : { approx: { measure: "approx", epsilon, delta } }),
    zcdp: { measure: "zcdp", rho: divide(muSquared, rational(2n)), delta: zero },
    gdp: { measure: "gdp", muSquared, delta: zero },
  }
}

/** The delta of Gaussian noise at an epsilon, given its GDP loss; rounded up (gdpToDelta). */
export function gaussianDeltaUp(muSquared: Rational, epsilon: Rational): Rational {
  return gdpToDelta(sqrtUp(muSquared), epsilon)
}

/** The error of each coordinate. */
export function gaussianError(spec: GaussianSpec, confidence: Rational): AdditiveError {
  const sigma = Math.sqrt(numberUp(spec.variance))
  const meanAbsolute = sigma * Math.sqrt(2 / Math.PI)
  return {
    kind: "additive",
    halfWidth: gaussianHalfWidth(spec.variance, subtract(one, confidence)),
    ...roundedMoments(spec.variance, sigma),
    continuous: { standardDeviation: sigma, meanAbsolute },
  }
}

function l2Squared(options: { readonly sensitivity: Sensitivity }): Rational {
  return rational(l2SquaredOf(options.sensitivity))
}

function positiveDelta(value: Numeric): Rational {
  const delta = deltaOf(value)
  if (!isPositive(delta)) fail("parameter/not-positive", { name: "delta", got: "0" })
  return delta
}
