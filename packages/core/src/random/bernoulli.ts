// Coins with an exact bias: p/q, e^-x, and many at once in the bits of words.

import { assert } from "../errors/assert.ts"
import { certifiedExp, certifiedExpError } from "../exact/certified-exp.ts"
import { numberNear } from "../exact/dyadic.ts"
import type { Enclosure } from "../exact/enclosure.ts"
import { encloseExpNegative } from "../exact/exp.ts"
import type { Rational } from "../exact/rational.ts"
import { LazyUniform, lazyUniform, uniformIsBelow } from "./lazy-uniform.ts"
import type { RandomBits } from "./random-bits.ts"
import { uniformBelow } from "./uniform.ts"

/** Up to here uniformBelow multiplies in doubles. */
const shortDenominator = 2n ** 21n

/**
 * True with probability exactly p.
 *
 * Guarantee: P(true) = p.
 * Needs: 0 <= p <= 1 (checked here).
 * Proof: with p = a/b and U uniform on 0..b-1, P(U < a) = a/b; for large b, lazy inversion of [U < p].
 * Numerics: integers only.
 * Source: by definition.
 */
export function bernoulli(p: Rational, rng: RandomBits): boolean {
  const { numerator, denominator } = p
  assert(numerator >= 0n && numerator <= denominator, "a probability lies in [0, 1]")
  if (denominator <= shortDenominator) return uniformBelow(Number(denominator), rng) < Number(numerator)
  return uniformIsBelow(lazyUniform(rng), (bits) => encloseRational(p, bits), rng)
}

/**
 * True with probability exactly e^-x.
 *
 * Guarantee: P(true) = e^-x.
 * Needs: x >= 0 (checked here).
 * Proof: one uniform V, 32 bits of it known. If the interval of V lies wholly below or above every value that
 *   e^-x can have given the error of its double, the answer is known; otherwise V is read on
 *   (uniformIsBelow).
 * Numerics: y is x within 2^-50 of itself, so e^-x is certifiedExp(y) within a factor 1 +- (2^-48 + y 2^-50)
 *   (1 + 2^-20); `margin` is twice that, in units of 2^-32. Beyond y = 500 only the enclosure decides.
 * Source: lazy inversion; compare Canonne, Kamath, Steinke 2020, algorithm 1.
 */
export function bernoulliExp(x: Rational, rng: RandomBits): boolean {
  assert(x.numerator >= 0n, "the exponent is not negative")
  const y = numberNear(x)
  const v = rng.word()
  if (y <= 500) {
    const threshold = certifiedExp(y) * 2 ** 32
    const margin = threshold * 2 * (certifiedExpError + y * 2 ** -50) + 2 ** -20
    if (v + 1 <= threshold - margin) return true
    if (v >= threshold + margin) return false
  }
  return uniformIsBelow(new LazyUniform(BigInt(v), 32), (bits) => encloseExpNegative(x, bits), rng)
}

/**
 * Overwrites every bit of `out` with an independent coin of bias p: 32 coins a word.
 *
 * Guarantee: the bits are independent and each is 1 with probability exactly p.
 * Needs: 0 <= p <= 1 (checked here).
 * Proof: lane j compares its own uniform U_j with p digit by digit from the top. At digit i the undecided
 *   lanes read one bit each: if p's digit is 1, a 0 decides U_j < p; if it is 0, a 1 decides U_j > p.
 * Numerics: the digits of p are exact; reading goes on until no lane is undecided or p's digits end.
 * Source: bit-sliced Bernoulli draws; folklore.
 */
export function fillBernoulliBits(out: Uint32Array, p: Rational, rng: RandomBits): void {
  assert(p.numerator >= 0n && p.numerator <= p.denominator, "a probability lies in [0, 1]")
  if (p.numerator === p.denominator) {
    out.fill(0xffffffff)
    return
  }
  const digits = new BinaryDigits(p)
  const buffer = new Uint32Array(Math.min(16384, Math.max(16, out.length * 8)))
  let next = buffer.length
  for (let lane = 0; lane < out.length; lane += 1) {
    let undecided = 0xffffffff
    let ones = 0
    for (let i = 0; undecided !== 0; i += 1) {
      const digit = digits.at(i)
      if (digit === undefined) break
      if (next === buffer.length) {
        rng.fill(buffer)
        next = 0
      }
      const bits = buffer[next] ?? 0
      next += 1
      if (digit === 1) {
        ones |= undecided & ~bits
        undecided &= bits
      } else {
        undecided &= ~bits
      }
    }
    out[lane] = ones
  }
  buffer.fill(0)
}

/** The binary digits of a fraction in [0, 1) after the point; undefined once only zeros follow. */
class BinaryDigits {
  readonly #known: (0 | 1)[] = []
  readonly #denominator: bigint
  #rest: bigint

  constructor(p: Rational) {
    this.#denominator = p.denominator
    this.#rest = p.numerator
  }

  at(index: number): 0 | 1 | undefined {
    while (this.#known.length <= index) {
      if (this.#rest === 0n) return undefined
      this.#rest *= 2n
      const isOne = this.#rest >= this.#denominator
      if (isOne) this.#rest -= this.#denominator
      this.#known.push(isOne ? 1 : 0)
    }
    return this.#known[index]
  }
}

/** p * 2^bits between its floor and its ceiling. */
function encloseRational(p: Rational, bits: number): Enclosure {
  const scaled = p.numerator << BigInt(bits)
  const lo = scaled / p.denominator
  return { lo, hi: lo * p.denominator === scaled ? lo : lo + 1n, bits }
}
