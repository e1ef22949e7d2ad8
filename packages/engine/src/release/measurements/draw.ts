// Draws measurements: an entry for each strategy and each choice.

import type { RandomBits } from "@dosimeter/core/noise"
import {
  choiceCells,
  type ChoiceKind,
  type ChoiceMeasurement,
  type ForChoices,
  type ForStrategies,
  type LinearMeasurement,
  type StrategyKind,
} from "@dosimeter/proof/algebra/measurement"
import type { Groups } from "./groups.ts"
import type { DrawnChoice, DrawnLinear } from "./drawn.ts"
import { drawIdentity } from "./identity.ts"
import { drawLevels } from "./levels.ts"
import { drawMode } from "./mode.ts"
import { drawMoments } from "./moments.ts"
import type { NoiseSource } from "./noise-source.ts"
import { drawParts } from "./parts.ts"
import { drawQuantiles } from "./quantiles.ts"
import { drawnByStep } from "./totals.ts"
import { drawScaled } from "./scaled.ts"

const strategies: ForStrategies<[readonly (readonly bigint[])[], NoiseSource], DrawnLinear> = {
  identity: drawIdentity,
  moments: drawMoments,
  scaled: drawScaled,
  parts: drawParts,
  levels: drawLevels,
  totals: drawnByStep,
}

const choices: ForChoices<[Iterable<readonly bigint[]>, RandomBits], DrawnChoice> = {
  quantiles: drawQuantiles,
  mode: drawMode,
}

/** Draws a linear measurement of the groups that are shown. */
export function drawLinear<Kind extends StrategyKind>(
  measurement: LinearMeasurement<Kind>,
  groups: Groups,
  source: NoiseSource,
): DrawnLinear {
  const { extract, columns } = measurement
  const exact = columns.map(({ id }) => groups.integers(extract, id))
  return strategies[measurement.strategy.kind](measurement, exact, source)
}

/** Chooses in each of the groups that are shown. */
export function drawChoice<Kind extends ChoiceKind>(
  measurement: ChoiceMeasurement<Kind>,
  groups: Groups,
  rng: RandomBits,
): DrawnChoice {
  const histograms = groups.histograms(measurement, choiceCells(measurement))
  return choices[measurement.choice.kind](measurement, histograms, rng)
}
