// Choosing one of many by score, exactly: the softmax law (argmax with Gumbel noise) by inversion, and argmax
// with exponential or Laplace noise by lazily revealed reals. Time depends on how many candidates there are
// and on the choice, which is public; not on the scores.

import { assert } from "../errors/assert.ts"
import { certifiedExp } from "../exact/certified-exp.ts"
import { numberNear } from "../exact/dyadic.ts"
import { encloseExpNegative } from "../exact/exp.ts"
import { isPositive, rational, type Rational } from "../exact/rational.ts"
import { LazyUniform } from "../random/lazy-uniform.ts"
import type { RandomBits } from "../random/random-bits.ts"
import { drawExponential } from "./lazy-exponential.ts"

/** Candidates with integer scores; `weights` (1 each if left out) multiply their probabilities. */
export interface Candidates {
  readonly scores: readonly bigint[]
  readonly weights?: readonly bigint[]
}

/**
 * Draws index i with probability proportional to weight_i e^(rate score_i).
 *
 * Guarantee: exactly these probabilities, given fair bits. With unit weights this is the law of the argmax of
 *   rate score_i + G_i for independent Gumbel G_i.
 * Needs: at least one candidate, rate > 0, weights > 0 and as many as scores (checked here).
 * Proof: inversion of one uniform U over the cumulative sums. In doubles each sum is within `slack` of the
 *   truth, so an index is returned only if U is farther than that from both its ends; else U is read on and
 *   compared with enclosures (softmaxDeep). No bit that was seen is redrawn.
 * Numerics: a term's relative error is below 2^-48 + 700 * 2^-49 < 2^-39 (certifiedExp; the rounding of its
 *   argument, at most 700), terms beyond e^-700 = 2^-1009 count as 0 (weights up to 2^512 cannot make up for
 *   that; greater ones go to softmaxDeep), and n additions add n 2^-53: slack covers all, twice.
 * Source: McSherry and Talwar 2007; Gumbel-max: Yellott 1977.
 */
export function sampleSoftmax(candidates: Candidates, rate: Rational, rng: RandomBits): number {
  const { scores, weights } = candidates
  assert(scores.length > 0 && isPositive(rate), "there is a candidate, and a positive rate")
  assert(weights === undefined || weights.length === scores.length, "each candidate has a weight")
  const gaps = gapsOf(scores)
  const sums = new Float64Array(scores.length)
  const slope = plainSlope(rate)
  let sum = 0
  for (let i = 0; i < gaps.length; i += 1) {
    const y = Number(gaps[i] ?? 0n) * slope
    // NaN, from a slope or a weight that is not plain, makes every sum after it NaN: nothing is certain then.
    const term = certifiedExp(y > 700 ? 700 : y) * (y > 700 ? 0 : 1)
    const weight = Number(weights?.[i] ?? 1n)
    assert(weight > 0, "weights are positive")
    sum += weight <= weightMax ? term * weight : Number.NaN
    sums[i] = sum
  }
  const u = (rng.word() >>> 5) * 2 ** 26 + (rng.word() >>> 6)
  const target = u * 2 ** -53 * sum
  const slack = sum * (2 ** -38 + scores.length * 2 ** -51)
  const index = firstAbove(sums, target + slack)
  const isCertain = index < sums.length && (index === 0 || (sums[index - 1] ?? 0) < target - slack)
  return isCertain ? index : softmaxDeep({ gaps, weights, rate }, new LazyUniform(BigInt(u), 53), rng)
}

/**
 * Draws the index with the greatest rate score_i + N_i, for independent standard exponential or Laplace N_i.
 *
 * Guarantee: exactly the law of this argmax, given fair bits. With exponential noise it is permute-and-flip.
 * Needs: at least one candidate, rate > 0 (checked here); no weights.
 * Proof: each noise is known to an interval; if one candidate's lower end exceeds all other upper ends it is
 *   the argmax. Otherwise the candidates that can still win reveal more bits of their own u. Ties have
 *   probability 0.
 * Numerics: keys in doubles are within `tolerance` (2^-44 of their size, plus 2^-44); contenders are compared
 *   in integers.
 * Source: Ding, Kifer and others 2021, "The permute-and-flip mechanism is identical to report-noisy-max with
 *   exponential noise"; Dwork and Roth 2014, section 3.3, for Laplace.
 */
