// The law of the noise in a kept column, as a draw of an answer.

import type { Rational } from "@dosimeter/core/exact"
import type { GaussianSpec, LaplaceSpec, MarginsSpec, TreeSpec } from "@dosimeter/core/mechanisms"
import type { NoiseBase } from "@dosimeter/core/post"

/** The law of a column's noise, in steps of a grid. */
export interface NoiseLaw {
  readonly law: "laplace" | "gaussian"
  /** The scale of a Laplace law, the variance of a Gaussian one. */
  readonly amount: Rational
  readonly grid: Rational
  /** Values are there only because they reached this, */
  readonly shownFrom?: bigint
  /** or, as often as this, one less. */
  readonly lowerChance?: Rational
}

/** A draw of the row, by its number in the table, and what it counts for. */
export interface NoiseTerm {
  readonly draw: number
  readonly noise: NoiseLaw
  readonly factor: Rational
}

/** The noise in a number of a row. */
export interface NumberNoise {
  readonly terms: readonly NoiseTerm[]
  /** What roundings may add. */
  readonly slack: number
}

/** The law of draws that groupings share: of cells, of the parts of a table, or of a tree's comparisons. */
export type JointLaw =
  | { readonly kind: "cells"; readonly scale: Rational }
  | { readonly kind: "parts"; readonly parts: MarginsSpec["parts"] }
  | ({ readonly kind: "levels" } & Pick<TreeSpec, "weights" | "total" | "variances">)

/** A draw by such a law. */
export function baseOf({ law, amount, grid }: NoiseLaw, id: number): NoiseBase {
  return law === "laplace" ? { law, id, grid, scale: amount } : { law, id, grid, variance: amount }
}

/** The law of the noise of a spec, in steps of a grid. */
export function lawOfSpec(spec: LaplaceSpec | GaussianSpec, grid: Rational): NoiseLaw {
  return spec.kind === "laplace"
    ? { law: "laplace", amount: spec.scale, grid }
    : { law: "gaussian", amount: spec.variance, grid }
}
