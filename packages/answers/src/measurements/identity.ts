// Re-use of groups with noise of their own.

import { rational } from "@dosimeter/core/exact"
import { publicRows } from "@dosimeter/proof/algebra/public-rows"
import { lawOfSpec } from "./noise-law.ts"
import { zerosFor, type StrategyReuse } from "./strategy-reuse.ts"

/** One draw for each group; groupings are sums of them. */
export const identityReuse: StrategyReuse<"identity"> = {
  noise: ({ strategy: { spec }, grid }) => ({
    terms: [{ draw: 0, noise: lawOfSpec(spec, grid), factor: rational(1n) }],
    slack: 0,
  }),
  law: ({ strategy: { spec } }) =>
    spec.kind === "laplace" ? { kind: "cells", scale: spec.scale } : undefined,
  zeros: (_, keys) => [zerosFor(publicRows(keys))],
}
