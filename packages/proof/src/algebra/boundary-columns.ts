// The output columns of the aggregates of a boundary.

import type { Measure } from "./rel.ts"

/** How many output columns an aggregate gives. */
export function columnCount(measure: Measure): number {
  return measure.kind === "quantile" ? measure.fractions.length : 1
}
