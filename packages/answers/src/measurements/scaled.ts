// Re-use of groups whose units are scaled to a norm.

import { rational } from "@dosimeter/core/exact"
import { lawOfSpec } from "./noise-law.ts"
import type { StrategyReuse } from "./strategy-reuse.ts"

/** One draw for each group and column. */
export const scaledReuse: StrategyReuse<"scaled"> = {
  noise: ({ strategy: { spec, worths } }, column) => {
    const factor = worths[column]
    if (factor === undefined) return undefined
    return { terms: [{ draw: column, noise: lawOfSpec(spec, rational(1n)), factor }], slack: 0 }
  },
  law: () => undefined,
  zeros: () => [],
}
