// Two-sided geometric noise on the integers, with any rational scale: the noise of the Laplace mechanism.

import { assert } from "../errors/assert.ts"
import { numberNear } from "../exact/dyadic.ts"
import { isPositive, showRational, type Rational } from "../exact/rational.ts"
import type { RandomBits } from "../random/random-bits.ts"
import { drawOne, fillBatch } from "./batch.ts"
import { laplaceOracle } from "./cdf-oracles.ts"
import { LazyExponential } from "./lazy-exponential.ts"
import { fillFromTable } from "./look-up.ts"
import { assertArrayFits, type NoiseArray, type Spill } from "./noise-array.ts"
import { tableFor } from "./table-cache.ts"

/**
 * Draws from the discrete Laplace law P(x) = (1 - q) / (1 + q) q^|x| on the integers, with q = e^(-1/scale).
 *
 * Guarantee: the output has exactly this law, given fair bits.
 * Needs: scale > 0 (checked here).
 * Proof: let f be geometric with ratio q and N an independent coin with P(N) = q / (1 + q). The output is
 *   -1 - f if N, else f: P(x) = (1-q) q^x / (1+q) for x >= 0, and q/(1+q) (1-q) q^(-x-1) = the same for x <
 *   0. LazyExponential draws f and N exactly: see lazy-exponential.proof.md.
 * Numerics: doubles decide only what their error bounds prove; everything else is decided in integers.
 * Source: Inusah and Kozubowski 2006 for the law; Canonne, Kamath, Steinke 2020, algorithm 2, for its use.
 */
export function sampleDiscreteLaplace(scale: Rational, rng: RandomBits): bigint {
  assert(isPositive(scale), "a scale is positive")
  return drawOne(new LazyExponential(scale, "two-sided"), rng)
}

/**
 * Fills `out` with independent discrete Laplace draws.
 *
 * Guarantee: as sampleDiscreteLaplace, independently; draws that do not fit `out` are in the list returned.
 * Needs: 0 < scale <= 2^24 for an Int32Array, 2^46 for a Float64Array (checked here).
 * Proof: as sampleDiscreteLaplace or, once enough draws of a small scale were asked for, LazyTable's.
 * Numerics: as sampleDiscreteLaplace. Which method runs depends on the scale and on counts only.
 * Source: as sampleDiscreteLaplace.
 */
export function fillDiscreteLaplace(out: NoiseArray, scale: Rational, rng: RandomBits): Spill[] {
  assert(isPositive(scale), "a scale is positive")
  const s = numberNear(scale)
  assertArrayFits(out, s)
  const law = { key: `laplace ${showRational(scale)}`, spread: s, draws: out.length }
  const table = tableFor(law, () => laplaceOracle(scale))
  if (table !== undefined) return fillFromTable(out, table, rng)
  return fillBatch(out, new LazyExponential(scale, "two-sided"), rng)
}
