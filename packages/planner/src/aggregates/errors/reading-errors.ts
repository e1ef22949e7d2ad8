// How far off what is read from a release may be, before anything is paid: an entry for each strategy.

import type { Rational } from "@dosimeter/core/exact"
import { errorOf, gaussianOfVariance, laplaceOfScale, type AdditiveError } from "@dosimeter/core/mechanisms"
import type { GroupedKeys } from "@dosimeter/proof/algebra/grouping-sums"
import type { LinearMeasurement, StrategyKind } from "@dosimeter/proof/algebra/measurement"
import type { Release } from "@dosimeter/proof/algebra/release-plan"
import { identityErrors } from "./identity.ts"
import { levelsErrors } from "./levels.ts"
import { momentsErrors } from "./moments.ts"
import { partsErrors } from "./parts.ts"
import { totalsErrors } from "./totals.ts"
import { scaledErrors } from "./scaled.ts"
import type { LinearNumber, StrategyErrors } from "./strategy-errors.ts"

const strategies: { readonly [Kind in StrategyKind]: StrategyErrors<Kind> } = {
  identity: identityErrors,
  moments: momentsErrors,
  scaled: scaledErrors,
  parts: partsErrors,
  levels: levelsErrors,
  totals: totalsErrors,
}

/** Half the width of the interval of a number; undefined where that differs from group to group. */
export function linearHalfWidth<Kind extends StrategyKind>(
  measurement: LinearMeasurement<Kind>,
  number: LinearNumber,
  confidence: Rational,
): Rational | undefined {
  return strategies[measurement.strategy.kind].halfWidth(measurement, number, confidence)
}

/** What a number is a multiple of, if it is whole. */
export function linearStep<Kind extends StrategyKind>(
  measurement: LinearMeasurement<Kind>,
  column: number,
): Rational {
  return strategies[measurement.strategy.kind].step(measurement, column)
}

/** Half the width of the widest interval of each grouping. */
export function groupingHalfWidths<Kind extends StrategyKind>(
  measurement: LinearMeasurement<Kind>,
  keys: GroupedKeys,
  confidence: Rational,
): readonly number[] {
  return strategies[measurement.strategy.kind].groupings(measurement, keys, confidence)
}

/** The error of the counts that come with selected keys, if they do. */
export function keyCountError({ keys }: Release, confidence: Rational): AdditiveError | undefined {
  if (keys.kind !== "private") return undefined
  const { spec } = keys
  const sensitivity = { neighbours: spec.neighbours, patterns: [[{ groups: 1n, amount: 1n }]] }
  switch (spec.kind) {
    case "keys-optimal":
    case "keys-weighted":
      return undefined
    case "keys-laplace":
      return errorOf(laplaceOfScale({ sensitivity, scale: spec.scale }), confidence)
    case "keys-gaussian":
      return errorOf(gaussianOfVariance({ sensitivity, variance: spec.variance }), confidence)
    default:
      return spec satisfies never
  }
}
