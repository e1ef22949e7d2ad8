// The samplers of noise/lazy-exponential.ts and lazy-normal.ts once more: the same map from the same bits in
// the same order, but every decision is made in integers, with no quick test and no doubles. On the same
// words both must give the same draw, and use as many words.

import type { Enclosure } from "../exact/enclosure.ts"
import { encloseExpNegative } from "../exact/exp.ts"
import { integerSqrt } from "../exact/log.ts"
import { compare, divide, rational, type Rational } from "../exact/rational.ts"
import type { RandomBits } from "../random/random-bits.ts"
import { exactGeometricPmf, exactHalfBellPmf, lawBits, type ExactPmf } from "./exact-laws.ts"

/** Thrown where a double's margin, not the mathematics, decides whether more bits are read. */
export class TooNear extends Error {
  constructor() {
    super("the words lie on the border between the quick test and the exact one")
    this.name = "TooNear"
  }
}

/** Bits of a uniform real that have been read, from the top. */
interface Prefix {
  value: bigint
  count: number
}

function extend(prefix: Prefix, bits: RandomBits): void {
  prefix.value = (prefix.value << 32n) | BigInt(bits.word())
  prefix.count += 32
}

/** Cumulative probabilities by outcome, in units of 2^-lawBits. Beyond the last is beyond all tests. */
function cumulative(pmf: ExactPmf, count: number): readonly bigint[] {
  let [lo, hi] = [0n, 0n]
  return Array.from({ length: count }, (_, h) => {
    const one = pmf(h)
    lo += one.lo
    hi += one.hi
    // The sums are known to far more than the bits that a draw looks at.
    if (hi - lo > 1n << 40n) throw new Error("the cumulative probabilities are too rough")
    return lo
  })
}

let exponentialCells: readonly bigint[] | undefined
let normalCells: readonly bigint[] | undefined

/** Inversion: the outcome h with C_(h-1) <= U < C_h, from 16 bits of U or 32 more at a time. */
function slowCell(sums: readonly bigint[], cell: number, bits: RandomBits): number {
  const u: Prefix = { value: BigInt(cell), count: 16 }
  for (;;) {
    const shift = BigInt(lawBits - u.count)
    const from = u.value << shift
    const to = (u.value + 1n) << shift
    let [below, above] = [-1, sums.length]
    while (above - below > 1) {
      const middle = (above + below) >> 1
      if ((sums[middle] ?? 0n) > from) above = middle
      else below = middle
    }
    if ((sums[above] ?? 0n) >= to) return above
    extend(u, bits)
  }
}

interface Acceptance {
  /** V's first 16 bits. */
  readonly v: number
  readonly u: Prefix
  readonly exponent: (u: bigint, count: number) => Rational
  /** How far from the border, in units of 2^-48, doubles leave the decision to integers. */
  readonly margin: bigint
  /** How many more bits of u than of V the integers look at. */
  readonly moreBits: number
}

const fine = 96

/** Is V < e^-exponent(u)? Reads 32 bits of V, then more of both if it must; says whether it had to. */
function slowAccept(draw: Acceptance, bits: RandomBits): "plain" | "deep" | "no" {
  const { u, exponent, margin, moreBits } = draw
  const v: Prefix = { value: BigInt(draw.v), count: 16 }
  extend(v, bits)
  const [least, most] = [exponent(u.value + 1n, u.count), exponent(u.value, u.count)]
  const quick = quickAccept({ v, least, most, margin })
  if (quick !== undefined) return quick
  const unit = 1n << BigInt(fine - 48)
  const above = v.value * unit - encloseExpNegative(most, fine).hi
  const below = encloseExpNegative(least, fine).lo - (v.value + 1n) * unit
  for (const distance of [above, below]) {
    if (distance > (margin - 2n) * unit && distance < (margin + 2n) * unit) throw new TooNear()
  }
  if (above >= margin * unit) return "no"
  if (below >= margin * unit) return "plain"
  for (;;) {
    const precision = v.count + 16
    while (u.count < precision + moreBits) extend(u, bits)
    const hi = encloseExpNegative(exponent(u.value, u.count), precision).hi
    const lo = encloseExpNegative(exponent(u.value + 1n, u.count), precision).lo
    if ((v.value + 1n) << 16n <= lo) return "deep"
    if (v.value << 16n >= hi) return "no"
    extend(v, bits)
  }
}

/** 1 - x <= e^-x <= 1 - x + x^2/2 decides most cases without an exponential. */
function quickAccept(options: {
  readonly v: Prefix
  readonly least: Rational
  readonly most: Rational
  readonly margin: bigint
}): "plain" | "no" | undefined {
  const { v, least, most, margin } = options
  const unit = 1n << 48n
  if ((v.value + 1n + 2n * margin - unit) * least.denominator <= -least.numerator * unit) return "plain"
  // 1 - x + x^2/2 over the denominator 2 d^2.
  const { numerator: n, denominator: d } = most
  return (v.value - 2n * margin) * 2n * d * d >= (2n * d * d - 2n * n * d + n * n) * unit ? "no" : undefined
}

