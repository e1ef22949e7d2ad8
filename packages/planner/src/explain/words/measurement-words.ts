// What a measurement does, in words: an entry for each strategy and each choice.

import type {
  ChoiceKind,
  ChoiceMeasurement,
  ForChoices,
  ForStrategies,
  LinearMeasurement,
  Measurement,
  StrategyKind,
} from "@dosimeter/proof/algebra/measurement"
import { identityWords } from "./identity.ts"
import { levelsWords } from "./levels.ts"
import { modeWords } from "./mode.ts"
import { momentsWords } from "./moments.ts"
import { partsWords } from "./parts.ts"
import { quantilesWords } from "./quantiles.ts"
import { totalsWords } from "./totals.ts"
import { scaledWords } from "./scaled.ts"
import type { MeasurementWords, WordsContext } from "./common.ts"

const strategies: ForStrategies<[WordsContext], MeasurementWords> = {
  identity: identityWords,
  moments: momentsWords,
  scaled: scaledWords,
  parts: partsWords,
  levels: levelsWords,
  totals: totalsWords,
}

const choices: ForChoices<[WordsContext], MeasurementWords> = {
  quantiles: quantilesWords,
  mode: modeWords,
}

/** The noise or choice of a measurement, and how far off what is read from it may be. */
export function measurementWords(measurement: Measurement, context: WordsContext): MeasurementWords {
  return measurement.kind === "linear" ? linearWords(measurement, context) : choiceWords(measurement, context)
}

function linearWords<Kind extends StrategyKind>(
  measurement: LinearMeasurement<Kind>,
  context: WordsContext,
): MeasurementWords {
  return strategies[measurement.strategy.kind](measurement, context)
}

function choiceWords<Kind extends ChoiceKind>(
  measurement: ChoiceMeasurement<Kind>,
  context: WordsContext,
): MeasurementWords {
  return choices[measurement.choice.kind](measurement, context)
}
