// Parts of a discrete Laplace draw: `parts` independent ones add up to exactly one. A part is a Poisson
// number of jumps up or down, and jump sizes follow the logarithmic law.

import { assert } from "../errors/assert.ts"
import { numberNear } from "../exact/dyadic.ts"
import { encloseExpNegative } from "../exact/exp.ts"
import { divide, floor, isPositive, rational, showRational, type Rational } from "../exact/rational.ts"
import { bernoulli, bernoulliExp } from "../random/bernoulli.ts"
import { lazyUniform, uniformIsBelow } from "../random/lazy-uniform.ts"
import type { RandomBits } from "../random/random-bits.ts"
import { uniformBelow, uniformBelowBig } from "../random/uniform.ts"
import { jumpCountOracle } from "./cdf-oracles.ts"
import type { LazyTable } from "./lazy-table.ts"
import { fillFromTable } from "./look-up.ts"
import { assertArrayFits, storeDraw, type NoiseArray, type Spill } from "./noise-array.ts"
import { requireTable } from "./table-cache.ts"

/** A discrete Laplace law of this scale, in so many equal parts. */
export interface LaplaceParts {
  readonly scale: Rational
  readonly parts: bigint
}

/** Wider scales are refused: nothing that is drawn from a table of jumps has been tried beyond. */
const scaleMax = 1n << 64n
const partsMax = 1n << 20n

/**
 * Draws one part: the difference of two negative binomial variables of shape 1 / parts and ratio q =
 * e^(-1/scale).
 *
 * Guarantee: the sum of `parts` independent draws has exactly the discrete Laplace law of this scale.
 * Needs: 0 < scale <= 2^64 and 1 <= parts <= 2^20 (checked here).
 * Proof: with L = ln(1 / (1 - q)), jumps J = +-K, K logarithmic, have E e^(itJ) = -(ln(1 - q e^(it)) + ln(1 -
 *   q e^(-it))) / (2 L). A Poisson number of them with mean 2 L / parts has E e^(itX) = e^(2 L (E e^(itJ) -
 *   1) / parts), the power 1 / parts of (1 - q)^2 / ((1 - q e^(it)) (1 - q e^(-it))): and that is E e^(itZ)
 *   of P(Z = z) = (1 - q) / (1 + q) q^|z|. Independent draws multiply; characteristic functions are unique.
 * Numerics: the number of jumps is LazyTable's on enclosures; sizes as sampleLogarithmic; signs are fair
 *   bits.
 * Source: Goryczka and Xiong 2017, for shares of Laplace noise; Feller 1968, section XII.2, for jumps.
 */
export function sampleLaplaceShare(law: LaplaceParts, rng: RandomBits): bigint {
  return jumpsOf(tableOf(law).sample(rng), law.scale, rng)
}

/**
 * Fills `out` with independent parts.
 *
 * Guarantee: as sampleLaplaceShare, independently; draws that do not fit `out` are in the list returned.
 * Needs: as sampleLaplaceShare; scale <= 2^24 for an Int32Array, 2^46 for a Float64Array (checked here).
 * Proof: as sampleLaplaceShare; every place has a number of jumps of its own, and jumps of its own.
 * Numerics: as sampleLaplaceShare.
 * Source: as sampleLaplaceShare.
 */
export function fillLaplaceShares(out: NoiseArray, law: LaplaceParts, rng: RandomBits): Spill[] {
  assertArrayFits(out, numberNear(law.scale))
  const spills = fillFromTable(out, tableOf(law), rng)
  assert(spills.length === 0, "the number of jumps is small")
  for (const [index, count] of out.entries()) {
    if (count === 0) continue
    const spill = storeDraw(out, index, jumpsOf(count, law.scale, rng))
    if (spill !== undefined) spills.push(spill)
  }
  return spills
}

/**
 * Draws from the logarithmic law: P(k) proportional to q^k / k, k = 1, 2, ..., with q = e^(-1/scale).
 *
 * Guarantee: the output has exactly this law, given fair bits.
 * Needs: scale > 0 (the callers check it).
 * Proof: let 2^top be the least power that is not below the scale, or 1. A block j is proposed: each j < top
 *   with probability 1 / (top + 1), and top + g with 2^-(g + 1) / (top + 1); then k in [2^j, 2^(j+1)) with
 *   2^-j. It is accepted with probability (2^j / k) e^(-k/scale), times 2^(g + 1) in blocks top + g. The
 *   product is e^(-k/scale) / k / (top + 1) for every k. The factor is a probability: k / scale >= 2^g there,
 *   and 2^(g + 1) e^(-2^g) < 1. A rejected draw starts afresh.
 * Numerics: integers and enclosures; no double decides but as bernoulliExp's bounds prove.
 * Source: rejection from dyadic blocks; compare Devroye 1986, section X.5.
 */
export function sampleLogarithmic(scale: Rational, rng: RandomBits): bigint {
  const top = topBlock(scale)
  for (;;) {
    const choice = uniformBelow(top + 1, rng)
    const beyond = choice < top ? undefined : trailingFlips(rng)
    const start = 1n << BigInt(choice + (beyond ?? 0))
    const k = start + uniformBelowBig(start, rng)
    if (!bernoulli(rational(start, k), rng)) continue
    const exponent = divide(rational(k), scale)
    const isTaken =
      beyond === undefined ? bernoulliExp(exponent, rng) : isBelowShifted(exponent, beyond + 1, rng)
    if (isTaken) return k
  }
}

/** True with probability e^-exponent 2^bits, which is at most 1. */
function isBelowShifted(exponent: Rational, bits: number, rng: RandomBits): boolean {
  const enclose = (precision: number) => ({
    ...encloseExpNegative(exponent, precision + bits),
    bits: precision,
  })
  return uniformIsBelow(lazyUniform(rng), enclose, rng)
}

/** The least j >= 0 with 2^j >= scale. */
function topBlock(scale: Rational): number {
  const whole = floor(scale)
  const above = whole * scale.denominator === scale.numerator ? whole : whole + 1n
  return above <= 1n ? 0 : (above - 1n).toString(2).length
}

/** How many fair coins come up heads before the first that does not: g with probability 2^-(g + 1). */
function trailingFlips(rng: RandomBits): number {
  for (let count = 0; ; count += 32) {
    const zeros = Math.clz32(rng.word())
    if (zeros < 32) return count + zeros
  }
}

function jumpsOf(count: number, scale: Rational, rng: RandomBits): bigint {
  let sum = 0n
  for (let left = count; left > 0; left -= 1) {
    const size = sampleLogarithmic(scale, rng)
    sum += rng.word() >>> 31 === 1 ? -size : size
  }
  return sum
}

function tableOf({ scale, parts }: LaplaceParts): LazyTable {
  assert(isPositive(scale) && floor(scale) < scaleMax, "a scale lies in (0, 2^64)")
  assert(parts >= 1n && parts <= partsMax, "a law has 1 to 2^20 parts")
  return requireTable(`jumps ${showRational(scale)} ${parts}`, () =>
    jumpCountOracle(scale, rational(2n, parts)),
  )
}
