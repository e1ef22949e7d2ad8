// Quantiles, in words.

import { numberNear } from "@dosimeter/core/exact"
import { errorOf, type MechanismError, type QuantilesSpec } from "@dosimeter/core/mechanisms"
import type { ChoiceMeasurement } from "@dosimeter/proof/algebra/measurement"
import { showNumber } from "./show-number.ts"
import { percent, type MeasurementWords, type WordsContext } from "./common.ts"

/** How quantiles are drawn, and how far off they may be. */
export function quantilesWords(
  { choice: { spec, width } }: ChoiceMeasurement<"quantiles">,
  { plan, release }: WordsContext,
): MeasurementWords {
  const error: MechanismError = errorOf(spec, plan.confidence)
  const ranks = error.kind === "rank" ? `${error.units}` : "?"
  const shifts = (spec.counted ?? spec.ends)?.shifts ?? []
  const shift = shifts.reduce((a, b) => (a > b ? a : b), 0n)
  const sure = `${percent(plan.confidence)} sure`
  // Where nothing else is asked for, the release says it.
  const isSaid = spec.full === undefined || release.bounds.scaled !== undefined
  const rows = isSaid ? "" : "; of all rows, which weigh less where there are more than these bounds"
  return {
    mechanism: `exponential mechanism on ${spec.cells} cells of ${showNumber(numberNear(width))}${inTurn(spec)}${rows}`,
    error:
      shifts.length === 0
        ? `off by at most ${ranks} rows of the order, ${sure}`
        : `an interval of about ${shift} rows of the order to either side, ${sure}`,
  }
}

// Why this way: it has the nearer ends, by the number of cells, the quantiles and the loss.
function inTurn({ quantiles, counted }: QuantilesSpec): string {
  const turn = quantiles.length > 1 ? `, ${quantiles.length} in turn` : ""
  const noise = counted?.noise.law === "laplace" ? "Laplace" : "Gaussian"
  return counted === undefined ? turn : `${turn}; ends of intervals proven by counts with ${noise} noise`
}
