// Between exact numbers and doubles, rounded to nearest as databases do, and doubles moved outward for
// intervals.

import { rational, rationalOfNumber, type Rational } from "@dosimeter/core/exact"
import type { Constant } from "@dosimeter/proof/catalog/constant"

const safe = BigInt(Number.MAX_SAFE_INTEGER)

/** NULL. */
export const nullConstant: Constant = { kind: "null" }

/** A number as a constant. */
export function numberConstant(value: Rational): Constant {
  return { kind: "number", value }
}

/** A whole number as a constant. */
export function wholeConstant(value: bigint): Constant {
  return { kind: "number", value: rational(value) }
}

/** True or false as a constant. */
export function booleanConstant(value: boolean): Constant {
  return { kind: "boolean", value }
}

/** A double as a constant; what is not finite has no value. */
export function floatConstant(value: number): Constant {
  return Number.isFinite(value) ? { kind: "number", value: rationalOfNumber(value) } : nullConstant
}

/** Whether a number is a whole one that doubles hold, as their neighbours are. */
export function isSafe({ numerator, denominator }: Rational): boolean {
  return denominator === 1n && numerator <= safe && -numerator <= safe
}

/** The largest double that is at most a - b. */
export function differenceDown(a: number, b: number): number {
  const rounded = a - b
  if (!Number.isFinite(rounded)) return rounded < 0 ? rounded : Number.MAX_VALUE
  // Knuth's error of a sum, which is exact.
  const part = rounded - a
  const error = a - (rounded - part) - (b + part)
  return error < 0 ? justBelow(rounded) : rounded
}

const double = new Float64Array(1)
const bits = new BigInt64Array(double.buffer)

function justBelow(value: number): number {
  if (value === 0) return -Number.MIN_VALUE
  double[0] = value
  bits[0] = (bits[0] ?? 0n) + (value > 0 ? -1n : 1n)
  return double[0] ?? value
}

/** A double that is at most the value, by a hair. */
export function lowered(value: number): number {
  return Number.isFinite(value) ? value - Math.abs(value) * 2 ** -52 - Number.MIN_VALUE : value
}

/** A double that is at least the value, by a hair. */
export function raised(value: number): number {
  return Number.isFinite(value) ? value + Math.abs(value) * 2 ** -52 + Number.MIN_VALUE : value
}
