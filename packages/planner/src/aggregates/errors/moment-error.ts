// How far noise may carry what is read from a vector of moments: known before anything is paid.

import {
  add,
  compare,
  divide,
  maximum,
  multiply,
  rational,
  rationalOfNumber,
  sqrtUp,
  square,
  subtract,
  zero,
  type Rational,
} from "@dosimeter/core/exact"
import { errorOf } from "@dosimeter/core/mechanisms"
import type { LinearReading, MeasuredColumn } from "@dosimeter/proof/algebra/measurement"
import { factorsOf, stepOf, type Moments } from "@dosimeter/proof/algebra/moment-reading"

/** Which number of a vector is read. */
export interface MomentReading extends Pick<LinearReading, "isWhole"> {
  readonly of: MeasuredColumn["of"]
}

/** The half width of a number at a confidence: hardly less than what its interval will have. */
export function momentHalfWidth(
  plan: Moments,
  { of, isWhole }: MomentReading,
  confidence: Rational,
): Rational {
  const factors = factorsOf(plan, of).filter(({ numerator }) => numerator !== 0n)
  const rounding = isWhole ? divide(stepOf(plan, of), rational(2n)) : zero
  return add(rounding, halfWidthOf(plan.strategy.spec, factors, confidence))
}

/**
 * The half width of a mean times its number of values, wherever it lies: where it is m it has the noise of
 * sum - m number, and that is largest at an end of the range.
 */
export function meanHalfWidth(plan: Moments, confidence: Rational): Rational {
  const [sums, rows] = [factorsOf(plan, "values"), factorsOf(plan, "rows")]
  const widths = [plan.strategy.lower, plan.strategy.upper].map((end) => {
    const at = multiply(rational(end), plan.grid)
    const factors = sums.map((factor, draw) => subtract(factor, multiply(rows[draw] ?? zero, at)))
    return halfWidthOf(
      plan.strategy.spec,
      factors.filter(({ numerator }) => numerator !== 0n),
      confidence,
    )
  })
  return widths.reduce(maximum, zero)
}

/** The half width of a sum of draws, each with a factor. */
export function halfWidthOf(
  spec: Moments["strategy"]["spec"],
  factors: readonly Rational[],
  confidence: Rational,
): Rational {
  const half = (sure: Rational): Rational => rational(errorOf(spec, sure).halfWidth)
  if (spec.kind === "gaussian") {
    return multiply(half(confidence), sqrtUp(factors.map(square).reduce(add, zero)))
  }
  // Each draw by itself, with an equal part of the miss.
  const miss = subtract(rational(1n), confidence)
  const each = subtract(rational(1n), divide(miss, rational(BigInt(Math.max(1, factors.length)))))
  return multiply(half(each), factors.map(sizeOf).reduce(add, zero))
}

/** The variance of the noise in a number. */
export function momentVariance(plan: Moments, of: MeasuredColumn["of"]): Rational {
  const { standardDeviation } = errorOf(plan.strategy.spec, rational(1n, 2n))
  const each = square(rationalOfNumber(standardDeviation))
  return multiply(each, factorsOf(plan, of).map(square).reduce(add, zero))
}

function sizeOf(value: Rational): Rational {
  return compare(value, zero) < 0 ? subtract(zero, value) : value
}
