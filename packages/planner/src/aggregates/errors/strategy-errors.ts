// What is known of the error of a strategy before anything is paid.

import type { Rational } from "@dosimeter/core/exact"
import type { GroupedKeys } from "@dosimeter/proof/algebra/grouping-sums"
import type { LinearMeasurement, LinearReading, StrategyKind } from "@dosimeter/proof/algebra/measurement"

/** Which number of a measurement is read. */
export type LinearNumber = Pick<LinearReading, "column" | "isWhole">

/** How far off what is read from a measurement may be. */
export interface StrategyErrors<Kind extends StrategyKind> {
  /** Half the width of a number's interval; undefined where that differs from group to group. */
  readonly halfWidth: (
    measurement: LinearMeasurement<Kind>,
    number: LinearNumber,
    confidence: Rational,
  ) => Rational | undefined
  /** What a number is a multiple of, if it is whole. */
  readonly step: (measurement: LinearMeasurement<Kind>, column: number) => Rational
  /** Half the width of the widest interval of each grouping. */
  readonly groupings: (
    measurement: LinearMeasurement<Kind>,
    keys: GroupedKeys,
    confidence: Rational,
  ) => readonly number[]
}
