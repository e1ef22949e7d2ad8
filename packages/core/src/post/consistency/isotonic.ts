// Values that must not fall (or not rise): cumulative counts, survival curves, dose-response. The nearest
// such sequence is found by pooling adjacent violators, in one pass.

import { fail } from "../../errors/errors.ts"
import { allFinite, weightsOf } from "../estimates/check.ts"
import { at } from "../estimates/vector.ts"

/** How a sequence must run, and what is known of it besides. */
export interface IsotonicOptions {
  readonly direction?: "rising" | "falling"
  /** Inverse variances; 1 each unless given. */
  readonly weights?: readonly number[]
  /** No value below this. */
  readonly atLeast?: number
  /** No value above this. */
  readonly atMost?: number
}

/**
 * The nearest sequence that never falls (or never rises): least sum w_i (x_i - y_i)^2.
 *
 * Guarantee: the exact minimiser, in a time proportional to the length; if the exact values are so ordered
 * and within the bounds, the weighted squared error never grows. An ordered sequence is returned as it is.
 * Bias: pooled values are pulled toward their neighbours; where the exact values are flat, the ends spread a
 * little.
 * Intervals: none follow in closed form; those of the values before are still valid.
 * Needs: finite values and positive weights (checked).
 * Proof: neighbours in the wrong order have one value in the minimiser, so they are joined to their mean
 * until none is left. Bounds clamp the result: the minimiser of the bounded problem is the clamped minimiser
 * of the free one. The minimiser is the projection onto a convex set, which brings no point further from one
 * inside.
 * Numerics: doubles; each mean is off by a few units in its last place.
 * Source: Ayer, Brunk, Ewing, Reid, Silverman 1955; Barlow, Bartholomew, Bremner, Brunk 1972 for bounds.
 */
export function isotonic(values: readonly number[], options: IsotonicOptions = {}): number[] {
  const { direction = "rising", atLeast = -Infinity, atMost = Infinity } = options
  allFinite(values, "value")
  const weights = weightsOf(options.weights, values.length)
  if (!(atLeast <= atMost)) fail("postprocess/infeasible", { what: "atLeast is not above atMost" })
  const fitted =
    direction === "rising"
      ? pooled(values, weights)
      : pooled(values.toReversed(), weights.toReversed()).toReversed()
  return fitted.map((value) => Math.min(atMost, Math.max(atLeast, value)))
}

interface Pool {
  readonly mean: number
  readonly weight: number
  readonly count: number
}

function pooled(values: readonly number[], weights: readonly number[]): number[] {
  const pools: Pool[] = []
  for (const [index, mean] of values.entries()) {
    let pool: Pool = { mean, weight: at(weights, index), count: 1 }
    for (let last = pools.at(-1); last !== undefined && last.mean > pool.mean; last = pools.at(-1)) {
      pool = joined(last, pool)
      pools.pop()
    }
    pools.push(pool)
  }
  return pools.flatMap(({ mean, count }) => Array.from({ length: count }, () => mean))
}

function joined(a: Pool, b: Pool): Pool {
  const weight = a.weight + b.weight
  return { mean: a.mean + (b.mean - a.mean) * (b.weight / weight), weight, count: a.count + b.count }
}
