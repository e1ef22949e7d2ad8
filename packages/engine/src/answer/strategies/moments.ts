// What an answer says of numbers that are read from vectors of moments.

import { numberNear } from "@dosimeter/core/exact"
import { momentVariance } from "@dosimeter/planner/aggregates/errors/moment-error"
import { stepOf } from "@dosimeter/proof/algebra/moment-reading"
import type { StrategyAnswer } from "./strategy-answer.ts"

/** The noise in a number: as if it were a draw of its own. */
export const momentsAnswer: StrategyAnswer<"moments"> = {
  noise: (measurement, column) => {
    const { spec } = measurement.strategy
    const of = measurement.columns[column]?.of ?? "rows"
    const deviation = Math.sqrt(numberNear(momentVariance(measurement, of)))
    return {
      mechanism: spec.kind,
      scale: spec.kind === "laplace" ? deviation / Math.SQRT2 : deviation,
      grid: stepOf(measurement, of),
    }
  },
  numbers: () => [],
}
