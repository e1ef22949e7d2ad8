// The value that post-processing works on: a released number together with what is known of the noise in it.
// Intervals follow from that alone, and say whether they are exact.

import { fail } from "../../errors/errors.ts"
import { finite, greaterThanZero, notNegative, openUnit } from "./check.ts"
import { normalUpper } from "./normal-quantile.ts"

/** The law of the noise: normal, Laplace, or one that is not known in closed form (most combinations). */
export type NoiseLaw = "gaussian" | "laplace" | "other"

/** A released number: the exact value plus noise of mean 0. */
export interface Estimate {
  readonly value: number
  /** The variance of the noise; 0 for a public number. */
  readonly variance: number
  readonly law: NoiseLaw
  /**
   * The step of the grid that the noise lies on: 1 for integer noise. Absent where the noise
   * is continuous.
   */
  readonly grid?: number
}

/**
 * What an interval's confidence is worth: `exact` is the coverage under the noise's law (on a grid, the
 * narrowest interval that reaches it); `conservative` covers at least that often; `approximate` treats the
 * noise as normal.
 */
export type Exactness = "exact" | "conservative" | "approximate"

/** A range that holds the exact value with the stated confidence, over the noise. */
export interface Interval {
  readonly lower: number
  readonly upper: number
  readonly confidence: number
  readonly exactness: Exactness
}

/**
 * A value released by the Gaussian mechanism, `sigmaSquared` being the variance of its spec. With a grid the
 * noise is grid * round(Z / grid); its variance is sigmaSquared + grid^2 / 12 to a relative 1e-8 from sigma =
 * grid on, and less below.
 */
export function gaussianEstimate(released: {
  readonly value: number
  readonly sigmaSquared: number
  readonly grid?: number
}): Estimate {
  const variance = greaterThanZero(released.sigmaSquared, "sigmaSquared")
  const value = finite(released.value, "value")
  if (released.grid === undefined) return { value, variance, law: "gaussian" }
  const grid = greaterThanZero(released.grid, "grid")
  return { value, variance: variance + (grid * grid) / 12, law: "gaussian", grid }
}

/**
 * A value released by the Laplace mechanism of this scale. With a grid the noise is grid times a discrete
 * Laplace of scale / grid, of variance grid^2 / (2 sinh^2(grid / 2 scale)); without one it is 2 scale^2.
 */
export function laplaceEstimate(released: {
  readonly value: number
  readonly scale: number
  readonly grid?: number
}): Estimate {
  const scale = greaterThanZero(released.scale, "scale")
  const value = finite(released.value, "value")
  if (released.grid === undefined) return { value, variance: 2 * scale * scale, law: "laplace" }
  const grid = greaterThanZero(released.grid, "grid")
  const root = grid / Math.sinh(grid / (2 * scale))
  return { value, variance: greaterThanZero((root * root) / 2, "variance"), law: "laplace", grid }
}

/** A number without noise: a public total, a census figure, a known zero. */
export function publicEstimate(value: number): Estimate {
  return { value: finite(value, "value"), variance: 0, law: "gaussian" }
}

/**
 * The interval around a released value, symmetric about it.
 *
 * Exact for one Gaussian or Laplace value, continuous or on its grid; approximate (normal quantiles with the
 * true variance) for the law "other"; conservative for a Gaussian narrower than its grid. Unbiased in,
 * unbiased out: the centre is not moved.
 */
export function intervalOf(estimate: Estimate, confidence: number): Interval {
  const { value } = checkEstimate(estimate, "estimate")
  const { halfWidth, exactness } = halfWidthOf(estimate, 1 - openUnit(confidence, "confidence"))
  return { lower: value - halfWidth, upper: value + halfWidth, confidence, exactness }
}

/** The r with P(|noise| > r) = miss, or on a grid the least with P(|noise| > r) <= miss. */
export function halfWidthOf(
  { variance, law, grid }: Estimate,
  miss: number,
): { readonly halfWidth: number; readonly exactness: Exactness } {
  if (variance === 0) return { halfWidth: 0, exactness: "exact" }
  const deviation = Math.sqrt(variance)
  switch (law) {
    case "gaussian":
      if (grid !== undefined) return gridGaussian(variance, grid, miss)
      return { halfWidth: deviation * normalUpper(miss / 2), exactness: "exact" }
    case "laplace": {
      if (grid !== undefined) return { halfWidth: gridLaplace(variance, grid, miss), exactness: "exact" }
      return { halfWidth: (deviation / Math.SQRT2) * -Math.log(miss), exactness: "exact" }
    }
    case "other":
      return { halfWidth: deviation * normalUpper(miss / 2), exactness: "approximate" }
    default:
      return law satisfies never
  }
}

/** Checks the fields of an estimate; `name` says which one it is. */
export function checkEstimate(estimate: Estimate, name: string): Estimate {
  finite(estimate.value, `${name}'s value`)
  notNegative(estimate.variance, `${name}'s variance`)
  if (estimate.grid !== undefined) greaterThanZero(estimate.grid, `${name}'s grid`)
  if (!["gaussian", "laplace", "other"].includes(estimate.law)) {
    fail("parameter/out-of-range", {
      name: `${name}'s law`,
      got: `${estimate.law}`,
      range: "gaussian, laplace, other",
    })
  }
  return estimate
}

/**
 * P(|round(Z)| > n) = P(|Z| >= n + 1/2) in units of the grid, so n is the least integer from z sigma - 1/2
 * on. Sigma comes back from the variance by Sheppard's 1/12, which is good to 1e-8 from sigma = 1 on;
 * narrower noise is treated as if sigma were 1, which is wider, since P(|Z| >= r) grows with sigma.
 */
function gridGaussian(
  variance: number,
  grid: number,
  miss: number,
): { readonly halfWidth: number; readonly exactness: Exactness } {
  const sigmaSquared = variance / (grid * grid) - 1 / 12
  const isNarrow = sigmaSquared < 1 - 1e-9
  const sigma = isNarrow ? 1 : Math.sqrt(sigmaSquared)
  const steps = Math.max(0, Math.ceil(sigma * normalUpper(miss / 2) - 0.5))
  return { halfWidth: steps * grid, exactness: isNarrow ? "conservative" : "exact" }
}

/**
 * In units of the grid, P(|X| > n) = 2 q^(n+1) / (1 + q) with q = e^(-1/s), so n + 1 >= s ln(2 / (miss (1 +
 * q))); and s = 1 / (2 asinh(1 / sqrt(2 variance))), since the variance is 1 / (2 sinh^2(1 / 2s)).
 */
function gridLaplace(variance: number, grid: number, miss: number): number {
  const scale = 1 / (2 * Math.asinh(grid / Math.sqrt(2 * variance)))
  const q = Math.exp(-1 / scale)
  return grid * Math.max(0, Math.ceil(scale * Math.log(2 / (miss * (1 + q))) - 1))
}
