// What an answer says of groups whose units are scaled to a norm.

import { ceil, divide, multiply, numberNear, rational } from "@dosimeter/core/exact"
import { factorLength, mostFactor } from "@dosimeter/proof/algebra/scaled-reading"
import type { StrategyAnswer } from "./strategy-answer.ts"

/** Every number has a draw of its own; what is read from moments has several, as if they were one. */
export const scaledAnswer: StrategyAnswer<"scaled"> = {
  noise: (measurement, column) => {
    const { spec, steps } = measurement.strategy
    const grid = steps[column] ?? rational(1n)
    const amounts = spec.sensitivity.patterns.flat().map(({ amount }) => amount)
    const most = amounts.reduce((a, b) => (a > b ? a : b), 0n)
    const deviation = spec.kind === "laplace" ? numberNear(spec.scale) : Math.sqrt(numberNear(spec.variance))
    return {
      mechanism: spec.kind,
      scale: deviation * numberNear(divide(factorLength(measurement, column), grid)),
      grid,
      sensitivity: ceil(divide(multiply(rational(most), mostFactor(measurement, column)), grid)),
    }
  },
  numbers: () => [],
}
