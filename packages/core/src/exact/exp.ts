// The exponential function, enclosed. expUp and expDown are the only exponentials that privacy statements
// use.

import { assert } from "../errors/assert.ts"
import { fail } from "../errors/errors.ts"
import { exponentOf, roundDown, roundUp, scaleByPowerOfTwo } from "./dyadic.ts"
import { lowerEnd, upperEnd, type Enclosure } from "./enclosure.ts"
import {
  add,
  bitLength,
  compare,
  divide,
  floor,
  negate,
  one,
  rational,
  subtract,
  zero,
  type Rational,
} from "./rational.ts"

/**
 * Encloses e^-x for x >= 0, with an absolute width of a few units of 2^-bits.
 *
 * Why the bounds hold: x / 2^m < 2^-8 is summed by its alternating Taylor series in units of 2^-work. Cutting
 * the argument costs at most 1 unit, each term at most 2 (two floors), the cut tail less than 1, so after N
 * terms the error is at most 2N + 4. Squaring turns an error e (of a value at most 1) into at most 2e + 2, so
 * after m squarings it is at most 2^m (2N + 6); `work` has m + 16 guard bits, which swallow that.
 */
export function encloseExpNegative(x: Rational, bits: number): Enclosure {
  assert(x.numerator >= 0n, "the exponent is not negative")
  // Beyond this e^-x is below 2^-(bits + 1): 0.6931471806 > ln 2.
  const far = (BigInt(bits) + 1n) * 6931471806n
  if (x.numerator * 10_000_000_000n > far * x.denominator) return { lo: 0n, hi: 1n, bits }
  const squarings = 8 + bitLength(x.numerator / x.denominator)
  const guard = squarings + 16
  const work = BigInt(bits + guard)
  const argument = (x.numerator << work) / (x.denominator << BigInt(squarings))
  let sum = 1n << work
  let term = sum
  let terms = 1n
  for (; ; terms += 1n) {
    term = ((term * argument) >> work) / terms
    if (term === 0n) break
    sum += terms % 2n === 1n ? -term : term
  }
  for (let i = 0; i < squarings; i += 1) sum = (sum * sum) >> work
  const error = (2n * terms + 6n) << BigInt(squarings)
  const lo = (sum - error) >> BigInt(guard)
  return { lo: lo > 0n ? lo : 0n, hi: ((sum + error) >> BigInt(guard)) + 1n, bits }
}

/** Exponents beyond this are hostile or a mistake: e^x would need a hundred thousand bits. */
const exponentMax = rational(65_536n)
/** More than e^-65536. */
const farBelow = scaleByPowerOfTwo(1n, -94_000)

/** The least fraction of about `bits` significant bits that is at least e^x; refused beyond x = 65536. */
export function expUp(x: Rational, bits = 64): Rational {
  if (isFar(x)) return farBelow
  if (x.numerator > 0n) return roundUp(divide(one, expDown(negate(x), bits + 4)), bits)
  return roundUp(upperEnd(encloseExpRelative(negate(x), bits)), bits)
}

/** The greatest fraction of about `bits` significant bits that is at most e^x; refused beyond x = 65536. */
export function expDown(x: Rational, bits = 64): Rational {
  if (isFar(x)) return zero
  if (x.numerator > 0n) return roundDown(divide(one, expUp(negate(x), bits + 4)), bits)
  return roundDown(lowerEnd(encloseExpRelative(negate(x), bits)), bits)
}

/** tanh(x) for x >= 0, rounded up: 1 - 2 / (e^2x + 1). */
export function tanhUp(x: Rational, bits = 64): Rational {
  // From here on 1 is above tanh by less than 2^-180.
  if (compare(x, rational(64n)) >= 0) return one
  // For tiny x the difference cancels; as many bits are added as x has leading zeros.
  const extra = x.numerator === 0n ? 0 : Math.max(0, -exponentOf(x)) + 8
  const power = expUp(add(x, x), bits + extra)
  return roundUp(divide(subtract(power, one), add(power, one)), bits)
}

/** Is x below -65536, so that e^x is as good as 0? Above 65536 it is refused. */
function isFar(x: Rational): boolean {
  if (compare(x, exponentMax) > 0) {
    fail("parameter/too-large", {
      name: "an exponent (epsilon, or a bound over a scale)",
      got: "more",
      limit: "65536",
    })
  }
  return compare(negate(x), exponentMax) > 0
}

/** e^-x with relative precision: as many more bits as the result has leading zeros. */
function encloseExpRelative(x: Rational, bits: number): Enclosure {
  // e^-x > 2^-(1.5 x + 1); 1.4427 = 1 / ln 2.
  const zeros = Number((floor(x) * 3n) / 2n) + 2
  return encloseExpNegative(x, bits + zeros + 4)
}
