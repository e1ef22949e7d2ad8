// One draw of noise, by its law: what every uncertain number of an answer is made of.

import type { Rational } from "../../exact/rational.ts"

/** An independent draw. The number stands for the draw: two cells with the same one share it. */
export type NoiseBase = GaussianBase | LaplaceBase

interface Numbered {
  /** A whole number from 0, below 2^31, that no other draw of the answer has. */
  readonly id: number
  /** What a step of the noise is worth: the grid of the measure, 1 for counts. */
  readonly grid: Rational
}

/** grid * round(normal noise of this variance). */
export interface GaussianBase extends Numbered {
  readonly law: "gaussian"
  /** In steps, as in the spec of the mechanism. */
  readonly variance: Rational
}

/** grid * discrete Laplace noise of this scale. */
export interface LaplaceBase extends Numbered {
  readonly law: "laplace"
  /** In steps, as in the spec of the mechanism. */
  readonly scale: Rational
}
