// Quotients of released values: ratios, rates per 1,000, age-standardised rates. A quotient of noisy numbers
// has no variance in the strict sense and may have no sensible value at all; Fieller's interval says so when
// it happens.

import { fail } from "../../errors/errors.ts"
import { scaleEstimate } from "../estimates/arithmetic.ts"
import { finite, greaterThanZero, notNegative, openUnit } from "../estimates/check.ts"
import { checkEstimate, intervalOf, type Estimate, type Interval } from "../estimates/estimate.ts"
import { mixedLaw } from "../estimates/joint.ts"
import { normalUpper } from "../estimates/normal-quantile.ts"

/** A quotient to be taken. */
export interface Quotient {
  readonly numerator: Estimate
  readonly denominator: Estimate
  /** The covariance of the two where they share noise; 0 otherwise. */
  readonly covariance?: number
}

/** A quotient with its interval. */
export interface RatioEstimate {
  /** Undefined where a denominator is 0. */
  readonly value: number | undefined
  /**
   * By the delta method, so approximate; good only where the denominator is many standard
   * deviations from 0.
   */
  readonly variance: number
  /** The whole line where the denominator cannot be told from 0 at this confidence. */
  readonly interval: Interval
}

/**
 * The ratio of two released values.
 *
 * Bias: the ratio is biased by about (value * Var D - Cov) / D^2; a public denominator adds none.
 * Intervals: with a public denominator, as the numerator's. Otherwise Fieller's: exact for jointly normal
 * noise, approximate for other laws. Where D^2 <= z^2 Var D, Fieller's set is unbounded, and the whole line,
 * which holds it, is returned as conservative.
 *
 * Fieller (1954): N - t D has mean 0 at the true ratio t and variance Var N - 2 t Cov + t^2 Var D, so the set
 * of t with (N - t D)^2 <= z^2 (that variance) covers the true one exactly as often as z says. It is the
 * quadratic a t^2 - 2 b t + c <= 0 with a = D^2 - z^2 Var D, b = N D - z^2 Cov, c = N^2 - z^2 Var N.
 */
export function ratioOf(quotient: Quotient, confidence: number): RatioEstimate {
  const { numerator, denominator, covariance = 0 } = checkQuotient(quotient)
  openUnit(confidence, "confidence")
  const bottom = denominator.value
  if (denominator.variance === 0 && bottom !== 0) {
    const scaled = scaleEstimate(numerator, 1 / bottom)
    return { value: scaled.value, variance: scaled.variance, interval: intervalOf(scaled, confidence) }
  }
  const value = bottom === 0 ? undefined : numerator.value / bottom
  const variance = deltaVariance(quotient)
  const zSquared = normalUpper((1 - confidence) / 2) ** 2
  const a = bottom * bottom - zSquared * denominator.variance
  if (!(a > 0)) return { value, variance, interval: wholeLine(confidence) }
  const b = numerator.value * bottom - zSquared * covariance
  const c = numerator.value ** 2 - zSquared * numerator.variance
  const root = Math.sqrt(Math.max(0, b * b - a * c))
  const exactness = mixedLaw([numerator, denominator]) === "gaussian" ? "exact" : "approximate"
  return {
    value,
    variance,
    interval: { lower: (b - root) / a, upper: (b + root) / a, confidence, exactness },
  }
}

/** A ratio per so many: cases per 1,000 people. Bias and interval as ratioOf, multiplied by `per`. */
export function ratePer(
  quotient: Quotient,
  { per, confidence }: { readonly per: number; readonly confidence: number },
): RatioEstimate {
  greaterThanZero(per, "per")
  const { value, variance, interval } = ratioOf(quotient, confidence)
  return {
    value: value === undefined ? undefined : value * per,
    variance: variance * per * per,
    interval: { ...interval, lower: interval.lower * per, upper: interval.upper * per },
  }
}

/** One age group: its cases, its people, and its share of the standard population, which is public. */
export interface Stratum extends Quotient {
  readonly weight: number
}

/**
 * A directly standardised rate: the mean of the strata's rates with public weights, which are made to sum to
 * 1. The strata must be independent of each other; within one, numerator and denominator may share noise.
 *
 * Bias: that of the ratios (see ratioOf), averaged.
 * Intervals: with public denominators exact for continuous Gaussian noise. Otherwise by the delta method, so
 * approximate; and the whole line where some denominator cannot be told from 0, all of them looked at
 * together (each at miss / strata, Bonferroni).
 */
export function standardisedRate(
  strata: readonly Stratum[],
  { per, confidence }: { readonly per: number; readonly confidence: number },
): RatioEstimate {
  greaterThanZero(per, "per")
  openUnit(confidence, "confidence")
  const total = strata.reduce((sum, { weight }, index) => sum + notNegative(weight, `weight ${index}`), 0)
  if (!(total > 0)) fail("parameter/empty", { name: "strata with a positive weight" })
  const used = strata.map(checkQuotient).filter(({ weight }) => weight > 0)
  const z = normalUpper((1 - confidence) / (2 * used.length))
  const isClear = used.every(
    ({ denominator }) => Math.abs(denominator.value) > z * Math.sqrt(denominator.variance),
  )
  const hasValue = used.every(({ denominator }) => denominator.value !== 0)
  const share = ({ weight }: Stratum): number => (weight / total) * per
  const value = used.reduce((sum, one) => sum + (share(one) * one.numerator.value) / one.denominator.value, 0)
  const variance = used.reduce((sum, one) => sum + share(one) ** 2 * deltaVariance(one), 0)
  if (!hasValue) return { value: undefined, variance: Infinity, interval: wholeLine(confidence) }
  if (!isClear) return { value, variance, interval: wholeLine(confidence) }
  const isLinear = used.every(({ denominator }) => denominator.variance === 0)
  const law = isLinear ? mixedLaw(used.map(({ numerator }) => numerator)) : "other"
  return { value, variance, interval: intervalOf({ value, variance, law }, confidence) }
}

/** Var(N/D) to first order: (Var N - 2 t Cov + t^2 Var D) / D^2 at t = N/D. */
function deltaVariance({ numerator, denominator, covariance = 0 }: Quotient): number {
  if (denominator.value === 0) return Infinity
  const t = numerator.value / denominator.value
  const spread = numerator.variance - 2 * t * covariance + t * t * denominator.variance
  return Math.max(0, spread) / denominator.value ** 2
}

function checkQuotient<Kind extends Quotient>(quotient: Kind): Kind {
  const { numerator, denominator, covariance = 0 } = quotient
  checkEstimate(numerator, "numerator")
  checkEstimate(denominator, "denominator")
  finite(covariance, "covariance")
  const limit = Math.sqrt(numerator.variance * denominator.variance)
  if (Math.abs(covariance) > limit * (1 + 1e-9)) {
    fail("postprocess/not-a-covariance", {
      what: "the covariance of a quotient exceeds what its variances allow",
    })
  }
  return quotient
}

function wholeLine(confidence: number): Interval {
  return { lower: -Infinity, upper: Infinity, confidence, exactness: "conservative" }
}
