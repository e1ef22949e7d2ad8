// The errors of groups with noise of their own.

import { multiply, numberNear, one, rational, subtract } from "@dosimeter/core/exact"
import { errorOf } from "@dosimeter/core/mechanisms"
import { errorOfTerms } from "@dosimeter/answers/reuse/derived-table"
import { lawOfSpec } from "@dosimeter/answers/measurements/noise-law"
import { groupingSizes } from "@dosimeter/proof/algebra/grouping-sums"
import type { StrategyErrors } from "./strategy-errors.ts"

/** One draw for each group; a group of a grouping has as many as it has rows. */
export const identityErrors: StrategyErrors<"identity"> = {
  halfWidth: ({ strategy: { spec }, grid }, _, confidence) =>
    multiply(rational(errorOf(spec, confidence).halfWidth), grid),
  step: ({ grid }) => grid,
  groupings: ({ strategy: { spec }, grid }, keys, confidence) => {
    const noise = lawOfSpec(spec, grid)
    const miss = numberNear(subtract(one, confidence))
    return groupingSizes(keys).map(({ most }) => {
      const terms = Array.from({ length: most }, (_, draw) => ({ draw, noise, factor: one }))
      return errorOfTerms({ terms, slack: 0 }, miss)
    })
  },
}
