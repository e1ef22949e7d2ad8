// What an answer says of the noise of its columns, and of what was drawn behind them: an entry for each
// strategy and each choice.

import type { GroupedKeys } from "@dosimeter/proof/algebra/grouping-sums"
import type {
  ChoiceKind,
  ChoiceMeasurement,
  ForChoices,
  LinearMeasurement,
  LinearReading,
  StrategyKind,
} from "@dosimeter/proof/algebra/measurement"
import type { KeyPlan } from "@dosimeter/proof/algebra/release-plan"
import { identityAnswer } from "./identity.ts"
import { levelsAnswer } from "./levels.ts"
import { momentsAnswer } from "./moments.ts"
import { partsAnswer } from "./parts.ts"
import { totalsAnswer } from "./totals.ts"
import { scaledAnswer } from "./scaled.ts"
import type { ColumnNoise, NoisyNumber, StrategyAnswer } from "./strategy-answer.ts"

const strategies: { readonly [Kind in StrategyKind]: StrategyAnswer<Kind> } = {
  identity: identityAnswer,
  moments: momentsAnswer,
  scaled: scaledAnswer,
  parts: partsAnswer,
  levels: levelsAnswer,
  totals: totalsAnswer,
}

const choices: ForChoices<[], ColumnNoise> = {
  quantiles: ({ choice }) => ({ mechanism: "exponential", grid: choice.width }),
  mode: ({ choice }) => ({ mechanism: choice.spec.method }),
}

/** The noise of a number that is read. */
export function linearNoise<Kind extends StrategyKind>(
  measurement: LinearMeasurement<Kind>,
  { column }: LinearReading,
  keys: KeyPlan,
): ColumnNoise {
  return strategies[measurement.strategy.kind].noise(measurement, column, keys)
}

/** How a value was chosen. */
export function choiceNoise<Kind extends ChoiceKind>(measurement: ChoiceMeasurement<Kind>): ColumnNoise {
  return choices[measurement.choice.kind](measurement)
}

/** What was drawn behind several groupings, number by number. */
export function drawnNumbers<Kind extends StrategyKind>(
  measurement: LinearMeasurement<Kind>,
  noisy: readonly (readonly bigint[])[],
  keys: GroupedKeys,
): readonly NoisyNumber[] {
  return strategies[measurement.strategy.kind].numbers(measurement, noisy, keys)
}
