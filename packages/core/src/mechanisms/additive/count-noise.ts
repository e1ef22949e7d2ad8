// The noise on numbers of units or rows by which keys are selected: discrete Laplace, or rounded normal.

import type { Rational } from "../../exact/rational.ts"
import { countSensitivity } from "../../privacy/sensitivity.ts"
import type { Neighbours } from "../../privacy/unit.ts"
import type { RandomBits } from "../../random/random-bits.ts"
import { gaussianHalfWidth, gaussianTailUp, releaseGaussian } from "./gaussian.ts"
import { laplaceHalfWidth, laplaceTailUp, releaseLaplace } from "./laplace.ts"

/** Counts with discrete Laplace noise. */
export interface LaplaceCounts {
  readonly kind: "keys-laplace"
  readonly scale: Rational
}

/** Counts with normal noise, rounded. */
export interface GaussianCounts {
  readonly kind: "keys-gaussian"
  readonly variance: Rational
}

/** The noise of counts. */
export type CountNoise = LaplaceCounts | GaussianCounts

/**
 * Adds noise to the number of units, or of rows, of each key.
 *
 * Guarantee: as releaseLaplace or releaseGaussian, for a sensitivity of rowsPerGroup in each of groupsPerUnit
 *   keys (on both sides, where units are replaced).
 * Needs: a unit is in at most groupsPerUnit keys and adds from 0 to rowsPerGroup to each (the caller).
 * Proof: it is one of those two mechanisms.
 * Numerics: integers plus exact integer noise.
 * Source: as those.
 */
export function releaseCounts(
  spec: CountNoise & {
    readonly groupsPerUnit: bigint
    readonly rowsPerGroup: bigint
    readonly neighbours: Neighbours
  },
  counts: readonly bigint[],
  rng: RandomBits,
): readonly bigint[] {
  const sensitivity = countSensitivity(spec)
  return spec.kind === "keys-laplace"
    ? releaseLaplace({ kind: "laplace", scale: spec.scale, sensitivity }, counts, rng)
    : releaseGaussian({ kind: "gaussian", variance: spec.variance, sensitivity }, counts, rng)
}

/** P(X >= rise) for rise >= 1, rounded up. */
export function countTailUp(noise: CountNoise, rise: bigint): Rational {
  return noise.kind === "keys-laplace"
    ? laplaceTailUp(noise.scale, rise)
    : gaussianTailUp(noise.variance, rise)
}

/** The least r with P(|X| > r) <= miss. */
export function countHalfWidth(noise: CountNoise, miss: Rational): bigint {
  return noise.kind === "keys-laplace"
    ? laplaceHalfWidth(noise.scale, miss)
    : gaussianHalfWidth(noise.variance, miss)
}
