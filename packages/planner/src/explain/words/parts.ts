// The parts of a table, in words.

import { numberNear } from "@dosimeter/core/exact"
import { hasGroupings } from "@dosimeter/proof/algebra/grouping-sums"
import type { LinearMeasurement } from "@dosimeter/proof/algebra/measurement"
import { groupingHalfWidths } from "../../aggregates/errors/reading-errors.ts"
import { eachGrouping, mostWords } from "./groupings.ts"
import { showNumber } from "./show-number.ts"
import { percent, type MeasurementWords, type WordsContext } from "./common.ts"

/** The noise, and what it means for each grouping. */
export function partsWords(
  measurement: LinearMeasurement<"parts">,
  { release, plan }: WordsContext,
): MeasurementWords {
  const { keys } = release
  if (!hasGroupings(keys)) return { mechanism: "none", error: "" }
  const { strategy, extract, grid } = measurement
  const { parts, lower, upper } = strategy.spec
  const { confidence, unitName } = plan
  const errors = groupingHalfWidths(measurement, keys, confidence).map((width) => `± ${showNumber(width)}`)
  const largest = Number(-lower > upper ? -lower : upper) * numberNear(grid)
  return {
    mechanism: `Gaussian noise on ${parts.length} parts of the table, least in all margins together${mostWords(release, unitName, largest)}`,
    error: `${eachGrouping(keys, release, { extract, errors })}, at ${percent(confidence)}`,
  }
}
