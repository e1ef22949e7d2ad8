// The laws that are tabled, each as enclosures of its cumulative probabilities by interval arithmetic on big
// integers: floors below, ceilings above. Working precision exceeds the precision asked by 64 bits.

import { divideUp, shiftUp, type Enclosure } from "../exact/enclosure.ts"
import { encloseExpNegative } from "../exact/exp.ts"
import { encloseLn } from "../exact/log.ts"
import { encloseNormalTail } from "../exact/normal.ts"
import { bitLength, divide, multiply, rational, square, type Rational } from "../exact/rational.ts"
import { cumulativeOfWeights, type CdfOracle, type Cumulative } from "./cdf-oracle.ts"

const guardBits = 64

/** 0, 1, -1, 2, -2, ...: the ranks of a symmetric law. */
export function symmetricOutcome(rank: number): number {
  const magnitude = (rank + 1) >> 1
  return rank % 2 === 1 ? magnitude : 0 - magnitude // Never -0.
}

/** Discrete Laplace: P(x) = (1 - q) / (1 + q) q^|x| with q = e^(-1/scale). */
export function laplaceOracle(scale: Rational): CdfOracle {
  return {
    outcome: symmetricOutcome,
    cumulative: (bits) => {
      const work = bits + guardBits
      const unit = 1n << BigInt(work)
      const powers = expPowers(divide(rational(1n), scale), work)
      const q = powers[1] ?? { lo: 0n, hi: 1n, bits: work }
      const lo: bigint[] = []
      const hi: bigint[] = []
      for (const p of powers.slice(1)) {
        // C_2k = 1 - 2 q^(k+1) / (1 + q), and C_(2k+1) = 1 - q^(k+1).
        lo.push(unit - divideUp(2n * p.hi * unit, unit + q.lo), unit - p.hi)
        hi.push(unit - (2n * p.lo * unit) / (unit + q.hi), unit - p.lo)
      }
      return narrow({ lo, hi })
    },
  }
}

/** The normal law of the given variance, rounded to the nearest integer. */
export function roundedGaussianOracle(variance: Rational): CdfOracle {
  return {
    outcome: symmetricOutcome,
    cumulative: (bits) => {
      const work = bits + guardBits
      const unit = 1n << BigInt(work)
      const lo: bigint[] = []
      const hi: bigint[] = []
      let before: Enclosure = { lo: unit / 2n, hi: unit / 2n, bits: work }
      for (let k = 0n; ; k += 1n) {
        // P(X > k) is the tail from k + 1/2.
        const tail = encloseNormalTail(divide(square(rational(2n * k + 1n, 2n)), variance), work)
        if (k > 0n) {
          // Rank 2k - 1 is the outcome k: everything but the tail above k and the tail below -k + 1/2.
          lo.push(unit - tail.hi - before.hi)
          hi.push(unit - tail.lo - before.lo)
        }
        lo.push(unit - 2n * tail.hi)
        hi.push(unit - 2n * tail.lo)
        if (tail.hi >> BigInt(guardBits - 2) === 0n) return narrow({ lo, hi })
        before = tail
      }
    },
  }
}

/** One-sided geometric: P(h) = (1 - q) q^h with q = e^-x. */
export function geometricOracle(x: Rational): CdfOracle {
  return {
    outcome: (rank) => rank,
    cumulative: (bits) => {
      const unit = 1n << BigInt(bits + guardBits)
      const powers = expPowers(x, bits + guardBits).slice(1)
      return narrow({ lo: powers.map((p) => unit - p.hi), hi: powers.map((p) => unit - p.lo) })
    },
  }
}

/** Half a bell on the integers: P(h) proportional to e^(-x h^2), h >= 0. */
export function halfBellOracle(x: Rational): CdfOracle {
  return {
    outcome: (rank) => rank,
    cumulative: (bits) => {
      const work = bits + guardBits
      const shift = BigInt(work)
      const ratioStep = encloseExpNegative(multiply(rational(2n), x), work)
      const lo: bigint[] = []
      const hi: bigint[] = []
      let weight: Enclosure = { lo: 1n << shift, hi: 1n << shift, bits: work }
      let ratio = encloseExpNegative(x, work)
      while (weight.hi >> BigInt(guardBits - 2) !== 0n) {
        lo.push(weight.lo)
        hi.push(weight.hi)
        weight = times(weight, ratio)
        ratio = times(ratio, ratioStep)
      }
      // From here each weight is at most the one before times ratio.hi.
      const tailHi = divideUp(weight.hi << shift, (1n << shift) - ratio.hi)
      return cumulativeOfWeights({ lo, hi, tailHi }, bits)
    },
  }
}