/** What LazyExponential makes of these words, and of `bits` where they do not decide. */
export function slowExponential(
  draw: {
    readonly scale: Rational
    readonly sign: "one-sided" | "two-sided"
    readonly words: ArrayLike<number>
  },
  bits: RandomBits,
): bigint {
  const { scale, sign, words } = draw
  exponentialCells ??= cumulative(exactGeometricPmf(rational(1n, 64n)), 10_000)
  const isLong = compare(scale, rational(65536n)) > 0
  const [first = 0, second = 0, third = 0] = Array.from(words)
  const h = slowCell(exponentialCells, first & 0xffff, bits)
  const r = second & 0xfff
  let v = first >>> 16
  let [top, more] = [second >>> 12, third]
  for (;;) {
    const u: Prefix = isLong
      ? { value: (BigInt(top) << 32n) | BigInt(more), count: 52 }
      : { value: BigInt(top), count: 20 }
    const exponent = (value: bigint, count: number) => rational(value, 64n << BigInt(count))
    if (slowAccept({ v, u, exponent, margin: 4n, moreBits: 0 }, bits) !== "no") {
      const f = slowFloor({ scale, h, u }, bits)
      return sign === "two-sided" && slowSign(scale, r, bits) ? -1n - f : f
    }
    v = bits.word() >>> 16
    top = bits.word() >>> 12
    more = isLong ? bits.word() : 0
  }
}

/** floor(scale (h + u) / 64). */
function slowFloor(
  { scale, h, u }: { readonly scale: Rational; readonly h: number; readonly u: Prefix },
  bits: RandomBits,
): bigint {
  for (;;) {
    const below = (64n * scale.denominator) << BigInt(u.count)
    const from = ((BigInt(h) << BigInt(u.count)) + u.value) * scale.numerator
    // Up to, but without, from + numerator.
    if (from / below === (from + scale.numerator - 1n) / below) return from / below
    extend(u, bits)
  }
}

const signBits = 400
const signBounds = new WeakMap<Rational, { readonly lo: bigint; readonly hi: bigint }>()

/** q / (1 + q) with q = e^(-1/scale), in units of 2^-signBits. */
function signBoundsOf(scale: Rational): { readonly lo: bigint; readonly hi: bigint } {
  const known = signBounds.get(scale)
  if (known !== undefined) return known
  const q = encloseExpNegative(divide(rational(1n), scale), signBits)
  const unit = 1n << BigInt(signBits)
  const bounds = { lo: (q.lo * unit) / (unit + q.lo), hi: (q.hi * unit) / (unit + q.hi) + 1n }
  signBounds.set(scale, bounds)
  return bounds
}

/** True with probability q / (1 + q), where r are the first 12 bits. */
function slowSign(scale: Rational, r: number, bits: RandomBits): boolean {
  const { lo, hi } = signBoundsOf(scale)
  const u: Prefix = { value: BigInt(r), count: 12 }
  for (;;) {
    const shift = BigInt(signBits - u.count)
    if ((u.value + 1n) << shift <= lo) return true
    if (u.value << shift >= hi) return false
    extend(u, bits)
  }
}

/** What LazyNormal makes of these words, and of `bits` where they do not decide. */
export function slowNormal(
  draw: { readonly variance: Rational; readonly words: ArrayLike<number> },
  bits: RandomBits,
): bigint {
  const { variance, words } = draw
  normalCells ??= cumulative(exactHalfBellPmf(rational(1n, 8192n), 1400), 1400)
  const isLong = compare(variance, rational(1n << 40n)) > 0
  let [first = 0, second = 0, third = 0] = Array.from(words)
  for (;;) {
    const h = slowCell(normalCells, first & 0xffff, bits)
    const u: Prefix = { value: BigInt(second >>> 1), count: 31 }
    const exponent = (value: bigint, count: number) => {
      const unit = 1n << BigInt(count)
      return rational(value * (2n * BigInt(h) * unit + value), 8192n * unit * unit)
    }
    const verdict = slowAccept({ v: first >>> 16, u, exponent, margin: 32n, moreBits: 16 }, bits)
    if (verdict !== "no") {
      const known = verdict === "plain" && isLong ? { value: (u.value << 32n) | BigInt(third), count: 63 } : u
      const size = slowRound({ variance, h, u: known }, bits)
      return second % 2 === 1 ? -size : size
    }
    first = bits.word()
    second = bits.word()
    third = isLong ? bits.word() : 0
  }
}

/** round(sqrt(variance) (h + u) / 64). */
function slowRound(
  { variance, h, u }: { readonly variance: Rational; readonly h: number; readonly u: Prefix },
  bits: RandomBits,
): bigint {
  for (;;) {
    // 2 sqrt(variance) x / (64 * 2^count) is the root of 4 variance x^2 / (4096 * 4^count).
    const rounded = (x: bigint) => {
      const doubled = integerSqrt(
        (4n * variance.numerator * x * x) / ((variance.denominator * 4096n) << BigInt(2 * u.count)),
      )
      return (doubled + 1n) / 2n
    }
    const x = (BigInt(h) << BigInt(u.count)) + u.value
    if (rounded(x) === rounded(x + 1n)) return rounded(x)
    extend(u, bits)
  }
}

/** An enclosure of e^-x with 48 bits, for tests that aim at the border of acceptance. */
export function acceptanceBorder(x: Rational): Enclosure {
  return encloseExpNegative(x, 48)
}
