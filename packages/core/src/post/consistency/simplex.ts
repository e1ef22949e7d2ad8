// Shares and counts with a known total: values that are not negative and add up. Norm-Sub moves all of them
// least; Base-Cut keeps only what noise alone does not explain.

import { fail } from "../../errors/errors.ts"
import { allFinite, notNegative, weightsOf } from "../estimates/check.ts"
import { checkEstimate, halfWidthOf, type Estimate } from "../estimates/estimate.ts"
import { at } from "../estimates/vector.ts"

/**
 * Norm-Sub: the nearest values with x >= 0 and sum x = total. With weights (inverse variances) nearest means
 * least sum w_i (x_i - y_i)^2.
 *
 * Guarantee: the exact projection, in n log n steps; if the exact values are not negative and have this
 * total, the weighted squared error never grows. Values in the right shape already are returned as they are,
 * up to rounding.
 * Bias: values near 0 are raised on average and large ones lowered, by the same in total: no bias in the sum.
 * Intervals: none follow in closed form; those of the values before, cut to [0, total], are still valid.
 * Needs: the total is public, or released.
 * Proof: By Karush, Kuhn and Tucker, x_i = max(0, y_i - t / w_i) for one number t. Value i is positive as
 * long as t < w_i y_i; so with the products w_i y_i in falling order the positive ones come first, and t
 * follows from their sum as soon as the next product is no longer above it. A projection onto a convex set
 * brings no point further from one inside it.
 * Numerics: doubles.
 * Source: Wang et al. 2020, "Locally differentially private frequency estimation with consistency", Norm-Sub.
 */
export function projectOntoSimplex(
  values: readonly number[],
  { total, weights }: { readonly total: number; readonly weights?: readonly number[] },
): number[] {
  allFinite(values, "value")
  notNegative(total, "total")
  const each = weightsOf(weights, values.length)
  if (values.length === 0 && total > 0)
    fail("postprocess/infeasible", { what: "no values, and a total above 0" })
  const order = values
    .map((value, index) => ({ value, room: 1 / at(each, index), product: value * at(each, index) }))
    .toSorted((a, b) => b.product - a.product)
  let sum = -total
  let room = 0
  for (const one of order) {
    // With equality the value would get exactly 0, and t does not change.
    if (room > 0 && one.product * room <= sum) break
    sum += one.value
    room += one.room
  }
  return values.map((value, index) => Math.max(0, value - sum / room / at(each, index)))
}

/**
 * Base-Cut: sets to 0 every value that noise alone explains, and keeps the others as they are. `alpha` is the
 * chance, at most, that any of the cells whose exact value is 0 is kept.
 *
 * Guarantee: that chance, for Gaussian and Laplace noise, by adding up one cell's chance over all cells (no
 * independence needed); for the law "other" it is approximate. The total is not kept.
 * Bias: downward for small values, which may vanish; none for those far above the threshold.
 * Needs: the law of each estimate is that of its noise.
 * Proof: the noise is symmetric, so one cell of 0 is above the half-width of a miss of 2 alpha / n with
 * probability at most alpha / n; there are at most n such cells.
 * Numerics: doubles; as halfWidthOf.
 * Source: Wang et al. 2020, "Locally differentially private frequency estimation with consistency", Base-Cut.
 */
export function cutBelowNoise(estimates: readonly Estimate[], alpha: number): number[] {
  if (!(alpha > 0 && alpha <= 0.5)) {
    fail("parameter/out-of-range", { name: "alpha", got: `${alpha}`, range: "(0, 1/2]" })
  }
  // The noise is symmetric: P(noise > r) <= alpha / n where P(|noise| > r) <= 2 alpha / n.
  const miss = (2 * alpha) / estimates.length
  return estimates.map((estimate, index) => {
    const { value } = checkEstimate(estimate, `estimate ${index}`)
    return value > halfWidthOf(estimate, Math.min(miss, 1)).halfWidth ? value : 0
  })
}
