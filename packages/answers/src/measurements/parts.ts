// Re-use of the parts of a table.

import { marginPartVariances } from "@dosimeter/core/mechanisms"
import { zerosFor, type StrategyReuse } from "./strategy-reuse.ts"

/** Draws for the comparisons of each part. */
export const partsReuse: StrategyReuse<"parts"> = {
  noise: () => undefined,
  law: ({ strategy: { spec } }) => ({ kind: "parts", parts: spec.parts }),
  zeros: ({ strategy: { spec } }) =>
    spec.parts.map((part) => zerosFor(marginPartVariances(spec.sizes, part))),
}
