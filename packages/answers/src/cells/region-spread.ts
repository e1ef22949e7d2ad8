// Where a quantile lies: between the cells that were drawn for it. How sure that is was fixed with the draw;
// whoever needs to be surer gets the range of the column.

import { numberDown, numberUp } from "@dosimeter/core/exact"
import type { Region } from "@dosimeter/proof/algebra/released"
import type { RegionSpread } from "./spread.ts"

/** The spread of such a value. A group without rows has none: the exact one may be NULL. */
export function regionSpread({ low, high, miss, least, most, event }: Region): RegionSpread {
  // Confidences are doubles by now: 1 - 0.95 is not quite 0.05.
  const fails = numberUp(miss) * (1 - 1e-12)
  const narrow = { low: numberDown(low), high: numberUp(high), mayBeNull: true }
  const wide = { low: numberDown(least), high: numberUp(most), mayBeNull: true }
  return { kind: "region", event, rangeAt: (allowed) => (allowed >= fails ? narrow : wide) }
}
