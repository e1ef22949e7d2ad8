// The choice of the most frequent value covers what was proven of the histogram that it is made from.

import { reject } from "../../units/reject.ts"
import type { ChoiceMeasurement } from "../../algebra/measurement.ts"
import type { MeasurementContext } from "./context.ts"
import { checkHistogram, checkRows } from "./histogram.ts"

/** Checks the mechanism. */
export function checkMode(measurement: ChoiceMeasurement<"mode">, context: MeasurementContext): void {
  const { spec, values } = measurement.choice
  const proven = checkHistogram(measurement, spec.candidates, context)
  if (proven.full !== undefined) reject("a mode of weighed rows")
  if (spec.candidates !== BigInt(values.length)) reject("a mode has other candidates")
  if (spec.epsilon.numerator <= 0n) reject("a mode without a loss")
  checkRows({ ...spec, rows: spec.sensitivity }, proven, context)
  if (context.neighbours === "replace" && spec.scores !== "any") reject("scores of a mode move both ways")
}
