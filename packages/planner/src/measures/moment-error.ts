// How far noise may carry what is read from a vector of moments: known before anything is paid.

import { errorOf } from "@dosimeter/core"
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
import { factorsOf, stepOf } from "@dosimeter/proof/algebra/moment-reading"
import type { MomentReading, MomentsPlan } from "@dosimeter/proof/algebra/release-plan"

/** The half width of a number at a confidence: hardly less than what its interval will have. */
export function momentHalfWidth(
  plan: MomentsPlan,
  { reads, isWhole }: MomentReading,
  confidence: Rational,
): Rational {
  const factors = factorsOf(plan, reads).filter(({ numerator }) => numerator !== 0n)
  const rounding = isWhole ? divide(stepOf(plan, reads), rational(2n)) : zero
  return add(rounding, combined(plan, factors, confidence))
}

/**
 * The half width of a mean times its number of values, wherever it lies: where it is m it has the noise of
 * sum - m number, and that is largest at an end of the range.
 */
export function meanHalfWidth(plan: MomentsPlan, confidence: Rational): Rational {
  const [sums, rows] = [factorsOf(plan, "sum"), factorsOf(plan, "rows")]
  const widths = [plan.lower, plan.upper].map((end) => {
    const at = multiply(rational(end), plan.grid)
    const factors = sums.map((factor, draw) => subtract(factor, multiply(rows[draw] ?? zero, at)))
    return combined(
      plan,
      factors.filter(({ numerator }) => numerator !== 0n),
      confidence,
    )
  })
  return widths.reduce(maximum, zero)
}

function combined({ spec }: MomentsPlan, factors: readonly Rational[], confidence: Rational): Rational {
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
export function momentVariance(plan: MomentsPlan, reads: MomentReading["reads"]): Rational {
  const { standardDeviation } = errorOf(plan.spec, rational(1n, 2n))
  const each = square(rationalOfNumber(standardDeviation))
  return multiply(each, factorsOf(plan, reads).map(square).reduce(add, zero))
}

function sizeOf(value: Rational): Rational {
  return compare(value, zero) < 0 ? subtract(zero, value) : value
}
