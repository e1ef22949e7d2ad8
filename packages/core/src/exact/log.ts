// The natural logarithm and the square root, rounded in a stated direction.

import { assert } from "../errors/assert.ts"
import { exponentOf, roundDown, roundUp, scaleByPowerOfTwo } from "./dyadic.ts"
import { divideUp, lowerEnd, upperEnd, type Enclosure } from "./enclosure.ts"
import { multiply, rational, type Rational } from "./rational.ts"

/**
 * Encloses ln x for x > 0 with an absolute width of a few units of 2^-bits.
 *
 * x = m 2^k with 1 <= m < 2; ln x = 2 atanh((m - 1) / (m + 1)) + k ln 2, and ln 2 = 2 atanh(1 / 3).
 */
export function encloseLn(x: Rational, bits: number): Enclosure {
  assert(x.numerator > 0n, "a logarithm's argument is positive")
  const k = exponentOf(x)
  const m = multiply(x, scaleByPowerOfTwo(1n, -k))
  const work = bits + 32
  const n = m.numerator - m.denominator
  const fraction = encloseAtanh(rational(n, m.numerator + m.denominator), work)
  const third = encloseAtanh(rational(1n, 3n), work)
  const times = BigInt(k)
  const [low, high] = times >= 0n ? [third.lo, third.hi] : [third.hi, third.lo]
  const lo = 2n * (fraction.lo + times * low)
  const hi = 2n * (fraction.hi + times * high)
  return { lo: lo >> 32n, hi: -(-hi >> 32n), bits }
}

/** ln x, rounded up to about `bits` significant bits (an absolute 2^-bits near x = 1). */
export function lnUp(x: Rational, bits = 64): Rational {
  return roundUp(upperEnd(encloseLn(x, bits + 8)), bits)
}

/** ln x, rounded down to about `bits` significant bits (an absolute 2^-bits near x = 1). */
export function lnDown(x: Rational, bits = 64): Rational {
  return roundDown(lowerEnd(encloseLn(x, bits + 8)), bits)
}

/** The square root of x >= 0, rounded up to `bits` significant bits. */
export function sqrtUp(x: Rational, bits = 64): Rational {
  const down = sqrtDown(x, bits + 2)
  if (multiplySame(down, x)) return down
  // sqrtDown is within one unit of its last place; one unit more is above.
  return roundUp(addUnit(down, bits + 2), bits)
}

/** The square root of x >= 0, rounded down to `bits` significant bits. */
export function sqrtDown(x: Rational, bits = 64): Rational {
  if (x.numerator === 0n) return x
  const places = bits - Math.floor(exponentOf(x) / 2)
  return scaleByPowerOfTwo(integerSqrt(scaledFloor(x, 2 * places)), -places)
}

/** floor(sqrt(n)). */
export function integerSqrt(n: bigint): bigint {
  assert(n >= 0n, "a square root's argument is not negative")
  if (n < 2n) return n
  // Newton from above: the sequence falls until it reaches the floor of the root.
  let root = 1n << BigInt((n.toString(16).length * 4) / 2 + 1)
  for (;;) {
    const next = (root + n / root) >> 1n
    if (next >= root) return root
    root = next
  }
}

/** Encloses atanh z for 0 <= z <= 1/3 by its series of positive terms, floors below and ceilings above. */
function encloseAtanh(z: Rational, bits: number): Enclosure {
  const scale = 1n << BigInt(bits)
  const n2 = z.numerator * z.numerator
  const d2 = z.denominator * z.denominator
  let powerLo = (z.numerator * scale) / z.denominator
  let powerHi = divideUp(z.numerator * scale, z.denominator)
  let lo = powerLo
  let hi = powerHi
  for (let odd = 3n; powerHi > 1n; odd += 2n) {
    powerLo = (powerLo * n2) / d2
    powerHi = divideUp(powerHi * n2, d2)
    lo += powerLo / odd
    hi += divideUp(powerHi, odd)
  }
  // The rest is a geometric series with ratio z^2 <= 1/9 from a term below one unit.
  return { lo, hi: hi + 2n, bits }
}

function scaledFloor(x: Rational, places: number): bigint {
  return places >= 0
    ? (x.numerator << BigInt(places)) / x.denominator
    : x.numerator / (x.denominator << BigInt(-places))
}

function multiplySame(root: Rational, x: Rational): boolean {
  return root.numerator * root.numerator * x.denominator === x.numerator * root.denominator * root.denominator
}

function addUnit(x: Rational, bits: number): Rational {
  const unit = scaleByPowerOfTwo(1n, exponentOf(x) - bits + 1)
  return rational(
    x.numerator * unit.denominator + unit.numerator * x.denominator,
    x.denominator * unit.denominator,
  )
}
