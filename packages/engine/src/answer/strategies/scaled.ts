// What an answer says of groups whose units are scaled to a norm.

import { ceil, divide, multiply, numberNear, rational } from "@dosimeter/core/exact"
import type { StrategyAnswer } from "./strategy-answer.ts"

/** Every number has a draw of its own. */
export const scaledAnswer: StrategyAnswer<"scaled"> = {
  noise: ({ strategy: { spec, worths, steps } }, column) => {
    const [worth, grid] = [worths[column] ?? rational(1n), steps[column] ?? rational(1n)]
    const amounts = spec.sensitivity.patterns.flat().map(({ amount }) => amount)
    const most = amounts.reduce((a, b) => (a > b ? a : b), 0n)
    const deviation = spec.kind === "laplace" ? numberNear(spec.scale) : Math.sqrt(numberNear(spec.variance))
    return {
      mechanism: spec.kind,
      scale: deviation * numberNear(divide(worth, grid)),
      grid,
      sensitivity: ceil(divide(multiply(rational(most), worth), grid)),
    }
  },
  numbers: () => [],
}
