// Re-use of vectors of moments.

import { rational } from "@dosimeter/core/exact"
import { factorsOf } from "@dosimeter/proof/algebra/moment-reading"
import { lawOfSpec } from "./noise-law.ts"
import type { StrategyReuse } from "./strategy-reuse.ts"

/** Each coordinate of a group's vector is a draw of its own. */
export const momentsReuse: StrategyReuse<"moments"> = {
  noise: (measurement, column) => {
    const of = measurement.columns[column]?.of
    if (of === undefined) return undefined
    const noise = lawOfSpec(measurement.strategy.spec, rational(1n))
    return { terms: factorsOf(measurement, of).map((factor, draw) => ({ draw, noise, factor })), slack: 0 }
  },
  law: () => undefined,
  zeros: () => [],
}
