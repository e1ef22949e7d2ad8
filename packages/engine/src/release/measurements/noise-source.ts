// Where the noise of linear measurements comes from. Whoever holds the data adds all of it; a site of a
// federation adds its share; and where only the sum over sites is known, it is in the sum already. Strategies
// combine and read in the same way in all three.

import { unreachable } from "@dosimeter/core/errors"
import type { SharedSpec } from "@dosimeter/core/distributed"
import { releaseGaussian, releaseLaplace, releaseMargins, releaseTree } from "@dosimeter/core/mechanisms"
import type { RandomBits } from "@dosimeter/core/noise"

/**
 * Gives what a mechanism measures, part by part; a Gaussian or Laplace vector is one part. Called once for
 * each measurement, in the order of the plan.
 */
export type NoiseSource = (spec: SharedSpec, exact: readonly bigint[]) => readonly (readonly bigint[])[]

/**
 * All of the noise, drawn here.
 *
 * Guarantee: what comes out of exact numbers that went in with a spec loses lossOf(spec).
 * Needs: as the release function of the spec.
 * Proof: it is that function.
 * Numerics: integers plus exact integer noise.
 * Source: the mechanisms of core.
 */
export function allOfTheNoise(rng: RandomBits): NoiseSource {
  return (spec, exact) => {
    switch (spec.kind) {
      case "laplace":
        return [releaseLaplace(spec, exact, rng)]
      case "gaussian":
        return [releaseGaussian(spec, exact, rng)]
      case "margins":
        return releaseMargins(spec, exact, rng)
      case "tree":
        return releaseTree(spec, exact, rng)
      default:
        return unreachable(spec)
    }
  }
}
