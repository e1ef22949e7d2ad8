// From exact sums to noisy ones, on typed arrays: what every round of a training ends with.

import { assert } from "@dosimeter/core/errors"
import { numberNear } from "@dosimeter/core/exact"
import { fillRoundedGaussian, type RandomBits } from "@dosimeter/core/noise"
import type { GaussianSpec } from "@dosimeter/core/mechanisms"

/**
 * Adds independent rounded normal noise to every sum.
 *
 * Guarantee: the loss is lossOf(spec).
 * Needs: every sum is an integer below 2^53; neighbours change them by no more than spec.sensitivity (the
 *   learner's promise).
 * Proof: what is returned is a function of exact + round(Z), as in releaseGaussian: an integer sum and an
 *   integer draw are added, and the result is rounded to the nearest double.
 * Numerics: sums beyond 2^53 are rounded after the noise; draws that no double holds are added as big
 *   integers.
 * Source: as releaseGaussian of core.
 */
export function releaseSums(spec: GaussianSpec, exact: Float64Array, rng: RandomBits): Float64Array {
  const noisy = new Float64Array(exact.length)
  const spills = fillRoundedGaussian(noisy, spec.variance, rng)
  const draws = new Map(spills.map(({ index, value }) => [index, value]))
  for (let at = 0; at < exact.length; at += 1) {
    const sum = exact[at] ?? 0
    assert(Number.isSafeInteger(sum), "sums are exact integers")
    const spilled = draws.get(at)
    noisy[at] = spilled === undefined ? sum + (noisy[at] ?? 0) : Number(BigInt(sum) + spilled)
  }
  return noisy
}

/** The standard deviation of the noise of a spec. */
export function noiseOf({ variance }: GaussianSpec): number {
  return Math.sqrt(numberNear(variance))
}
