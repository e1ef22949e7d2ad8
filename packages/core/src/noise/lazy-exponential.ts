// floor(s E) with a sign, for a standard exponential E and any scale s: the engine of the discrete Laplace
// and geometric laws. No set-up per scale beyond a handful of multiplications. lazy-exponential.proof.md has
// the proof.

import { certifiedExp } from "../exact/certified-exp.ts"
import type { Enclosure } from "../exact/enclosure.ts"
import { encloseExpNegative } from "../exact/exp.ts"
import { divide, rational, type Rational } from "../exact/rational.ts"
import { LazyUniform, uniformIsBelow } from "../random/lazy-uniform.ts"
import type { RandomBits } from "../random/random-bits.ts"
import type { LazyTable } from "./lazy-table.ts"
import { floorOfProduct, stepOfScale, type ScaledStep } from "./scaled-step.ts"
import { exponentialTable } from "./static-tables.ts"

/** Above this scale the 20 bits of u that two words hold are too few, and a third word is drawn. */
const twoWordScaleMax = 2 ** 16

/**
 * Draws f = floor(s E), and returns f or -1 - f.
 *
 * Words: first = V (16 bits) | cell (16); second = u (20) | r (12); third = 32 more bits of u, if drawn.
 * E = (h + u) / 64 with h from the cell; u is accepted if V < e^(-u/64); r decides the sign.
 */
export class LazyExponential {
  readonly words: 2 | 3
  readonly #scale: Rational
  readonly #step: ScaledStep
  readonly #table: LazyTable
  /** r below this is negative, above it not; equal needs more bits. -1 for a law without negatives. */
  readonly #signCell: number

  constructor(scale: Rational, sign: "one-sided" | "two-sided") {
    this.#scale = scale
    this.#step = stepOfScale(scale)
    this.#table = exponentialTable()
    this.words = this.#step.whole * 64 <= twoWordScaleMax ? 2 : 3
    this.#signCell = sign === "one-sided" ? -1 : signCellOf(scale, this.#step.whole * 64)
  }

