// Integers that bracket a real number: lo <= value * 2^bits <= hi. Every irrational quantity of Dosimeter is
// first seen as an enclosure; what leaves is the end that is safe for the person in the data.

import { assert } from "../errors/assert.ts"
import { scaleByPowerOfTwo } from "./dyadic.ts"
import type { Rational } from "./rational.ts"

/** lo <= value * 2^bits <= hi. */
export interface Enclosure {
  readonly lo: bigint
  readonly hi: bigint
  readonly bits: number
}

/** The lower end as a fraction. */
export function lowerEnd(value: Enclosure): Rational {
  return scaleByPowerOfTwo(value.lo, -value.bits)
}

/** The upper end as a fraction. */
export function upperEnd(value: Enclosure): Rational {
  return scaleByPowerOfTwo(value.hi, -value.bits)
}

/** The same value with fewer bits, rounded outward. */
export function coarsen(value: Enclosure, bits: number): Enclosure {
  assert(bits <= value.bits, "coarsening drops bits")
  const shift = BigInt(value.bits - bits)
  return { lo: value.lo >> shift, hi: shiftUp(value.hi, shift), bits }
}

/** a * b for values of at least 0 and equal bits. */
export function timesEnclosure(a: Enclosure, b: Enclosure): Enclosure {
  assert(a.bits === b.bits && a.lo >= 0n && b.lo >= 0n, "enclosures to multiply are aligned and not negative")
  const shift = BigInt(a.bits)
  return { lo: (a.lo * b.lo) >> shift, hi: shiftUp(a.hi * b.hi, shift), bits: a.bits }
}

/** ceil(n / 2^shift). BigInt's >> rounds toward minus infinity. */
export function shiftUp(n: bigint, shift: bigint): bigint {
  return -(-n >> shift)
}

/** ceil(n / d) for n >= 0 and d > 0. */
export function divideUp(n: bigint, d: bigint): bigint {
  return (n + d - 1n) / d
}
