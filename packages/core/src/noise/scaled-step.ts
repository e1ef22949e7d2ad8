// A scale divided by 64, taken apart so that its product with a short number is exact in doubles.

import { numberDown, numberNear, rationalOfNumber } from "../exact/dyadic.ts"
import { divide, rational, square, subtract, type Rational } from "../exact/rational.ts"

/** scale / 64 = (high + low) (1 + e) with |e| <= error, and `high` has at most 23 significant bits. */
export interface ScaledStep {
  readonly high: number
  readonly low: number
  readonly whole: number
  readonly error: number
}

/** From here on a double's 53 bits are too few, and `low` is computed from the exact scale. */
const refineFrom = 2 ** 30

/** scale / 64 for a rational scale. */
export function stepOfScale(scale: Rational): ScaledStep {
  // Three roundings at most: |e| <= 3 * 2^-53 + ...
  const whole = numberNear(scale) / 64
  const step = split(whole)
  if (!(whole > refineFrom / 64) || !Number.isFinite(whole)) return step
  const rest = subtract(divide(scale, rational(64n)), rationalOfNumber(step.high))
  return { ...step, low: nearNumber(rest), error: 2 ** -70 }
}

/** sqrt(variance) / 64 for a rational variance. */
export function stepOfVariance(variance: Rational): ScaledStep {
  const approximate = numberNear(variance)
  const root = Math.sqrt(approximate)
  // ECMAScript does not fix the last bits of sqrt, so it is checked; if it fails, every draw is exact but
  // slow.
  const isNear = Math.abs(root * root - approximate) <= approximate * 2 ** -51
  const step = split(isNear ? root / 64 : Number.NaN)
  if (!(step.whole > refineFrom / 64) || !Number.isFinite(step.whole)) return step
  // s - high = (s^2 - high^2) / (s + high), with s = sqrt(variance) / 64.
  const difference = subtract(divide(variance, rational(4096n)), square(rationalOfNumber(step.high)))
  return { ...step, low: nearNumber(difference) / (step.whole + step.high), error: 2 ** -70 }
}

/** Veltkamp's split: the high part has at most 23 bits, and high + low is `whole` exactly. */
function split(whole: number): ScaledStep {
  const spread = whole * (2 ** 30 + 1)
  const high = spread - (spread - whole)
  return { high, low: whole - high, whole, error: 2 ** -50 }
}

/** A double within one unit in its last place of `value`. */
function nearNumber(value: Rational): number {
  return numberDown(value)
}

/**
 * floor(step * (x + d) + rest) for every 0 <= d < `width` / step, in doubles if they can tell.
 *
 * x has at most 30 significant bits, so x * high is exact; `margin` covers the rounding of the rest and the
 * error of the step. The sums below 2^53 are exact.
 */
export function floorOfProduct(step: ScaledStep, x: number, rest: number, width: number): number | undefined {
  const high = x * step.high
  const low = x * step.low + rest
  const floor = Math.floor(high)
  const sum = high - floor + low
  const carry = Math.floor(sum)
  const margin = high * step.error + (Math.abs(sum) + Math.abs(low) + 1) * 2 ** -50
  const isCertain = sum - carry >= margin && sum - carry + width + margin < 1
  return isCertain && floor + carry < 2 ** 53 ? floor + carry : undefined
}
