// round(sigma Z) for a standard normal Z and any rational variance. Like lazy-exponential.ts, but the
// proposal depends on the cell, so a rejected draw starts afresh. lazy-normal.proof.md has the proof.

import { certifiedExp } from "../exact/certified-exp.ts"
import { encloseExpNegative } from "../exact/exp.ts"
import { integerSqrt } from "../exact/log.ts"
import { rational, type Rational } from "../exact/rational.ts"
import { LazyUniform, uniformIsBelow } from "../random/lazy-uniform.ts"
import type { RandomBits } from "../random/random-bits.ts"
import type { LazyTable } from "./lazy-table.ts"
import { floorOfProduct, stepOfVariance, type ScaledStep } from "./scaled-step.ts"
import { normalTable } from "./static-tables.ts"

/** Above this standard deviation the 31 bits of u that two words hold are too few. */
const twoWordSigmaMax = 2 ** 20

/**
 * Draws round(sigma |Z|) with a fair sign.
 *
 * Words: first = V (16 bits) | cell (16); second = u (31) | sign (1); third = 32 more bits of u, if drawn.
 * |Z| = (h + u) / 64 with h from the cell; the pair is accepted if V < e^(-u (2h + u) / 8192).
 */
export class LazyNormal {
  readonly words: 2 | 3
  readonly #variance: Rational
  readonly #step: ScaledStep
  readonly #table: LazyTable

  constructor(variance: Rational) {
    this.#variance = variance
    this.#step = stepOfVariance(variance)
    this.#table = normalTable()
    this.words = this.#step.whole * 64 <= twoWordSigmaMax ? 2 : 3
  }

  /** Two words a draw, results within 32 bits. Puts what needs more bits on `pending`; returns how many. */
  runTwo(words: Uint32Array, out: Int32Array, count: number, pending: Uint32Array): number {
    const cells = this.#table.cells
    const step = this.#step.whole
    const width = step * 2 ** -31
    let waiting = 0
    for (let i = 0, w = 0; i < count; i += 1, w += 2) {
      const first = words[w] ?? 0
      const second = words[w + 1] ?? 0
      const h = cells[first & 0xffff] ?? 0
      const u = (second >>> 1) * 2 ** -31
      const t = (h + u) * step + 0.5
      const f = Math.floor(t)
      const rest = t - f
      const margin = (t + 1) * 2 ** -50
      const isAccepted = h >= 0 && (first >>> 16) + 8 * u * (2 * h + u) < 65534.98
      if (isAccepted && rest >= margin && rest + width + margin < 1) {
        const negative = second & 1
        out[i] = (f ^ -negative) + negative
      } else {
        pending[waiting] = i
        waiting += 1
      }
    }
    return waiting
  }

  /** Three words a draw, results within 2^53. */
  runThree(words: Uint32Array, out: Float64Array, count: number, pending: Uint32Array): number {
    const cells = this.#table.cells
    const { high, low, whole, error } = this.#step
    const tiny = whole * 2 ** -63
    let waiting = 0
    for (let i = 0, w = 0; i < count; i += 1, w += 3) {
      const first = words[w] ?? 0
      const second = words[w + 1] ?? 0
      const h = cells[first & 0xffff] ?? 0
      const u = (second >>> 12) * 2 ** -20
      const x = h + u
      const tHigh = x * high
      const tLow = x * low + (((second >>> 1) & 0x7ff) * 2 ** 32 + (words[w + 2] ?? 0)) * tiny + 0.5
      const f = Math.floor(tHigh)
      const sum = tHigh - f + tLow
      const carry = Math.floor(sum)
      const rest = sum - carry
      const margin = tHigh * error + (Math.abs(sum) + Math.abs(tLow) + 1) * 2 ** -50
      const isSmall = h >= 0 && h < 1024 && tHigh < 2 ** 52
      const isAccepted = isSmall && (first >>> 16) + 8 * u * (2 * h + u) < 65534.95
      if (isAccepted && rest >= margin && rest + tiny + margin < 1) {
        const negative = second & 1
        out[i] = (f + carry) * (1 - 2 * negative) + 0 // Never -0.
      } else {
        pending[waiting] = i
        waiting += 1
      }
    }
    return waiting
  }

