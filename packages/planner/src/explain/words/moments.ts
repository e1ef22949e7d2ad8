// Vectors of moments, in words.

import { numberNear, numberUp, rational } from "@dosimeter/core/exact"
import type { LinearMeasurement, MeasuredColumn } from "@dosimeter/proof/algebra/measurement"
import type { Release } from "@dosimeter/proof/algebra/release-plan"
import { meanHalfWidth, momentHalfWidth } from "../../aggregates/errors/moment-error.ts"
import { showNumber } from "./show-number.ts"
import { mostAdded, noiseWords, percent, type MeasurementWords, type WordsContext } from "./common.ts"

type Moments = LinearMeasurement<"moments">

/** The noise of the vector, and what it means for the mean or sum that it was drawn for, and the count. */
export function momentsWords(measurement: Moments, { release, plan }: WordsContext): MeasurementWords {
  const { confidence, unitName } = plan
  const { spec, basis } = measurement.strategy
  const added = mostAdded(spec)
  const most = numberNear(rational(added > 1n ? added : 1n))
  const { name, size } = noiseWords(spec)
  const widthOf = (of: MeasuredColumn["of"]): string =>
    showNumber(numberUp(momentHalfWidth(measurement, { of, isWhole: false }, confidence)))
  const mean = showNumber(numberUp(meanHalfWidth(measurement, confidence)) / 1000)
  const first = isOfSum(measurement, release)
    ? `sum ± ${widthOf("values")}`
    : `mean ± ${mean} of 1,000 values`
  const given = measurement.columns.length === 2 ? "count and sum" : "count, sum and squares"
  return {
    mechanism: `${given} in one vector (${basis}); ${name} ${showNumber(size / most)} times what one ${unitName} adds`,
    error: `${first}, count ± ${widthOf("rows")} at ${percent(confidence)}`,
  }
}

// Whether a sum is shown, and not only divided.
function isOfSum(measurement: Moments, { measurements, readings }: Release): boolean {
  const payer = readings.find(
    (one) =>
      one.kind === "linear" &&
      measurements[one.measurement] === measurement &&
      one.label === measurement.label &&
      measurement.columns[one.column]?.of === "values",
  )
  return payer?.kind === "linear" && payer.isWhole
}
