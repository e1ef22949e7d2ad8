// One-sided geometric noise: floor of a scaled exponential.

import { assert } from "../errors/assert.ts"
import { numberNear } from "../exact/dyadic.ts"
import { isPositive, type Rational } from "../exact/rational.ts"
import type { RandomBits } from "../random/random-bits.ts"
import { drawOne, fillBatch } from "./batch.ts"
import { LazyExponential } from "./lazy-exponential.ts"
import { assertArrayFits, type NoiseArray, type Spill } from "./noise-array.ts"

/**
 * Draws from the geometric law P(x) = (1 - q) q^x, x = 0, 1, 2, ..., with q = e^(-1/scale).
 *
 * Guarantee: the output has exactly this law, given fair bits.
 * Needs: scale > 0 (checked here).
 * Proof: floor(s E) >= x exactly when E >= x/s, which has probability q^x. LazyExponential draws floor(s E)
 *   exactly: see lazy-exponential.proof.md.
 * Numerics: doubles decide only what their error bounds prove; everything else is decided in integers.
 * Source: Canonne, Kamath, Steinke 2020, section 5.2, for the law; lazy inversion for the method.
 */
export function sampleGeometric(scale: Rational, rng: RandomBits): bigint {
  assert(isPositive(scale), "a scale is positive")
  return drawOne(new LazyExponential(scale, "one-sided"), rng)
}

/**
 * Fills `out` with independent geometric draws.
 *
 * Guarantee: as sampleGeometric, independently; draws that do not fit `out` are in the list returned.
 * Needs: 0 < scale <= 2^24 for an Int32Array, 2^46 for a Float64Array (checked here).
 * Proof: as sampleGeometric; each draw has its own words.
 * Numerics: as sampleGeometric.
 * Source: as sampleGeometric.
 */
export function fillGeometric(out: NoiseArray, scale: Rational, rng: RandomBits): Spill[] {
  assert(isPositive(scale), "a scale is positive")
  assertArrayFits(out, numberNear(scale))
  return fillBatch(out, new LazyExponential(scale, "one-sided"), rng)
}
