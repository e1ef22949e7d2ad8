// The errors of what is read from vectors of moments.

import { stepOf } from "@dosimeter/proof/algebra/moment-reading"
import { momentHalfWidth } from "./moment-error.ts"
import type { StrategyErrors } from "./strategy-errors.ts"

/** Several draws for each number. */
export const momentsErrors: StrategyErrors<"moments"> = {
  halfWidth: (measurement, { column, isWhole }, confidence) => {
    const of = measurement.columns[column]?.of
    return of === undefined ? undefined : momentHalfWidth(measurement, { of, isWhole }, confidence)
  },
  step: (measurement, column) => stepOf(measurement, measurement.columns[column]?.of ?? "rows"),
  groupings: () => [],
}
