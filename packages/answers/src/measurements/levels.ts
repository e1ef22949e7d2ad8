// Re-use of sums at the levels of a tree.

import { treeDrawVariances } from "@dosimeter/core/mechanisms"
import { zerosFor, type StrategyReuse } from "./strategy-reuse.ts"

/** A draw for the total, and draws for the comparisons of siblings at each level. */
export const levelsReuse: StrategyReuse<"levels"> = {
  noise: () => undefined,
  law: ({ strategy: { spec } }) => {
    const { weights, total, variances } = spec
    return { kind: "levels", weights, total, variances }
  },
  zeros: ({ strategy: { spec } }) => treeDrawVariances(spec).map(zerosFor),
}
