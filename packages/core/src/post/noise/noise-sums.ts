// What must be known of a linear combination of noise to bound it, however many terms it has. Sums of
// positive doubles, so their relative error is that of a few roundings.

import { numberNear } from "../../exact/dyadic.ts"
import { type Rational } from "../../exact/rational.ts"
import type { NoiseBase } from "./noise-base.ts"

/** Sums over the terms c * grid * X, X being noise in steps. */
export interface NoiseSums {
  readonly terms: number
  readonly gaussian: {
    readonly terms: number
    /** Sum of (c grid)^2 variance. */
    readonly variance: number
    /** Sum of (c grid)^2. */
    readonly steps: number
    /** Sum of |c| grid. */
    readonly reach: number
    /** The least variance of a draw, in steps. */
    readonly least: number
  }
  readonly laplace: {
    readonly terms: number
    /** Sum of (c grid scale)^2. */
    readonly squares: number
    /** The largest |c| grid scale. */
    readonly largest: number
    /** Sum of |c| grid scale. */
    readonly total: number
    /** Sum of (c grid)^2. */
    readonly steps: number
    /** Sum of |c| grid. */
    readonly reach: number
  }
}

const noGaussian: NoiseSums["gaussian"] = { terms: 0, variance: 0, steps: 0, reach: 0, least: Infinity }
const noLaplace: NoiseSums["laplace"] = { terms: 0, squares: 0, largest: 0, total: 0, steps: 0, reach: 0 }

/** The sums of one term. */
export function sumsOf(base: NoiseBase, coefficient: Rational): NoiseSums {
  const reach = Math.abs(numberNear(coefficient)) * numberNear(base.grid)
  const steps = reach * reach
  if (base.law === "gaussian") {
    const least = numberNear(base.variance)
    return {
      terms: 1,
      gaussian: { terms: 1, variance: steps * least, steps, reach, least },
      laplace: noLaplace,
    }
  }
  const largest = reach * numberNear(base.scale)
  const laplace = { terms: 1, squares: largest * largest, largest, total: largest, steps, reach }
  return { terms: 1, gaussian: noGaussian, laplace }
}

/** The sums of two combinations of different draws. */
export function addSums(a: NoiseSums, b: NoiseSums): NoiseSums {
  return {
    terms: a.terms + b.terms,
    gaussian: {
      terms: a.gaussian.terms + b.gaussian.terms,
      variance: a.gaussian.variance + b.gaussian.variance,
      steps: a.gaussian.steps + b.gaussian.steps,
      reach: a.gaussian.reach + b.gaussian.reach,
      least: Math.min(a.gaussian.least, b.gaussian.least),
    },
    laplace: {
      terms: a.laplace.terms + b.laplace.terms,
      squares: a.laplace.squares + b.laplace.squares,
      largest: Math.max(a.laplace.largest, b.laplace.largest),
      total: a.laplace.total + b.laplace.total,
      steps: a.laplace.steps + b.laplace.steps,
      reach: a.laplace.reach + b.laplace.reach,
    },
  }
}

/** The sums of a multiple. */
export function scaleSums({ terms, gaussian, laplace }: NoiseSums, factor: number): NoiseSums {
  const [size, square] = [Math.abs(factor), factor * factor]
  return {
    terms,
    gaussian: {
      ...gaussian,
      variance: gaussian.variance * square,
      steps: gaussian.steps * square,
      reach: gaussian.reach * size,
    },
    laplace: {
      ...laplace,
      squares: laplace.squares * square,
      largest: laplace.largest * size,
      total: laplace.total * size,
      steps: laplace.steps * square,
      reach: laplace.reach * size,
    },
  }
}
