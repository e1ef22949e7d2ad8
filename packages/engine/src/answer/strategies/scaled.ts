// What an answer says of groups whose units are scaled to a norm.

import { divide, multiply, numberNear, rational } from "@dosimeter/core/exact"
import type { StrategyAnswer } from "./strategy-answer.ts"

/** Every number has a draw of its own. */
export const scaledAnswer: StrategyAnswer<"scaled"> = {
  noise: ({ strategy: { spec, worths, steps } }, column) => {
    const [worth, grid] = [worths[column] ?? rational(1n), steps[column] ?? rational(1n)]
    const deviation = spec.kind === "laplace" ? numberNear(spec.scale) : Math.sqrt(numberNear(spec.variance))
    return {
      mechanism: spec.kind,
      scale: deviation * numberNear(divide(worth, grid)),
      grid: multiply(grid, rational(1n)),
    }
  },
  numbers: () => [],
}
