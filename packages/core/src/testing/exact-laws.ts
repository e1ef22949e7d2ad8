// Single probabilities of the tabled laws as enclosures, each from its formula. The trusted base goes another
// way (powers, ratios, cumulative sums), so the two check each other; both rest on exact/exp.ts and
// normal.ts, which are compared with values from elsewhere.

import { divideUp } from "../exact/enclosure.ts"
import { encloseExpNegative } from "../exact/exp.ts"
import { encloseNormalTail } from "../exact/normal.ts"
import { divide, multiply, rational, square, type Rational } from "../exact/rational.ts"

/** Bits of every enclosure here. */
export const lawBits = 240

/** lo <= 2^lawBits p <= hi. */
export interface Bounds {
  readonly lo: bigint
  readonly hi: bigint
}

/** P(outcome), enclosed. */
export type ExactPmf = (outcome: number) => Bounds

const unit = 1n << BigInt(lawBits)

function expOf(x: Rational): Bounds {
  const { lo, hi } = encloseExpNegative(x, lawBits)
  return { lo, hi: hi < unit ? hi : unit }
}

/** (1 - q) / (1 + q) q^|x|, q = e^(-1/scale). */
export function exactLaplacePmf(scale: Rational): ExactPmf {
  const q = expOf(divide(rational(1n), scale))
  return (outcome) => {
    const power = expOf(divide(rational(BigInt(Math.abs(outcome))), scale))
    return {
      lo: (power.lo * (unit - q.hi)) / (unit + q.hi),
      hi: divideUp(power.hi * (unit - q.lo), unit + q.lo),
    }
  }
}

/** The chance that a normal variable of this variance rounds to x. */
export function exactRoundedGaussianPmf(variance: Rational): ExactPmf {
  const tail = (k: number) =>
    encloseNormalTail(divide(square(rational(BigInt(2 * k + 1), 2n)), variance), lawBits)
  return (outcome) => {
    const size = Math.abs(outcome)
    if (size === 0) return { lo: unit - 2n * tail(0).hi, hi: unit - 2n * tail(0).lo }
    const [inner, outer] = [tail(size - 1), tail(size)]
    return { lo: inner.lo > outer.hi ? inner.lo - outer.hi : 0n, hi: inner.hi - outer.lo }
  }
}

/** (1 - q) q^h, q = e^-x. */
export function exactGeometricPmf(x: Rational): ExactPmf {
  const q = expOf(x)
  return (outcome) => {
    const power = expOf(multiply(x, rational(BigInt(outcome))))
    const shift = BigInt(lawBits)
    return { lo: (power.lo * (unit - q.hi)) >> shift, hi: ((power.hi * (unit - q.lo)) >> shift) + 1n }
  }
}

/** e^(-x h^2) over its sum, h >= 0. `last` is an h beyond which less than a unit is left. */
export function exactHalfBellPmf(x: Rational, last: number): ExactPmf {
  const weight = (h: number) => expOf(multiply(x, rational(BigInt(h * h))))
  let [lo, hi] = [0n, 2n]
  for (let h = 0; h <= last; h += 1) {
    const one = weight(h)
    lo += one.lo
    hi += one.hi
  }
  return (outcome) => {
    const one = weight(outcome)
    return { lo: (one.lo * unit) / hi, hi: divideUp(one.hi * unit, lo) }
  }
}

/** e^(-x^2 / (2 variance)) over its sum. `last` is an x beyond which less than a unit is left. */
export function exactDiscreteGaussianPmf(variance: Rational, last: number): ExactPmf {
  const weight = (x: number) => expOf(divide(rational(BigInt(x * x)), multiply(rational(2n), variance)))
  let [lo, hi] = [0n, 2n]
  for (let x = -last; x <= last; x += 1) {
    const one = weight(x)
    lo += one.lo
    hi += one.hi
  }
  return (outcome) => {
    const one = weight(outcome)
    return { lo: (one.lo * unit) / hi, hi: divideUp(one.hi * unit, lo) }
  }
}

/** e^-mean mean^k / k! with mean `times` (q + q^2 / 2 + q^3 / 3 + ...), q = e^(-1/scale). */
export function exactJumpCountPmf(scale: Rational, times: Rational): ExactPmf {
  const q = expOf(divide(rational(1n), scale))
  const shift = BigInt(lawBits)
  let [sumLo, sumHi] = [0n, 0n]
  let power = q
  for (let k = 1n; ; k += 1n) {
    sumLo += power.lo / k
    sumHi += divideUp(power.hi, k)
    if (power.lo === 0n) {
      // The rest is below a geometric series.
      sumHi += divideUp(power.hi * unit, unit - q.hi)
      break
    }
    power = { lo: (power.lo * q.lo) >> shift, hi: ((power.hi * q.hi) >> shift) + 1n }
  }
  const mean = {
    lo: (sumLo * times.numerator) / times.denominator,
    hi: divideUp(sumHi * times.numerator, times.denominator),
  }
  const least = expOf(rational(mean.hi, unit)).lo
  const most = expOf(rational(mean.lo, unit)).hi
  return (outcome) => {
    if (outcome < 0) return { lo: 0n, hi: 0n }
    let [lo, hi] = [least, most]
    for (let k = 1n; k <= BigInt(outcome); k += 1n) {
      lo = ((lo * mean.lo) >> shift) / k
      hi = divideUp(((hi * mean.hi) >> shift) + 1n, k)
    }
    return { lo, hi }
  }
}

/** e^-mean mean^k / k!. */
export function exactPoissonPmf(mean: Rational): ExactPmf {
  const power = expOf(mean)
  return (outcome) => {
    if (outcome < 0) return { lo: 0n, hi: 0n }
    const k = BigInt(outcome)
    let below = mean.denominator ** k
    for (let i = 2n; i <= k; i += 1n) below *= i
    const above = mean.numerator ** k
    return { lo: (power.lo * above) / below, hi: divideUp(power.hi * above, below) }
  }
}

/** The binomial formula, with no rounding but to the unit. */
export function exactBinomialPmf(trials: number, p: Rational): ExactPmf {
  return (outcome) => {
    if (outcome < 0 || outcome > trials) return { lo: 0n, hi: 0n }
    let choose = 1n
    for (let i = 1n; i <= BigInt(outcome); i += 1n) choose = (choose * (BigInt(trials) - i + 1n)) / i
    const failures = BigInt(trials - outcome)
    const above = choose * p.numerator ** BigInt(outcome) * (p.denominator - p.numerator) ** failures
    const below = p.denominator ** BigInt(trials)
    return { lo: (above * unit) / below, hi: divideUp(above * unit, below) }
  }
}
