// Between doubles and fractions, without loss or with a stated direction. A double is an integer times a
// power of two.

import { assert } from "../errors/assert.ts"
import { bitLength, negate, rational, type Rational } from "./rational.ts"

/** Bits in the significand of a double. */
const significandBits = 53
/** The exponent of the smallest positive double, 2^-1074. */
const leastExponent = -1074

/** The exact value of a finite double. */
export function rationalOfNumber(value: number): Rational {
  assert(Number.isFinite(value), "only finite numbers have an exact value")
  if (Number.isInteger(value)) return rational(BigInt(value))
  // A non-integer double is below 2^53 in size, so doubling it at most 1074 times makes it an integer.
  let scaled = value
  let exponent = 0
  while (!Number.isInteger(scaled)) {
    scaled *= 2
    exponent += 1
  }
  // The last doubling made it an integer, so it is odd, and the fraction is in lowest terms.
  return { numerator: BigInt(scaled), denominator: 1n << BigInt(exponent) }
}

/** The largest double that is at most `value` (-Infinity when there is none). */
export function numberDown(value: Rational): number {
  return value.numerator < 0n ? -magnitudeToNumber(negate(value), "up") : magnitudeToNumber(value, "down")
}

/** The smallest double that is at least `value` (Infinity when there is none). */
export function numberUp(value: Rational): number {
  return value.numerator < 0n ? -magnitudeToNumber(negate(value), "down") : magnitudeToNumber(value, "up")
}

/**
 * A double near `value`: within 2^-51 of it, relatively, from 2^-1000 to 2^1000; Infinity where doubles end.
 * The obvious quotient of two Numbers is 0 or NaN for long integers, such as those of a decimal of 310
 * places.
 */
export function numberNear(value: Rational): number {
  const above = Number(value.numerator)
  const below = Number(value.denominator)
  if (Number.isFinite(above) && below !== Infinity) return above / below
  return value.numerator < 0n ? numberDown(value) : numberUp(value)
}

/** The double nearest to `value`, of two the even one, as databases read numbers; Infinity beyond them. */
export function numberNearest(value: Rational): number {
  const { numerator, denominator } = value
  // The quotient of two doubles is rounded once, so it is the nearest.
  if (isExact(numerator) && isExact(denominator)) return Number(numerator) / Number(denominator)
  return numerator < 0n ? -magnitudeToNumber(negate(value), "nearest") : magnitudeToNumber(value, "nearest")
}

function isExact(integer: bigint): boolean {
  return integer <= Number.MAX_SAFE_INTEGER && integer >= Number.MIN_SAFE_INTEGER
}

/** Rounds down to a fraction with a power of two below and at most `bits` significant bits above. */
export function roundDown(value: Rational, bits = 64): Rational {
  return value.numerator < 0n
    ? negate(roundMagnitude(negate(value), bits, "up"))
    : roundMagnitude(value, bits, "down")
}

/** Rounds up to a fraction with a power of two below and at most `bits` significant bits above. */
export function roundUp(value: Rational, bits = 64): Rational {
  return value.numerator < 0n
    ? negate(roundMagnitude(negate(value), bits, "down"))
    : roundMagnitude(value, bits, "up")
}

/** integer * 2^exponent. */
export function scaleByPowerOfTwo(integer: bigint, exponent: number): Rational {
  return exponent >= 0 ? rational(integer << BigInt(exponent)) : rational(integer, 1n << BigInt(-exponent))
}

/** floor(value * 2^bits), for any sign of `bits`. */
export function fixedPoint(value: Rational, bits: number): bigint {
  assert(value.numerator >= 0n, "fixed point is for values of at least 0")
  return bits >= 0
    ? (value.numerator << BigInt(bits)) / value.denominator
    : value.numerator / (value.denominator << BigInt(-bits))
}

/** The exponent e with 2^e <= value < 2^(e+1), for a positive value. */
export function exponentOf(value: Rational): number {
  assert(value.numerator > 0n, "only positive values have an exponent")
  // The bit lengths give 2^(guess-1) < value < 2^(guess+1).
  const guess = bitLength(value.numerator) - bitLength(value.denominator)
  const n = guess < 0 ? value.numerator << BigInt(-guess) : value.numerator
  const d = guess > 0 ? value.denominator << BigInt(guess) : value.denominator
  return n < d ? guess - 1 : guess
}

type Direction = "up" | "down" | "nearest"

function roundMagnitude(value: Rational, bits: number, direction: Direction): Rational {
  if (value.numerator === 0n) return value
  const exponent = exponentOf(value) + 1 - bits
  return scaleByPowerOfTwo(quotient(value, exponent, direction), exponent)
}

function magnitudeToNumber(value: Rational, direction: Direction): number {
  if (value.numerator === 0n) return 0
  const exponent = Math.max(exponentOf(value) + 1 - significandBits, leastExponent)
  const magnitude = quotient(value, exponent, direction)
  if (exponent > 1023 - significandBits + 1) return direction === "down" ? Number.MAX_VALUE : Infinity
  const significand = Number(magnitude)
  // Two steps, because 2^exponent alone may be too small or too large for a double.
  const half = Math.trunc(exponent / 2)
  const result = significand * powerOfTwo(half) * powerOfTwo(exponent - half)
  return result === Infinity && direction === "down" ? Number.MAX_VALUE : result
}

/** value / 2^exponent as an integer, rounded as said. */
function quotient(value: Rational, exponent: number, direction: Direction): bigint {
  const n = exponent < 0 ? value.numerator << BigInt(-exponent) : value.numerator
  const d = exponent > 0 ? value.denominator << BigInt(exponent) : value.denominator
  const down = n / d
  const left = n - down * d
  if (direction !== "nearest") return direction === "up" && left > 0n ? down + 1n : down
  const isUp = 2n * left === d ? down % 2n === 1n : 2n * left > d
  return isUp ? down + 1n : down
}

/** 2^exponent as a double; exact for every exponent from -1074 to 1023. */
function powerOfTwo(exponent: number): number {
  // Multiplying by 2 or 0.5 is exact, and 1100 steps at most are run.
  let result = 1
  for (let i = 0; i < exponent; i += 1) result *= 2
  for (let i = 0; i > exponent; i -= 1) result *= 0.5
  return result
}
