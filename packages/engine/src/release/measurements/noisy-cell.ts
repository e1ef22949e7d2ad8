// Released values with the noise that is in them: what a release gives to post-processing.

import type { Rational } from "@dosimeter/core/exact"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import type { Region } from "@dosimeter/proof/algebra/released"

/** The noise in a number: enough for its interval, nothing of the exact value. */
export interface Noise {
  readonly law: "laplace" | "gaussian"
  /** The scale of a Laplace law, the variance of a Gaussian one, in steps of the grid. */
  readonly amount: Rational
  readonly grid: Rational
  /** The value is there only because it reached this, */
  readonly shownFrom?: bigint
  /** or, as often as this, one less. */
  readonly lowerChance?: Rational
}

/** A released value. */
export interface NoisyCell {
  readonly value: Constant
  /** Absent for chosen values (quantiles, modes): their error is in ranks, not in the value. */
  readonly noise?: Noise
  /** Of a quantile whose ends were drawn too. */
  readonly region?: Region
  /** In place of it: several draws. */
  readonly mixed?: MixedNoise
  /** Of a cell of a margin: the draws that it is made of. */
  readonly mixture?: Mixture
}

/** A draw of noise: its own object, shared by all cells that it is in. */
export interface Draw {
  readonly law: "laplace" | "gaussian"
  /** The scale of a Laplace law, the variance of a Gaussian one, in steps. */
  readonly amount: Rational
  readonly grid: Rational
}

/**
 * The noise in a cell of a margin: draws, each divided by a whole number, or only its variance where they
 * are too many.
 */
export type Mixture = {
  readonly rounding: number
  /** The estimate, where another number is shown. */
  readonly estimate?: Rational
} & (
  | { readonly kind: "draws"; readonly terms: readonly DrawTerm[] }
  | { readonly kind: "normal"; readonly variance: Rational; readonly grid: Rational }
)

/** A draw, and what a cell has of it: one through a whole number, or a fraction. */
export type DrawTerm =
  | { readonly draw: Draw; readonly divisor: number }
  | { readonly draw: Draw; readonly factor: Rational }

/** One noisy coordinate of a vector: what was drawn for, and its noise. */
export interface NoisyDraw {
  readonly steps: bigint
  readonly noise: Noise
}

/** Several draws, which other cells of the row may share; the centre is the value before it was rounded. */
export interface MixedNoise {
  readonly parts: readonly { readonly draw: NoisyDraw; readonly factor: Rational }[]
  readonly centre: Rational
}

/** A released row: keys that may be shown, then one cell for each output column. */
export interface NoisyRow {
  readonly keys: readonly Constant[]
  readonly cells: readonly NoisyCell[]
}