  /** Finishes one draw exactly from the words it has, reading more where they do not decide. */
  complete(words: Uint32Array, at: number, rng: RandomBits): number | bigint {
    let first = words[at] ?? 0
    let second = words[at + 1] ?? 0
    // The kernel may have looked at the third word before it gave up, so a fresh one may not stand for it.
    let third = words[at + 2] ?? 0
    for (;;) {
      const h = this.#table.outcome(first & 0xffff, rng)
      const u = acceptOffset(h, first >>> 16, second >>> 1, rng)
      if (u !== undefined) {
        const magnitude =
          u.lazy === undefined ? this.#round({ h, u: u.value, third }, rng) : this.#exactRound(h, u.lazy, rng)
        const isNegative = (second & 1) === 1
        return isNegative ? (typeof magnitude === "number" ? 0 - magnitude : -magnitude) : magnitude
      }
      first = rng.word()
      second = rng.word()
      third = this.words === 3 ? rng.word() : 0
    }
  }

  /** round(sigma (h + u) / 64) for a u of 31 bits, 32 more in the third word: in doubles if they can tell. */
  #round({ h, u, third }: Proposal, rng: RandomBits): number | bigint {
    const { whole } = this.#step
    const isLong = this.words === 3
    const more = isLong ? third : 0
    const rest = ((u & 0x7ff) * 2 ** 32 + more) * whole * 2 ** -63 + 0.5
    const width = whole * (isLong ? 2 ** -63 : 2 ** -31)
    const quick = h < 1024 ? floorOfProduct(this.#step, h + (u >>> 11) * 2 ** -20, rest, width) : undefined
    if (quick !== undefined) return quick
    const known = isLong
      ? new LazyUniform((BigInt(u) << 32n) | BigInt(more), 63)
      : new LazyUniform(BigInt(u), 31)
    return this.#exactRound(h, known, rng)
  }

  /** round(sigma (h + u) / 64) in integers, reading on until both ends of u's interval agree. */
  #exactRound(h: number, u: LazyUniform, rng: RandomBits): bigint {
    const { numerator, denominator } = this.#variance
    for (;;) {
      const x = (BigInt(h) << BigInt(u.count)) + u.value
      // round(y) = floor((2y + 1) / 2), and 2y = sqrt(variance) x / (32 2^count): y is the root of a
      // fraction.
      const below = denominator << BigInt(2 * (5 + u.count))
      const lowest = (integerSqrt((numerator * x * x) / below) + 1n) / 2n
      const highest = (integerSqrt((numerator * (x + 1n) * (x + 1n)) / below) + 1n) / 2n
      if (lowest === highest) return lowest
      u.extend(rng)
    }
  }
}

/** |Z| / sigma = (h + u) / 64, with u's first 31 bits and, if there is a third word, 32 more. */
interface Proposal {
  readonly h: number
  readonly u: number
  readonly third: number
}

/** An accepted offset u: 31 bits as a number, or a lazy one where more have been read. */
interface Offset {
  readonly value: number
  readonly lazy?: LazyUniform
}

/** u with probability e^(-u (2h + u) / 8192), where V's first 16 bits are v; undefined if rejected. */
function acceptOffset(h: number, v: number, u: number, rng: RandomBits): Offset | undefined {
  const v48 = v * 2 ** 32 + rng.word()
  const from = u * 2 ** -31
  const to = from + 2 ** -31
  const exponentTo = (to * (2 * h + to)) / 8192
  // Exponents are below 64, within 2^-50 of themselves: with certifiedExp's 2^-48 this is 18 units at most.
  if (exponentTo < 64) {
    if (v48 + 1 <= certifiedExp(exponentTo) * 2 ** 48 - 32) return { value: u }
    if (v48 >= certifiedExp((from * (2 * h + from)) / 8192) * 2 ** 48 + 32) return undefined
  }
  const lazy = new LazyUniform(BigInt(u), 31)
  const isAccepted = uniformIsBelow(
    new LazyUniform(BigInt(v48), 48),
    (precision) => {
      lazy.extendTo(precision + 16, rng)
      return {
        lo: encloseExpNegative(exponentAt(h, lazy.value + 1n, lazy.count), precision).lo,
        hi: encloseExpNegative(exponentAt(h, lazy.value, lazy.count), precision).hi,
        bits: precision,
      }
    },
    rng,
  )
  return isAccepted ? { value: u, lazy } : undefined
}

/** u (2h + u) / 8192 with u = value / 2^count. */
function exponentAt(h: number, value: bigint, count: number): Rational {
  const unit = 1n << BigInt(count)
  return rational(value * (2n * BigInt(h) * unit + value), 8192n * unit * unit)
}
