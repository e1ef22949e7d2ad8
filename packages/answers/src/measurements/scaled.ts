// Re-use of groups whose units are scaled to a norm.

import { rational } from "@dosimeter/core/exact"
import { scaledTerms } from "@dosimeter/proof/algebra/scaled-reading"
import { lawOfSpec } from "./noise-law.ts"
import type { StrategyReuse } from "./strategy-reuse.ts"

/** One draw for each group and column; several of them in what is read from moments. */
export const scaledReuse: StrategyReuse<"scaled"> = {
  noise: (measurement, column) => {
    const noise = lawOfSpec(measurement.strategy.spec, rational(1n))
    const terms = scaledTerms(measurement, column).map((term) => ({ ...term, noise }))
    return terms.length === 0 ? undefined : { terms, slack: 0 }
  },
  law: () => undefined,
  zeros: () => [],
}
