// How large the noise of a form is, as doubles: for weights, comparisons and words. Intervals are made of
// half-widths, which are exact where they can be.

import { numberNear } from "../../exact/dyadic.ts"
import { multiply } from "../../exact/rational.ts"
import { halfWidthOf } from "./half-width.ts"
import { formSums, type LinearForm } from "./linear-form.ts"

/** The half-width of noise, but with probability `miss`; Infinity if there is no bound. */
export function formWidth(form: LinearForm, miss: number): number {
  const width = halfWidthOf(form, miss)
  switch (width.kind) {
    case "unbounded":
      return Infinity
    case "size":
      return width.size
    case "steps":
      return Math.abs(width.steps * numberNear(multiply(width.step.coefficient, width.step.grid)))
    default:
      return width satisfies never
  }
}

/**
 * About the variance of noise: discrete Laplace noise has a little less than 2 scale^2, rounded normal noise
 * a twelfth of a step more.
 */
export function formVariance(form: LinearForm): number {
  const { gaussian, laplace } = formSums(form)
  return gaussian.variance + gaussian.steps / 12 + 2 * laplace.squares
}
