// The errors of margins that are put together from the parts of a table.

import { numberNear } from "@dosimeter/core/exact"
import { marginError } from "@dosimeter/core/mechanisms"
import type { StrategyErrors } from "./strategy-errors.ts"

/** All groups of a grouping have the same noise. */
export const partsErrors: StrategyErrors<"parts"> = {
  halfWidth: () => undefined,
  step: ({ grid }) => grid,
  groupings: ({ strategy: { spec }, grid }, { groupings }, confidence) =>
    groupings.sets.map((set) => Number(marginError(spec, set, confidence).halfWidth) * numberNear(grid)),
}
