// How far off the groups of each grouping may be, where several groupings are measured together.

import type { Rational } from "@dosimeter/core/exact"
import { hasGroupings } from "@dosimeter/proof/algebra/grouping-sums"
import type { LinearMeasurement } from "@dosimeter/proof/algebra/measurement"
import type { Release } from "@dosimeter/proof/algebra/release-plan"
import { groupingNames } from "../explain/words/groupings.ts"
import { groupingHalfWidths } from "../aggregates/errors/reading-errors.ts"

/** A grouping, and half the width of the widest interval of its groups. */
export interface GroupingError {
  readonly name: string
  readonly error: number
}

/** The errors of all groupings of a measurement, in the order of their sets. */
export function errorsByGrouping(
  measurement: LinearMeasurement,
  release: Release,
  confidence: Rational,
): readonly GroupingError[] {
  const { keys } = release
  if (!hasGroupings(keys)) return []
  const names = groupingNames(keys, release, measurement.extract)
  const widths = groupingHalfWidths(measurement, keys, confidence)
  return widths.map((error, index) => ({ name: names[index] ?? "", error }))
}
