// Counts are not negative, and people expect to see none that are. Clamping is the projection onto x >= 0; it
// makes every value better or leaves it, and the mean of small ones too large.

import { fail } from "../../errors/errors.ts"
import { allFinite } from "./check.ts"
import { checkEstimate, intervalOf, type Estimate, type Interval } from "./estimate.ts"

/**
 * Clamps values at 0.
 *
 * Guarantee: no value moves away from an exact value that is not negative.
 * Bias: upward, at most what `clampingBias` says, most at an exact value of 0; sums of many small values show
 * it. Sum the values before, not after, or use `projectOntoSimplex`.
 * Needs: finite values (checked).
 * Proof: a value below 0 moves up to 0, which lies between it and every value that is not negative.
 * Numerics: exact: a value is returned as it is, or 0.
 * Source: elementary.
 */
export function clampAtZero(values: readonly number[]): number[] {
  return allFinite(values, "value").map((value) => Math.max(0, value))
}

/** A clamped value: its interval is cut, not moved. */
export interface ClampedEstimate {
  readonly value: number
  readonly interval: Interval
  /** The most that clamping adds on average, over all exact values from 0 on. */
  readonly biasMax: number
}

/** Clamps a released value at 0 and cuts its interval. The interval covers as often as before, at least. */
export function clampEstimate(estimate: Estimate, confidence: number): ClampedEstimate {
  const interval = intervalOf(estimate, confidence)
  return {
    value: Math.max(0, estimate.value),
    interval: cutInterval(interval, { lower: 0, upper: Infinity }),
    biasMax: clampingBias(estimate),
  }
}

/**
 * The most that clamping at 0 adds on average: E max(0, X) for noise X, reached at an exact value of 0 and
 * falling from there (its slope in the exact value is -P(X < -value)).
 *
 * Exact for continuous Gaussian noise, sigma / sqrt(2 pi), and for continuous Laplace noise, sigma / sqrt(8).
 * For every other law of mean 0 an upper bound: E max(0, X) = E|X| / 2 <= sigma / 2.
 */
export function clampingBias(estimate: Estimate): number {
  const { variance, law, grid } = checkEstimate(estimate, "estimate")
  const sigma = Math.sqrt(variance)
  if (grid !== undefined || law === "other") return sigma / 2
  return law === "gaussian" ? sigma / Math.sqrt(2 * Math.PI) : sigma / Math.sqrt(8)
}

/**
 * Cuts an interval to a range that is known to hold the exact value. It then covers exactly as often as
 * before; one that misses the range altogether shrinks to the nearest end of it, which can only add coverage.
 */
export function cutInterval(
  interval: Interval,
  range: { readonly lower: number; readonly upper: number },
): Interval {
  if (!(range.lower <= range.upper)) {
    const got = `${range.lower} to ${range.upper}`
    fail("parameter/out-of-range", { name: "the range's lower end", got, range: "up to its upper end" })
  }
  const inside = (end: number): number => Math.min(range.upper, Math.max(range.lower, end))
  return { ...interval, lower: inside(interval.lower), upper: inside(interval.upper) }
}
