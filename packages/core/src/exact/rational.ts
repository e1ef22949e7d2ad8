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

/**
 * a + b. Common divisors are looked for in the parts, which are half as long as the products (Knuth, The Art
 * of Computer Programming 2, section 4.5.1): the sum is in lowest terms because a and b are.
 */
export function add(a: Rational, b: Rational): Rational {
  if (a.denominator === b.denominator) return rational(a.numerator + b.numerator, a.denominator)
  const common = greatestCommonDivisor(a.denominator, b.denominator)
  const rest = a.denominator / common
  const numerator = a.numerator * (b.denominator / common) + b.numerator * rest
  const shared = greatestCommonDivisor(numerator, common)
  return { numerator: numerator / shared, denominator: rest * (b.denominator / shared) }
}

/** a - b. */
export function subtract(a: Rational, b: Rational): Rational {
  return add(a, negate(b))
}

/** a * b. As in a sum, common divisors are looked for in the parts. */
export function multiply(a: Rational, b: Rational): Rational {
  const left = greatestCommonDivisor(a.numerator, b.denominator)
  const right = greatestCommonDivisor(b.numerator, a.denominator)
  return {
    numerator: (a.numerator / left) * (b.numerator / right),
    denominator: (a.denominator / right) * (b.denominator / left),
  }
}

/** a / b; b is not 0. */
export function divide(a: Rational, b: Rational): Rational {
  assert(b.numerator !== 0n, "a divisor is not 0")
  const sign = b.numerator < 0n ? -1n : 1n
  return multiply(a, { numerator: sign * b.denominator, denominator: sign * b.numerator })
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

/** Whole numbers up to this are exact as doubles, and so are their remainders. */
const exactMost = BigInt(Number.MAX_SAFE_INTEGER)

/** Of two numbers, not both 0. Euclid's algorithm, in doubles as soon as they hold what is left. */
function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let x = a < 0n ? -a : a
  let y = b < 0n ? -b : b
  while (y > exactMost) [x, y] = [y, x % y]
  if (y === 0n) return x
  let divisor = Number(y)
  let rest = Number(x % y)
  while (rest !== 0) [divisor, rest] = [rest, divisor % rest]
  return BigInt(divisor)
}
