// Short decimals, rounded in a stated direction: an epsilon that a person can say aloud.

import { exponentOf } from "../exact/dyadic.ts"
import { ceil, compare, divide, floor, multiply, rational, type Rational } from "../exact/rational.ts"

/** A multiple of a power of ten. */
interface Decimal {
  readonly count: bigint
  readonly unit: Rational
}

/** The least decimal of this many significant digits that is at least `value` > 0. */
export function decimalUp(value: Rational, digits: number): Rational {
  const { unit } = placed(value, digits)
  return multiply(rational(ceil(divide(value, unit))), unit)
}

/** The greatest decimal of this many significant digits that is at most `value` > 0. */
export function decimalDown(value: Rational, digits: number): Rational {
  const { count, unit } = placed(value, digits)
  return multiply(rational(count), unit)
}

/** The first decimal from `start` up at which a condition holds that holds from some value on. */
export function leastDecimal(start: Rational, digits: number, holds: (value: Rational) => boolean): Rational {
  let value = decimalUp(start, digits)
  while (!holds(value)) value = decimalUp(multiply(value, aHairAbove(digits)), digits)
  return value
}

/** The first decimal from `start` down at which a condition holds that holds up to some value. */
export function greatestDecimal(
  start: Rational,
  digits: number,
  holds: (value: Rational) => boolean,
): Rational {
  let value = decimalDown(start, digits)
  while (!holds(value)) value = decimalDown(divide(value, aHairAbove(digits)), digits)
  return value
}

/** floor(value / unit), for the power of ten with `digits` digits in it. */
function placed(value: Rational, digits: number): Decimal {
  // log10(2) = 0.3010299956..., rounded so that the guess is right or one too small, never too large.
  const exponent = exponentOf(value)
  const guess = Math.floor(exponent * (exponent > 0 ? 0.3010299 : 0.30103)) - digits + 1
  const low = powerOfTen(guess)
  const limit = rational(10n ** BigInt(digits))
  const unit = compare(divide(value, low), limit) < 0 ? low : powerOfTen(guess + 1)
  return { count: floor(divide(value, unit)), unit }
}

/** Less than one unit of the last digit more. */
function aHairAbove(digits: number): Rational {
  const many = 10n ** BigInt(digits + 1)
  return rational(many + 1n, many)
}

function powerOfTen(exponent: number): Rational {
  return exponent >= 0 ? rational(10n ** BigInt(exponent)) : rational(1n, 10n ** BigInt(-exponent))
}
