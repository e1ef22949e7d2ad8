// The law of the noise in a kept column, as a draw of an answer, and how wide noise is.

import { multiply, numberNear, type Rational } from "@dosimeter/core/exact"
import { halfWidthOf, type LinearForm, type NoiseBase } from "@dosimeter/core/post"

/** The law of a column's noise, in steps of a grid. */
export interface NoiseLaw {
  readonly law: "laplace" | "gaussian"
  /** The scale of a Laplace law, the variance of a Gaussian one. */
  readonly amount: Rational
  readonly grid: Rational
  /** The threshold that a value had to reach to be shown. */
  readonly shownFrom?: bigint
  /** How often that threshold was one lower. */
  readonly lowerChance?: Rational
}

/** A draw by such a law. */
export function baseOf({ law, amount, grid }: NoiseLaw, id: number): NoiseBase {
  return law === "laplace" ? { law, id, grid, scale: amount } : { law, id, grid, variance: amount }
}

/** The half-width of noise, but with probability `miss`. */
export function widthOf(form: LinearForm, miss: number): number {
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
