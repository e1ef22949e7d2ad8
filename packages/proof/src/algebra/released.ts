// What a release gives besides the numbers of its cells: where a quantile lies, and what was drawn behind
// several groupings. Whoever draws and whoever answers share these shapes, so they belong to neither.

import type { Rational } from "@dosimeter/core/exact"
import type { LinearMeasurement } from "./measurement.ts"

/** The ends between which a released value lies, and how often they fail. */
export interface Region {
  readonly low: Rational
  readonly high: Rational
  /** The probability that some region of the event does not hold its value. */
  readonly miss: Rational
  /** What never fails: all values that the column has. */
  readonly least: Rational
  readonly most: Rational
  /** The draws that it rests on. */
  readonly event: object
}

/** The noisy numbers of one measurement, as they were drawn. */
export interface JointMeasurement {
  readonly measurement: LinearMeasurement
  /** Noisy cells, or for each part or level its noisy comparisons. */
  readonly noisy: readonly (readonly bigint[])[]
}
