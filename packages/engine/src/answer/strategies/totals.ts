// What is said of the noise of running totals.

import { numberNear } from "@dosimeter/core/exact"
import type { StrategyAnswer } from "./strategy-answer.ts"

/** The noise in what is measured at each step. */
export const totalsAnswer: StrategyAnswer<"totals"> = {
  noise: ({ strategy: { spec }, grid }) => ({
    mechanism: spec.kind,
    scale:
      spec.noise.law === "laplace"
        ? numberNear(spec.noise.scale)
        : Math.sqrt(numberNear(spec.noise.variance)),
    grid,
    sensitivity: spec.amountPerStep,
  }),
  // There are no groupings of periods.
  numbers: () => [],
}
