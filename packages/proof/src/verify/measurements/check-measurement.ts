// Every measurement of a release covers what was proven of the extract that it reads: a check for each
// strategy and each choice.

import type {
  ChoiceKind,
  ChoiceMeasurement,
  ForChoices,
  ForStrategies,
  LinearMeasurement,
  Measurement,
  StrategyKind,
} from "../../algebra/measurement.ts"
import type { MeasurementContext } from "./context.ts"
import { checkIdentity } from "./identity.ts"
import { checkLevels } from "./levels.ts"
import { checkMode } from "./mode.ts"
import { checkMoments } from "./moments.ts"
import { checkParts } from "./parts.ts"
import { checkQuantiles } from "./quantiles.ts"
import { checkTotals } from "./totals.ts"
import { checkScaled } from "./scaled.ts"

const strategies: ForStrategies<[MeasurementContext], void> = {
  identity: checkIdentity,
  moments: checkMoments,
  scaled: checkScaled,
  parts: checkParts,
  levels: checkLevels,
  totals: checkTotals,
}

const choices: ForChoices<[MeasurementContext], void> = {
  quantiles: checkQuantiles,
  mode: checkMode,
}

/** Checks one measurement; rejects it otherwise. */
export function checkMeasurement(measurement: Measurement, context: MeasurementContext): void {
  if (measurement.kind === "linear") checkLinear(measurement, context)
  else checkChoice(measurement, context)
}

function checkLinear<Kind extends StrategyKind>(
  measurement: LinearMeasurement<Kind>,
  context: MeasurementContext,
): void {
  strategies[measurement.strategy.kind](measurement, context)
}

function checkChoice<Kind extends ChoiceKind>(
  measurement: ChoiceMeasurement<Kind>,
  context: MeasurementContext,
): void {
  choices[measurement.choice.kind](measurement, context)
}
