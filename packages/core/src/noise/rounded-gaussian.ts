// The normal law rounded to the nearest integer: the noise of the Gaussian mechanism. Rounding is
// post-processing of the continuous Gaussian, so all that is proven of that one holds of this one.

import { assert } from "../errors/assert.ts"
import { numberNear } from "../exact/dyadic.ts"
import { isPositive, showRational, type Rational } from "../exact/rational.ts"
import type { RandomBits } from "../random/random-bits.ts"
import { drawOne, fillBatch } from "./batch.ts"
import { roundedGaussianOracle } from "./cdf-oracles.ts"
import { LazyNormal } from "./lazy-normal.ts"
import { fillFromTable } from "./look-up.ts"
import { assertArrayFits, type NoiseArray, type Spill } from "./noise-array.ts"
import { tableFor } from "./table-cache.ts"

/**
 * Draws round(Z) for Z normal with mean 0 and the given variance.
 *
 * Guarantee: the output has exactly this law, given fair bits.
 * Needs: variance > 0 (checked here). A standard deviation s is the variance s^2.
 * Proof: LazyNormal proposes |Z| / sigma = (h + u) / 64 with h from the half bell e^(-h^2/8192) and u
 *   uniform, and accepts with probability e^(-u(2h+u)/8192); the product is e^(-((h+u)/64)^2/2), the normal
 *   density. The sign is a fair bit. Rounding reads as many bits of u as it needs. See lazy-normal.proof.md.
 * Numerics: doubles decide only what their error bounds prove; everything else is decided in integers.
 * Source: Karney 2016, "Sampling exactly from the normal distribution", for lazily revealed normals.
 */
export function sampleRoundedGaussian(variance: Rational, rng: RandomBits): bigint {
  assert(isPositive(variance), "a variance is positive")
  return drawOne(new LazyNormal(variance), rng)
}

/**
 * Fills `out` with independent draws of a rounded Gaussian.
 *
 * Guarantee: as sampleRoundedGaussian, independently; draws that do not fit `out` are in the list returned.
 * Needs: 0 < variance <= 2^48 for an Int32Array, 2^92 for a Float64Array (checked here).
 * Proof: as sampleRoundedGaussian or, once enough draws of a small variance were asked for, LazyTable's.
 * Numerics: as sampleRoundedGaussian. Which method runs depends on the variance and on counts only.
 * Source: as sampleRoundedGaussian.
 */
export function fillRoundedGaussian(out: NoiseArray, variance: Rational, rng: RandomBits): Spill[] {
  assert(isPositive(variance), "a variance is positive")
  const sigma = Math.sqrt(numberNear(variance))
  assertArrayFits(out, sigma)
  const law = { key: `gaussian ${showRational(variance)}`, spread: sigma, draws: out.length }
  const table = tableFor(law, () => roundedGaussianOracle(variance))
  if (table !== undefined) return fillFromTable(out, table, rng)
  return fillBatch(out, new LazyNormal(variance), rng)
}