/** The discrete Gaussian: P(x) proportional to e^(-x^2 / (2 variance)), on all integers. */
export function discreteGaussianOracle(variance: Rational): CdfOracle {
  const rate = divide(rational(1n), multiply(rational(2n), variance))
  return {
    outcome: symmetricOutcome,
    cumulative: (bits) => {
      const work = bits + guardBits
      const shift = BigInt(work)
      const ratioStep = encloseExpNegative(multiply(rational(2n), rate), work)
      const lo = [1n << shift]
      const hi = [1n << shift]
      let ratio = encloseExpNegative(rate, work)
      let weight = ratio
      while (weight.hi >> BigInt(guardBits - 2) !== 0n) {
        lo.push(weight.lo, weight.lo)
        hi.push(weight.hi, weight.hi)
        ratio = times(ratio, ratioStep)
        weight = times(weight, ratio)
      }
      // From here each weight is at most the one before times ratio.hi, on both sides.
      const tailHi = 2n * divideUp(weight.hi << shift, (1n << shift) - ratio.hi)
      return cumulativeOfWeights({ lo, hi, tailHi }, bits)
    },
  }
}

/**
 * Poisson whose mean is `times` ln(1 / (1 - q)), q = e^(-1/scale): how often a part of a discrete Laplace
 * law jumps (sampleLaplaceShare).
 */
export function jumpCountOracle(scale: Rational, times: Rational): CdfOracle {
  return {
    outcome: (rank) => rank,
    cumulative: (bits) => {
      // 1 - q is about 1 / scale: as many bits are lost as the scale has.
      const work = bits + guardBits + bitLength(scale.numerator / scale.denominator)
      const shift = BigInt(work)
      const unit = 1n << shift
      const mean = jumpMean(scale, times, work)
      const lo: bigint[] = []
      const hi: bigint[] = []
      let weight: Enclosure = { lo: unit, hi: unit, bits: work }
      for (let k = 1n; ; k += 1n) {
        lo.push(weight.lo)
        hi.push(weight.hi)
        const above = { lo: weight.lo * mean.lo, hi: weight.hi * mean.hi }
        weight = { lo: (above.lo >> shift) / k, hi: divideUp(shiftUp(above.hi, shift), k), bits: work }
        // Later weights fall at least by half each time.
        if (weight.hi >> BigInt(guardBits - 2) === 0n && 2n * mean.hi < k << shift) break
      }
      return cumulativeOfWeights({ lo, hi, tailHi: 2n * weight.hi }, bits)
    },
  }
}

/** `times` ln(1 / (1 - q)), enclosed. */
function jumpMean(scale: Rational, times: Rational, bits: number): Enclosure {
  const q = encloseExpNegative(divide(rational(1n), scale), bits)
  const unit = 1n << BigInt(bits)
  const { numerator, denominator } = times
  const lo = encloseLn(rational(unit, unit - q.lo), bits).lo
  const hi = encloseLn(rational(unit, unit - q.hi), bits).hi
  return { lo: (lo * numerator) / denominator, hi: divideUp(hi * numerator, denominator), bits }
}

/** Poisson with rational mean, outcomes counted from the mode. */
export function poissonOracle(mean: Rational): CdfOracle & { readonly mode: bigint } {
  const mode = mean.numerator / mean.denominator
  return {
    mode,
    ...outwardOracle(
      (k) => (mode + k >= 0n ? divide(mean, rational(mode + k + 1n)) : rational(0n)),
      (k) => divide(rational(mode + k), mean),
    ),
  }
}

/** Binomial(trials, p), outcomes counted from the mode. */
export function binomialOracle(trials: bigint, p: Rational): CdfOracle & { readonly mode: bigint } {
  const odds = divide(p, rational(p.denominator - p.numerator, p.denominator))
  const mode = ((trials + 1n) * p.numerator) / p.denominator
  const up = (k: bigint) => multiply(rational(trials - mode - k, mode + k + 1n), odds)
  const down = (k: bigint) => divide(rational(mode + k, trials - mode - k + 1n), odds)
  // A small binomial may have dyadic cumulative probabilities, which only exact weights can place.
  const isSmall = trials * BigInt(bitLength(p.denominator)) <= 4096n
  return {
    mode,
    ...(isSmall ? exactOracle(exactBinomial(trials, p), Number(mode)) : outwardOracle(up, down)),
  }
}

