// Groups whose units are scaled to a norm, in words.

import { multiply, numberNear, numberUp, rational } from "@dosimeter/core/exact"
import type { LinearMeasurement } from "@dosimeter/proof/algebra/measurement"
import { linearHalfWidth } from "../../aggregates/errors/reading-errors.ts"
import { mostAdded, noiseWords, percent, type MeasurementWords, type WordsContext } from "./common.ts"
import { showNumber } from "./show-number.ts"

/** The noise of each number, and the length that all of a unit is scaled to. */
export function scaledWords(
  measurement: LinearMeasurement<"scaled">,
  { plan }: WordsContext,
): MeasurementWords {
  const { spec, worths } = measurement.strategy
  const { confidence, unitName } = plan
  const { name, size } = noiseWords(spec)
  const length = spec.sensitivity.norm === "l1" ? "in all groups together" : "as the length over all groups"
  const sizes = worths.map((worth) => showNumber(size * numberNear(worth))).join(" and ")
  const most = worths.map((worth) => showNumber(numberUp(multiply(rational(mostAdded(spec)), worth))))
  const widths = worths.map((_, column) => {
    const width = linearHalfWidth(measurement, { column, isWhole: true }, confidence)
    return width === undefined ? "" : `± ${showNumber(numberUp(width))}`
  })
  return {
    mechanism: `${name} ${sizes}; one ${unitName} adds at most ${most.join(" and ")} ${length}`,
    error: `${widths.join(" and ")} at ${percent(confidence)}`,
  }
}