export function sampleNoisyArgmax(
  scores: readonly bigint[],
  rate: Rational,
  noise: "exponential" | "laplace",
  rng: RandomBits,
): number {
  assert(scores.length > 0 && isPositive(rate), "there is a candidate, and a positive rate")
  const slope = plainSlope(rate)
  const runners = gapsOf(scores).map((gap, index): Runner => {
    const { h, u } = drawExponential(rng)
    const isNegative = noise === "laplace" && rng.word() >>> 31 === 1
    const lazy = u.lazy ?? new LazyUniform(BigInt(u.value), u.bits)
    const size = (h + u.value * 2 ** -20) / 64
    const drop = Number(gap) * slope
    const key = (isNegative ? -size : size) - drop
    const tolerance = (size + drop + 1) * 2 ** -44
    const width = 2 ** -26
    return {
      index,
      gap,
      h: BigInt(h),
      u: lazy,
      isNegative,
      from: key - tolerance - (isNegative ? width : 0),
      to: key + tolerance + (isNegative ? 0 : width),
    }
  })
  const best = runners.reduce((most, runner) => Math.max(most, runner.from), -Infinity)
  // With a slope that is not plain, `best` is NaN and nobody is left out.
  return decideRace(
    runners.filter((runner) => !(runner.to < best)),
    rate,
    rng,
  )
}

/** The largest weight that doubles may judge. */
const weightMax = 2 ** 512

/** The rate as a double, or NaN if products with it could overflow or lose bits. */
function plainSlope(rate: Rational): number {
  const slope = numberNear(rate)
  return slope > 2 ** -512 && slope < 2 ** 512 ? slope : Number.NaN
}

interface Runner {
  readonly index: number
  readonly gap: bigint
  readonly h: bigint
  readonly u: LazyUniform
  readonly isNegative: boolean
  /** The key lies in [from, to]. */
  readonly from: number
  readonly to: number
}

/** Compares contenders exactly, revealing bits until one is left. */
function decideRace(contenders: readonly Runner[], rate: Rational, rng: RandomBits): number {
  let left = contenders
  for (let bits = 64; left.length > 1; bits += 64) {
    // All keys on one denominator: some may have shown more bits when they were accepted.
    const count = left.reduce((most, runner) => Math.max(most, runner.u.count), bits)
    for (const runner of left) runner.u.extendTo(count, rng)
    const ends = left.map((runner) => keyEnds(runner, rate))
    const best = ends.reduce((most, [from]) => (from > most ? from : most), (ends[0] ?? [0n, 0n])[0])
    left = left.filter((_, i) => (ends[i] ?? [0n, 0n])[1] >= best)
  }
  const [winner] = left
  assert(winner !== undefined, "one contender is left")
  return winner.index
}

/** The key of a runner times 64 denominator 2^count, between two integers. */
function keyEnds(runner: Runner, rate: Rational): [from: bigint, to: bigint] {
  const shift = BigInt(runner.u.count)
  const size = (runner.h << shift) + runner.u.value
  const drop = (runner.gap * rate.numerator * 64n) << shift
  const sizes = runner.isNegative ? [-size - 1n, -size] : [size, size + 1n]
  return [(sizes[0] ?? 0n) * rate.denominator - drop, (sizes[1] ?? 0n) * rate.denominator - drop]
}

/** How far each score is below the greatest. */
function gapsOf(scores: readonly bigint[]): bigint[] {
  const top = scores.reduce((most, score) => (score > most ? score : most), scores[0] ?? 0n)
  return scores.map((score) => top - score)
}

/** The first index whose sum exceeds the target; the length if none does. */
function firstAbove(sums: Float64Array, target: number): number {
  let from = 0
  let to = sums.length
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((sums[middle] ?? 0) > target) to = middle
    else from = middle + 1
  }
  return from
}

interface Softmax {
  readonly gaps: readonly bigint[]
  readonly weights: readonly bigint[] | undefined
  readonly rate: Rational
}

/** Inversion in integers: reads U on until its interval lies inside one candidate's stretch. */
function softmaxDeep(law: Softmax, u: LazyUniform, rng: RandomBits): number {
  for (;;) {
    u.extend(rng)
    const bits = u.count + 64
    const terms = law.gaps.map((gap, i) => {
      const term = encloseExpNegative(rational(gap * law.rate.numerator, law.rate.denominator), bits)
      const weight = law.weights?.[i] ?? 1n
      return { lo: term.lo * weight, hi: term.hi * weight }
    })
    const totalLo = terms.reduce((sum, term) => sum + term.lo, 0n)
    const totalHi = terms.reduce((sum, term) => sum + term.hi, 0n)
    const shift = BigInt(u.count)
    let beforeHi = 0n
    let upToLo = 0n
    for (const [index, term] of terms.entries()) {
      upToLo += term.lo
      // U total lies in [value totalLo, (value + 1) totalHi) / 2^count.
      const startsAfter = beforeHi << shift <= u.value * totalLo
      if (startsAfter && (u.value + 1n) * totalHi <= upToLo << shift) return index
      beforeHi += term.hi
    }
  }
}
