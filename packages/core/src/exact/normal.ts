// The normal law, enclosed: its upper tail to any number of bits, its distribution function in both
// directions.

import { assert } from "../errors/assert.ts"
import { fixedPoint, roundDown, roundUp } from "./dyadic.ts"
import { coarsen, divideUp, lowerEnd, shiftUp, upperEnd, type Enclosure } from "./enclosure.ts"
import { encloseExpNegative } from "./exp.ts"
import { integerSqrt } from "./log.ts"
import { ceil, one, rational, square, subtract, type Rational } from "./rational.ts"

/**
 * Encloses P(Z > t) for a standard normal Z and t >= 0 given by its square, to a few units of 2^-bits. The
 * square is what is exact when a standard deviation is the root of a rational variance.
 *
 * P(Z > t) = 1/2 - f(t) S(t), with the density f and S(t) = t + t^3/3 + t^5/(3*5) + ...: positive terms only.
 * S is as large as e^(t^2/2) and f as small as its inverse, so both carry 0.73 t^2 (> t^2 / 2 ln 2) more
 * bits.
 */
export function encloseNormalTail(tSquared: Rational, bits: number): Enclosure {
  assert(tSquared.numerator >= 0n, "a square is not negative")
  // P(Z > t) <= e^(-t^2/2) / 2, which beyond this is below 2^-(bits + 1): 0.6931471806 > ln 2.
  const far = BigInt(bits) * 2n * 6931471806n
  if (tSquared.numerator * 10_000_000_000n > far * tSquared.denominator) return { lo: 0n, hi: 1n, bits }
  const lost = Number((ceil(tSquared) * 73n) / 100n) + 1
  const work = bits + 2 * lost + 40
  const series = encloseSeries(tSquared, work)
  const density = encloseDensity(tSquared, work)
  const shift = BigInt(work)
  const half = 1n << (shift - 1n)
  const lo = half - shiftUp(series.hi * density.hi, shift)
  const hi = half - ((series.lo * density.lo) >> shift)
  return coarsen({ lo: lo > 0n ? lo : 0n, hi, bits: work }, bits)
}

/** P(Z <= x) rounded up to about `bits` significant bits. */
export function normalCdfUp(x: Rational, bits = 64): Rational {
  return normalCdf(x, bits).up
}

/** P(Z <= x) rounded down to about `bits` significant bits. */
export function normalCdfDown(x: Rational, bits = 64): Rational {
  return normalCdf(x, bits).down
}

/** P(Z <= x) rounded both ways to about `bits` significant bits, for the work of one. */
export function normalCdf(x: Rational, bits: number): { readonly down: Rational; readonly up: Rational } {
  const tail = normalTail(x, bits)
  if (x.numerator > 0n) return { down: subtract(one, upperEnd(tail)), up: subtract(one, lowerEnd(tail)) }
  return { down: roundDown(lowerEnd(tail), bits), up: roundUp(upperEnd(tail), bits) }
}

/** P(Z > |x|) with relative precision. */
function normalTail(x: Rational, bits: number): Enclosure {
  const tSquared = square(x)
  // P(Z > t) > 2^-(0.73 t^2 + t + 2): as many more bits as the result has leading zeros.
  const zeros = Number((ceil(tSquared) * 73n) / 100n + integerSqrt(ceil(tSquared))) + 4
  return encloseNormalTail(tSquared, bits + zeros)
}

function encloseSeries(tSquared: Rational, bits: number): Enclosure {
  const shift = BigInt(bits)
  const squareLo = fixedPoint(tSquared, bits)
  const squareHi = squareLo + 1n
  const root = integerSqrt(fixedPoint(tSquared, 2 * bits))
  let termLo = root
  let termHi = root + 1n
  let lo = termLo
  let hi = termHi
  for (let odd = 3n; ; odd += 2n) {
    termLo = ((termLo * squareLo) >> shift) / odd
    termHi = divideUp(shiftUp(termHi * squareHi, shift), odd)
    lo += termLo
    hi += termHi
    // Once the ratio t^2 / odd is below 1/2, the rest is less than the last term.
    if (termHi <= 1n && 2n * squareHi < odd << shift) return { lo, hi: hi + termHi, bits }
  }
}

/** e^(-t^2/2) / sqrt(2 pi). */
function encloseDensity(tSquared: Rational, bits: number): Enclosure {
  const power = encloseExpNegative(rational(tSquared.numerator, 2n * tSquared.denominator), bits)
  const pi = enclosePi(bits)
  const shift = BigInt(bits)
  // 1 / sqrt(2 pi), from sqrt(2^(2 bits) / (2 pi)).
  const lo = integerSqrt((1n << (3n * shift)) / (2n * pi.hi))
  const hi = integerSqrt((1n << (3n * shift)) / (2n * pi.lo) + 1n) + 1n
  return { lo: (power.lo * lo) >> shift, hi: shiftUp(power.hi * hi, shift), bits }
}

const piCache = new Map<number, Enclosure>()

/** Encloses pi = 16 atan(1/5) - 4 atan(1/239) (Machin), to a few units of 2^-bits. */
export function enclosePi(bits: number): Enclosure {
  const known = piCache.get(bits)
  if (known !== undefined) return known
  const work = bits + 32
  const fifth = arctanOfInverse(5n, work)
  const small = arctanOfInverse(239n, work)
  const middle = 16n * fifth.sum - 4n * small.sum
  const error = 16n * fifth.error + 4n * small.error
  const pi = coarsen({ lo: middle - error, hi: middle + error, bits: work }, bits)
  if (piCache.size > 64) piCache.clear()
  piCache.set(bits, pi)
  return pi
}

/** atan(1/n) in units of 2^-bits; the error is below one unit a term, and one for the rest. */
function arctanOfInverse(n: bigint, bits: number): { sum: bigint; error: bigint } {
  let power = (1n << BigInt(bits)) / n
  let sum = power
  let terms = 1n
  for (let odd = 3n; power > 0n; odd += 2n) {
    power /= n * n
    sum += odd % 4n === 3n ? -(power / odd) : power / odd
    terms += 1n
  }
  return { sum, error: 2n * terms + 2n }
}