/** The weights of a binomial as integers, for outcomes 0 .. trials. */
function exactBinomial(trials: bigint, p: Rational): bigint[] {
  const weights: bigint[] = []
  let choose = 1n
  for (let k = 0n; k <= trials; k += 1n) {
    weights.push(choose * p.numerator ** k * (p.denominator - p.numerator) ** (trials - k))
    choose = (choose * (trials - k)) / (k + 1n)
  }
  return weights
}

/** A finite law by exact integer weights of the outcomes -mode .. , counted from the mode. */
function exactOracle(weights: readonly bigint[], mode: number): CdfOracle {
  const ranks = 2 * Math.max(mode, weights.length - 1 - mode) + 1
  const ranked = Array.from({ length: ranks }, (_, rank) => weights[mode + symmetricOutcome(rank)] ?? 0n)
  return {
    outcome: symmetricOutcome,
    cumulative: (bits) => cumulativeOfWeights({ lo: ranked, hi: ranked, tailHi: 0n }, bits),
  }
}

/**
 * A law by its ratios outward from its mode: upRatio(k) = P(k+1) / P(k), downRatio(k) = P(k-1) / P(k), with k
 * counted from the mode. All ratios on the way out are at most 1 and falling, so errors do not grow.
 */
function outwardOracle(upRatio: (k: bigint) => Rational, downRatio: (k: bigint) => Rational): CdfOracle {
  return {
    outcome: symmetricOutcome,
    cumulative: (bits) => {
      const work = bits + guardBits
      const up = outwardWeights(upRatio, 1n, work)
      const down = outwardWeights(downRatio, -1n, work)
      const unit = 1n << BigInt(work)
      const lo = [unit]
      const hi = [unit]
      for (let k = 0; k < Math.max(up.lo.length, down.lo.length); k += 1) {
        lo.push(up.lo[k] ?? 0n, down.lo[k] ?? 0n)
        hi.push(up.hi[k] ?? 0n, down.hi[k] ?? 0n)
      }
      return cumulativeOfWeights({ lo, hi, tailHi: up.tailHi + down.tailHi }, bits)
    },
  }
}

function outwardWeights(ratio: (k: bigint) => Rational, step: bigint, bits: number): OutwardWeights {
  const lo: bigint[] = []
  const hi: bigint[] = []
  let low = 1n << BigInt(bits)
  let high = low
  for (let k = 0n; ; k += step) {
    const { numerator, denominator } = ratio(k)
    if (numerator <= 0n) return { lo, hi, tailHi: 0n }
    low = (low * numerator) / denominator
    high = divideUp(high * numerator, denominator)
    lo.push(low)
    hi.push(high)
    if (high >> BigInt(guardBits - 2) === 0n && numerator < denominator) {
      return { lo, hi, tailHi: divideUp(high * numerator, denominator - numerator) }
    }
  }
}

interface OutwardWeights {
  readonly lo: readonly bigint[]
  readonly hi: readonly bigint[]
  readonly tailHi: bigint
}

/** e^(-j x) for j = 0, 1, ... until it is below the precision that will be kept. */
function expPowers(x: Rational, bits: number): Enclosure[] {
  const base = encloseExpNegative(x, bits)
  const powers: Enclosure[] = [{ lo: 1n << BigInt(bits), hi: 1n << BigInt(bits), bits }]
  let power = base
  for (;;) {
    powers.push(power)
    if (power.hi >> BigInt(guardBits - 2) === 0n) return powers
    power = times(power, base)
  }
}

function times(a: Enclosure, b: Enclosure): Enclosure {
  const shift = BigInt(a.bits)
  return { lo: (a.lo * b.lo) >> shift, hi: shiftUp(a.hi * b.hi, shift), bits: a.bits }
}

/** Drops the guard bits, outward. */
function narrow(wide: Cumulative): Cumulative {
  const shift = BigInt(guardBits)
  return { lo: wide.lo.map((v) => v >> shift), hi: wide.hi.map((v) => shiftUp(v, shift)) }
}