  /** Two words a draw, results within 32 bits. Puts what needs more bits on `pending`; returns how many. */
  runTwo(words: Uint32Array, out: Int32Array, count: number, pending: Uint32Array): number {
    const cells = this.#table.cells
    const step = this.#step.whole
    const width = step * 2 ** -20
    const signCell = this.#signCell
    let waiting = 0
    for (let i = 0, w = 0; i < count; i += 1, w += 2) {
      const first = words[w] ?? 0
      const second = words[w + 1] ?? 0
      const h = cells[first & 0xffff] ?? 0
      const u = second >>> 12
      const r = second & 0xfff
      const t = (h + u * 2 ** -20) * step
      const f = Math.floor(t)
      const rest = t - f
      const margin = (t + 1) * 2 ** -50
      const isAccepted = h >= 0 && (first >>> 16) + u * 2 ** -10 < 65534.99
      if (isAccepted && r !== signCell && rest >= margin && rest + width + margin < 1) {
        // r < signCell without a branch: the sign of a random draw cannot be predicted.
        out[i] = f ^ ((r - signCell) >> 31)
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
    const tiny = whole * 2 ** -52
    const signCell = this.#signCell
    let waiting = 0
    for (let i = 0, w = 0; i < count; i += 1, w += 3) {
      const first = words[w] ?? 0
      const second = words[w + 1] ?? 0
      const h = cells[first & 0xffff] ?? 0
      const u = second >>> 12
      const r = second & 0xfff
      const x = h + u * 2 ** -20
      const tHigh = x * high
      const tLow = x * low + (words[w + 2] ?? 0) * tiny
      const f = Math.floor(tHigh)
      const sum = tHigh - f + tLow
      const carry = Math.floor(sum)
      const rest = sum - carry
      const margin = tHigh * error + (Math.abs(sum) + Math.abs(tLow) + 1) * 2 ** -50
      const isSmall = h >= 0 && h < 1024 && tHigh < 2 ** 52
      const isAccepted = isSmall && (first >>> 16) + u * 2 ** -10 < 65534.98
      if (isAccepted && r !== signCell && rest >= margin && rest + tiny + margin < 1) {
        const negative = (r - signCell) >>> 31
        out[i] = (f + carry) * (1 - 2 * negative) - negative
      } else {
        pending[waiting] = i
        waiting += 1
      }
    }
    return waiting
  }

  /** Finishes one draw exactly from the words it has, reading more where they do not decide. */
  complete(words: Uint32Array, at: number, rng: RandomBits): number | bigint {
    const first = words[at] ?? 0
    const second = words[at + 1] ?? 0
    const isLong = this.words === 3
    const h = this.#table.outcome(first & 0xffff, rng)
    let v = first >>> 16
    let u = isLong ? (second >>> 12) * 2 ** 32 + (words[at + 2] ?? 0) : second >>> 12
    const bits = isLong ? 52 : 20
    for (;;) {
      const accepted = acceptFraction(v, u, bits, rng)
      if (accepted !== undefined) return this.#finish(h, accepted, second & 0xfff, rng)
      v = rng.word() >>> 16
      u = isLong ? (rng.word() >>> 12) * 2 ** 32 + rng.word() : rng.word() >>> 12
    }
  }

  #finish(h: number, u: Fraction, r: number, rng: RandomBits): number | bigint {
    const quick = u.lazy === undefined ? this.#quickFloor(h, u) : undefined
    const f = quick ?? this.#exactFloor(h, u.lazy ?? new LazyUniform(BigInt(u.value), u.bits), rng)
    const isNegative =
      this.#signCell >= 0 &&
      (r === this.#signCell
        ? uniformIsBelow(new LazyUniform(BigInt(r), 12), (bits) => encloseSign(this.#scale, bits), rng)
        : r < this.#signCell)
    if (!isNegative) return f
    return typeof f === "number" ? -1 - f : -1n - f
  }

  /** floor(s (h + u) / 64) in doubles, if they can tell. */
  #quickFloor(h: number, u: Fraction): number | undefined {
    if (h >= 1024) return undefined
    const { whole } = this.#step
    const top = u.bits === 20 ? u.value : Math.floor(u.value / 2 ** 32)
    const below = u.bits === 20 ? 0 : u.value - top * 2 ** 32
    return floorOfProduct(this.#step, h + top * 2 ** -20, below * whole * 2 ** -52, whole * unitOf(u.bits))
  }

  /** floor(s (h + u) / 64) in integers, reading on until both ends of u's interval agree. */
  #exactFloor(h: number, u: LazyUniform, rng: RandomBits): bigint {
    const { numerator, denominator } = this.#scale
    for (;;) {
      const below = (64n * denominator) << BigInt(u.count)
      const from = ((BigInt(h) << BigInt(u.count)) + u.value) * numerator
      const lowest = from / below
      // The interval is open above: its last floor is that of the end less one unit.
      if ((from + numerator - 1n) / below === lowest) return lowest
      u.extend(rng)
    }
  }
}

/** An accepted fraction u: `value` of `bits` bits, or a lazy one where more bits have been read. */
export interface Fraction {
  readonly value: number
  readonly bits: number
  readonly lazy?: LazyUniform
}

/** A standard exponential E = (h + u) / 64 of which only the first bits of u are known. */
export interface LazyExponentialDraw {
  readonly h: number
  readonly u: Fraction
}

/** Draws a standard exponential, revealing 20 bits of u. */
export function drawExponential(rng: RandomBits): LazyExponentialDraw {
  const first = rng.word()
  const h = exponentialTable().outcome(first & 0xffff, rng)
  let v = first >>> 16
  for (;;) {
    const u = rng.word() >>> 12
    const isPlain = v + u * 2 ** -10 < 65534.99
    const accepted = isPlain ? { value: u, bits: 20 } : acceptFraction(v, u, 20, rng)
    if (accepted !== undefined) return { h, u: accepted }
    v = rng.word() >>> 16
  }
}

/** u with probability e^(-u/64), where V's first 16 bits are v; undefined if rejected. */
function acceptFraction(v: number, u: number, bits: number, rng: RandomBits): Fraction | undefined {
  const v48 = v * 2 ** 32 + rng.word()
  const unit = unitOf(bits)
  const a = (u * unit) / 64
  // certifiedExp is within 2^-48 of itself: one unit here; four leave room for the roundings around it.
  if (v48 + 1 <= certifiedExp(a + unit / 64) * 2 ** 48 - 4) return { value: u, bits }
  if (v48 >= certifiedExp(a) * 2 ** 48 + 4) return undefined
  const lazy = new LazyUniform(BigInt(u), bits)
  const isAccepted = uniformIsBelow(
    new LazyUniform(BigInt(v48), 48),
    (precision) => {
      lazy.extendTo(precision, rng)
      const unit = 64n << BigInt(lazy.count)
      return {
        lo: encloseExpNegative(rational(lazy.value + 1n, unit), precision).lo,
        hi: encloseExpNegative(rational(lazy.value, unit), precision).hi,
        bits: precision,
      }
    },
    rng,
  )
  return isAccepted ? { value: u, bits, lazy } : undefined
}

/** 2^-20 or 2^-52 as a constant: a power with a variable exponent is slow. */
function unitOf(bits: number): number {
  return bits === 20 ? 2 ** -20 : 2 ** -52
}

/** Encloses P(negative) = q / (1 + q) with q = e^(-1/s). */
function encloseSign(scale: Rational, bits: number): Enclosure {
  const q = encloseExpNegative(divide(rational(1n), scale), bits + 4)
  const unit = 1n << BigInt(bits + 4)
  return { lo: (q.lo << BigInt(bits)) / (unit + q.lo), hi: (q.hi << BigInt(bits)) / (unit + q.hi) + 1n, bits }
}

/** floor(4096 q / (1 + q)), from doubles where they can tell. */
function signCellOf(scale: Rational, s: number): number {
  const q = 1 / s <= 700 ? certifiedExp(1 / s) : 0
  const t = (4096 * q) / (1 + q)
  const cell = Math.floor(t)
  // Errors: 2^-48 of certifiedExp and (1/s) 2^-50 from the argument, each times at most 4096 q.
  const margin = 2 ** -34
  if (1 / s <= 700 && t - cell > margin && t - cell < 1 - margin) return cell
  for (let bits = 64; ; bits *= 2) {
    const p = encloseSign(scale, bits)
    const shift = BigInt(bits - 12)
    if (p.lo >> shift === p.hi >> shift) return Number(p.lo >> shift)
  }
}
