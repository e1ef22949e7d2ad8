// Losses as whole numbers of one fixed unit, so that a sum of a million charges is as short as one of them
// and is compared without rounding.

import { assert } from "@dosimeter/core/errors"
import {
  decimalExponent,
  ceil,
  compare,
  floor,
  multiply,
  numberDown,
  numberUp,
  parseDecimal,
  rational,
  showParameter,
  type Rational,
} from "@dosimeter/core/exact"

/**
 * Units in 1. Decimals of up to 40 places, fractions of thirds and sevenths, and binary fractions of up to
 * 200 places (where limits and scales come from) are whole numbers of units: a tenth, ten times, is one. A
 * plain power of two would round a tenth up, and the tenth tenth would not fit. Delta has the same unit:
 * 2^-200 is a whole number of units, so no delta that anybody would state is rounded to another size.
 */
export const unitsPerOne: bigint = 2n ** 200n * 105n ** 40n

const scale = rational(unitsPerOne)

/** The least number of units that is no less than `value`: for charges. */
export function unitsUp(value: Rational): bigint {
  assert(value.denominator > 0n && value.numerator >= 0n, "a charge is not negative")
  const { numerator, denominator } = value
  if (isOnGrid(value)) return numerator * (unitsPerOne / denominator)
  return ceil(multiply(value, scale))
}

/** The greatest number of units that is no more than `value`: for limits. */
export function unitsDown(value: Rational): bigint {
  assert(value.denominator > 0n && value.numerator >= 0n, "a limit is not negative")
  return floor(multiply(value, scale))
}

/** The fraction that a number of units is. */
export function ofUnits(units: bigint): Rational {
  return rational(units, unitsPerOne)
}

/** Whether a fraction is a whole number of units. */
export function isOnGrid({ denominator }: Rational): boolean {
  return denominator > 0n && unitsPerOne % denominator === 0n
}

/** The least fraction on the grid of units that is no less than `value`; itself if it is on the grid. */
export function chargedAs(value: Rational): Rational {
  return isOnGrid(value) ? rational(value.numerator, value.denominator) : ofUnits(unitsUp(value))
}

/** A decimal of about six digits that is no more than `value`: a charge of the amount shown fits. */
export function showDown(value: Rational): string {
  // Nobody can ask for an amount that is too small for a double.
  if (numberDown(value) === 0) return "0"
  const near = showParameter(value)
  return near.length <= 14 && compareText(near, value) <= 0 ? near : decimal(value, 6, floor)
}

/** A decimal that is no less than `value`: what was lost is never shown as less. */
export function showUp(value: Rational): string {
  // The least double, 2^-1074, is below 5e-324, as which it is written.
  if (numberDown(value) === 0) return `${numberUp(value)}`
  const near = showParameter(value)
  return compareText(near, value) >= 0 ? near : decimal(value, 12, ceil)
}

/** To so many digits, or one more or less; at most 15, so that a double keeps them. */
function decimal(value: Rational, digits: number, round: (value: Rational) => bigint): string {
  const exponent = decimalExponent(numberDown(value)) + 1 - digits
  const power = 10n ** BigInt(Math.abs(exponent))
  const kept = round(multiply(value, exponent > 0 ? rational(1n, power) : rational(power)))
  return `${Number(`${kept}e${exponent}`)}`
}

function compareText(text: string, value: Rational): number {
  return compare(parseDecimal(text, "an amount"), value)
}
