// The errors of groups whose units are scaled to a norm: noise alone.

import { add, divide, multiply, rational, zero } from "@dosimeter/core/exact"
import { errorOf } from "@dosimeter/core/mechanisms"
import type { StrategyErrors } from "./strategy-errors.ts"

/** One draw for each number, and half a step where it is rounded. */
export const scaledErrors: StrategyErrors<"scaled"> = {
  halfWidth: ({ strategy: { spec, worths, steps } }, { column, isWhole }, confidence) => {
    const [worth, step] = [worths[column], steps[column]]
    if (worth === undefined || step === undefined) return undefined
    const rounding = isWhole ? divide(step, rational(2n)) : zero
    return add(rounding, multiply(rational(errorOf(spec, confidence).halfWidth), worth))
  },
  step: ({ strategy: { steps } }, column) => steps[column] ?? rational(1n),
  groupings: () => [],
}
