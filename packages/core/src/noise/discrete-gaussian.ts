// The discrete Gaussian: a bell on the integers themselves, not a rounded one. It is the noise of a site of a
// federation: of several such draws the sum's loss is proven (distributed/share.proof.md), which
// is not so of rounded normals.

import { assert } from "../errors/assert.ts"
import { certifiedExp } from "../exact/certified-exp.ts"
import { numberNear } from "../exact/dyadic.ts"
import { encloseExpNegative } from "../exact/exp.ts"
import { integerSqrt } from "../exact/log.ts"
import {
  divide,
  isPositive,
  multiply,
  rational,
  showRational,
  square,
  subtract,
  type Rational,
} from "../exact/rational.ts"
import { LazyUniform, uniformIsBelow } from "../random/lazy-uniform.ts"
import type { RandomBits } from "../random/random-bits.ts"
import { discreteGaussianOracle } from "./cdf-oracles.ts"
import { fillDiscreteLaplace, sampleDiscreteLaplace } from "./discrete-laplace.ts"
import { fillFromTable } from "./look-up.ts"
import { assertArrayFits, storeDraw, type NoiseArray, type Spill } from "./noise-array.ts"
import { tableFor } from "./table-cache.ts"

/**
 * Draws from the discrete Gaussian law: P(x) proportional to e^(-x^2 / (2 variance)) on the integers.
 *
 * Guarantee: the output has exactly this law, given fair bits.
 * Needs: variance V > 0 (checked here).
 * Proof: with t = floor(sqrt V) + 1, y is proposed with probability proportional to e^(-|y|/t) and accepted
 *   with probability e^(-(|y| - V/t)^2 / (2 V)) <= 1 (isAccepted). The product is e^(-y^2 / (2 V)) times
 *   e^(-V / (2 t^2)), which does not depend on y. A rejected draw starts afresh.
 * Numerics: as sampleDiscreteLaplace and isAccepted: doubles decide only what their error bounds prove.
 * Source: Canonne, Kamath, Steinke 2020, "The discrete Gaussian for differential privacy", algorithm 3.
 */
export function sampleDiscreteGaussian(variance: Rational, rng: RandomBits): bigint {
  assert(isPositive(variance), "a variance is positive")
  const bell = bellOf(variance)
  for (;;) {
    const y = sampleDiscreteLaplace(bell.proposal, rng)
    if (isAccepted(y < 0n ? -y : y, bell, rng)) return y
  }
}

/**
 * Fills `out` with independent discrete Gaussian draws.
 *
 * Guarantee: as sampleDiscreteGaussian, independently; draws that do not fit `out` are in the list returned.
 * Needs: 0 < variance <= 2^48 for an Int32Array, below 2^92 for a Float64Array, since proposals are a little
 *   wider (both checked here).
 * Proof: as sampleDiscreteGaussian or, once enough draws of a small variance were asked for, LazyTable's.
 *   Each place takes the first of its own proposals that is accepted, and proposals are independent.
 * Numerics: as sampleDiscreteGaussian. Which method runs depends on the variance and on counts only.
 * Source: as sampleDiscreteGaussian.
 */
export function fillDiscreteGaussian(out: NoiseArray, variance: Rational, rng: RandomBits): Spill[] {
  assert(isPositive(variance), "a variance is positive")
  const sigma = Math.sqrt(numberNear(variance))
  assertArrayFits(out, sigma)
  const law = { key: `discrete gaussian ${showRational(variance)}`, spread: sigma, draws: out.length }
  const table = tableFor(law, () => discreteGaussianOracle(variance))
  if (table !== undefined) return fillFromTable(out, table, rng)
  const bell = bellOf(variance)
  const spills: Spill[] = []
  const proposals = new Float64Array(Math.min(out.length, proposalsMax))
  for (let place = 0; place < out.length;) {
    const round = proposals.subarray(0, Math.min(proposals.length, out.length - place))
    const large = new Map(fillDiscreteLaplace(round, bell.proposal, rng).map((one) => [one.index, one.value]))
    for (const [index, y] of round.entries()) {
      const exact = large.get(index) ?? y
      const size = exact < 0 ? -exact : exact
      if (!isAccepted(size, bell, rng)) continue
      const spill = storeDraw(out, place, exact)
      if (spill !== undefined) spills.push(spill)
      place += 1
    }
  }
  proposals.fill(0)
  return spills
}

/** Proposals drawn at once. */
const proposalsMax = 8192

/** A bell, and what its proposals are compared with. */
export interface Bell {
  readonly variance: Rational
  /** The scale t of the proposals. */
  readonly proposal: Rational
  /** V / t, and 1 / (2 V) near it. */
  readonly centre: Rational
  readonly centreNear: number
  readonly rateNear: number
}

/** What proposals for a discrete Gaussian of this variance are compared with. */
export function bellOf(variance: Rational): Bell {
  const proposal = rational(integerSqrt(variance.numerator / variance.denominator) + 1n)
  const centre = divide(variance, proposal)
  return {
    variance,
    proposal,
    centre,
    centreNear: numberNear(centre),
    rateNear: numberNear(divide(rational(1n), multiply(rational(2n), variance))),
  }
}

/**
 * True with probability exactly e^-x, x = (|y| - V/t)^2 / (2 V), for a proposal |y|.
 *
 * Guarantee: P(true) = e^-x.
 * Needs: size = |y| >= 0, the bell's own numbers (bellOf); fair bits.
 * Proof: as bernoulliExp: 32 bits of a uniform are known, and decide where that interval lies wholly below or
 *   above every value that e^-x can have given the error of its double; otherwise the uniform is read on
 *   against enclosures of the exact e^-x.
 * Numerics: |y| is a number in batches alone, where V <= 2^92; it is exact below 2^53. V/t <= sqrt V =: s is
 *   within 2^-51 of itself, so d = |y| - V/t is off by at most s 2^-51 + |d| 2^-53, and with 1 / (2 V) within
 *   2^-51 the exponent by at most (|d| / s) 2^-51 + x 2^-49 <= (1 + x) 2^-48, since |d| / s = sqrt(2 x) <= x
 *   + 1/2. certifiedExp adds a part of 2^-48: the factor is within 1 +- (2 + x) 2^-48 (1 + 2^-20), and
 *   `margin` is twice that, in units of 2^-32.
 * Source: lazy inversion; Canonne, Kamath, Steinke 2020, algorithm 3, line 7.
 */
export function isAccepted(size: number | bigint, bell: Bell, rng: RandomBits): boolean {
  const v = rng.word()
  if (typeof size === "number") {
    const d = size - bell.centreNear
    const x = d * d * bell.rateNear
    // Not true of NaN either: where doubles end, only the enclosure decides.
    if (x <= 500 && size < 2 ** 53) {
      const threshold = certifiedExp(x) * 2 ** 32
      const margin = threshold * (2 + x) * 2 ** -47 + 2 ** -20
      if (v + 1 <= threshold - margin) return true
      if (v >= threshold + margin) return false
    }
  }
  const off = square(subtract(rational(BigInt(size)), bell.centre))
  const exponent = divide(off, multiply(rational(2n), bell.variance))
  const known = new LazyUniform(BigInt(v), 32)
  return uniformIsBelow(known, (bits) => encloseExpNegative(exponent, bits), rng)
}
