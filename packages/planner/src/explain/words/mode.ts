// The most frequent value, in words.

import { errorOf, type MechanismError } from "@dosimeter/core/mechanisms"
import type { ChoiceMeasurement } from "@dosimeter/proof/algebra/measurement"
import { percent, type MeasurementWords, type WordsContext } from "./common.ts"

/** How it is chosen, and how far below the best it may be. */
export function modeWords(
  { choice: { spec } }: ChoiceMeasurement<"mode">,
  { plan }: WordsContext,
): MeasurementWords {
  const error: MechanismError = errorOf(spec, plan.confidence)
  const short = error.kind === "choice" ? `${error.shortfall}` : "?"
  return {
    mechanism: `${spec.method} among ${spec.candidates} values`,
    error: `at most ${short} rows less frequent than the best, ${percent(plan.confidence)} sure`,
  }
}
