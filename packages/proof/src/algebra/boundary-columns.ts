// The output columns of the aggregates of a boundary.

import type { BoundaryAggregate } from "./rel.ts"

/** How many output columns an aggregate gives. */
export function columnCount(aggregate: BoundaryAggregate): number {
  return aggregate.kind === "quantile" ? aggregate.fractions.length : 1
}
