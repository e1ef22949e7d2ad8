// Fractions of big integers: the currency of every privacy parameter. Always in lowest terms with a positive
// denominator, so equal values have equal fields and a plan that holds them can be hashed.

import { assert } from "../errors/assert.ts"

/** An exact fraction. Made by `rational` and the functions here, never by hand. */
export interface Rational {
  readonly numerator: bigint
  /** Greater than 0; 1 for integers. */
  readonly denominator: bigint
}

/** The fraction numerator / denominator in lowest terms. */
export function rational(numerator: bigint, denominator = 1n): Rational {
  assert(denominator !== 0n, "a denominator is not 0")
  if (denominator === 1n) return { numerator, denominator }
  const sign = denominator < 0n ? -1n : 1n
  const divisor = greatestCommonDivisor(numerator, denominator)
  return { numerator: (sign * numerator) / divisor, denominator: (sign * denominator) / divisor }
}

/** 0 and 1, for comparisons. */
export const zero: Rational = rational(0n)
/** The integer 1. */
export const one: Rational = rational(1n)

/** a + b. */
export function add(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator)
}

/** a - b. */
export function subtract(a: Rational, b: Rational): Rational {
  return add(a, negate(b))
}

/** a * b. */
export function multiply(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.numerator, a.denominator * b.denominator)
}

/** a / b; b is not 0. */
export function divide(a: Rational, b: Rational): Rational {
  assert(b.numerator !== 0n, "a divisor is not 0")
  return rational(a.numerator * b.denominator, a.denominator * b.numerator)
}

/** -a. */
export function negate(a: Rational): Rational {
  return { numerator: -a.numerator, denominator: a.denominator }
}

/** a squared. */
export function square(a: Rational): Rational {
  return { numerator: a.numerator * a.numerator, denominator: a.denominator * a.denominator }
}

/** Negative, 0 or positive as a is less than, equal to or greater than b. */
export function compare(a: Rational, b: Rational): number {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** Is a < b? */
export function isLess(a: Rational, b: Rational): boolean {
  return compare(a, b) < 0
}

/** Is a > 0? */
export function isPositive(a: Rational): boolean {
  return a.numerator > 0n
}

/** The smaller of two. */
export function minimum(a: Rational, b: Rational): Rational {
  return compare(a, b) <= 0 ? a : b
}

/** The larger of two. */
export function maximum(a: Rational, b: Rational): Rational {
  return compare(a, b) >= 0 ? a : b
}

/** The largest integer at most a. */
export function floor(a: Rational): bigint {
  return floorDivide(a.numerator, a.denominator)
}

/** The smallest integer at least a. */
export function ceil(a: Rational): bigint {
  return -floorDivide(-a.numerator, a.denominator)
}

/** floor(n / d) for d > 0; BigInt's own division rounds toward 0. */
export function floorDivide(n: bigint, d: bigint): bigint {
  assert(d > 0n, "a floor division has a positive divisor")
  const quotient = n / d
  return n < 0n && quotient * d !== n ? quotient - 1n : quotient
}

/** a as text: "5/4", or "3" for an integer. Two values are equal exactly when their texts are. */
export function showRational(a: Rational): string {
  return a.denominator === 1n ? `${a.numerator}` : `${a.numerator}/${a.denominator}`
}

/** The number of bits of |n|; 0 for 0. */
export function bitLength(n: bigint): number {
  const magnitude = n < 0n ? -n : n
  if (magnitude === 0n) return 0
  const hex = magnitude.toString(16)
  return (hex.length - 1) * 4 + (32 - Math.clz32(Number.parseInt(hex.charAt(0), 16)))
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let x = a < 0n ? -a : a
  let y = b < 0n ? -b : b
  while (y !== 0n) [x, y] = [y, x % y]
  return x
}
