// Groups whose units are scaled to a norm, in words.

import {
  compare,
  divide,
  multiply,
  numberNear,
  numberUp,
  one,
  rational,
  type Rational,
} from "@dosimeter/core/exact"
import type { LinearMeasurement } from "@dosimeter/proof/algebra/measurement"
import { factorLength, mostFactor } from "@dosimeter/proof/algebra/scaled-reading"
import { linearHalfWidth } from "../../aggregates/errors/reading-errors.ts"
import { onlyValueWeight, scaledMeanWidth } from "../../aggregates/errors/scaled.ts"
import { mostAdded, noiseWords, percent, type MeasurementWords, type WordsContext } from "./common.ts"
import { showNumber } from "./show-number.ts"

/** The noise of each number, and the length that all of a unit is scaled to. */
export function scaledWords(
  measurement: LinearMeasurement<"scaled">,
  { plan, release }: WordsContext,
): MeasurementWords {
  const { spec, rowsPerGroup } = measurement.strategy
  const { confidence, unitName } = plan
  const { name, size } = noiseWords(spec)
  const length = spec.sensitivity.norm === "l1" ? "in all groups together" : "as the length over all groups"
  const columns = measurement.columns.map((_, column) => column)
  const sizes = columns.map((column) => showNumber(size * numberNear(factorLength(measurement, column))))
  const most = columns.map((column) =>
    showNumber(numberUp(multiply(rational(mostAdded(spec)), mostFactor(measurement, column)))),
  )
  const widths = columns.map((column) => {
    const mean = isShown(column) ? undefined : scaledMeanWidth(measurement, column, confidence)
    if (mean !== undefined) return meanWords(mean, column)
    const width = linearHalfWidth(measurement, { column, isWhole: true }, confidence)
    return width === undefined ? "" : `± ${showNumber(numberUp(width))}`
  })
  const rows =
    rowsPerGroup === undefined
      ? ""
      : `; averages are of ${rowsPerGroup} rows a ${unitName} and group at most, and what is said of their errors is of the noise only`
  return {
    mechanism: `${name} ${sizes.join(" and ")}; one ${unitName} adds at most ${most.join(" and ")} ${length}${rows}`,
    error: `${widths.join(" and ")} at ${percent(confidence)}`,
  }

  // Below a row's length the norm is all that counts of anybody.
  function meanWords(width: Rational, column: number): string {
    const weight = onlyValueWeight(measurement, column, release.bounds.scaled?.bound ?? 0n)
    const whose = compare(weight, one) < 0 ? `, each the only one of its ${unitName}` : ""
    return `mean ± ${showNumber(numberUp(divide(width, weight)) / 1000)} of 1,000 values${whose}`
  }

  // Whether a number is shown, and not only worked with.
  function isShown(column: number): boolean {
    return release.readings.some(
      (one) =>
        one.kind === "linear" &&
        release.measurements[one.measurement] === measurement &&
        one.column === column &&
        one.isWhole,
    )
  }
}
