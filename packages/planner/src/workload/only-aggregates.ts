// A boundary with some of its aggregates.

import { columnCount } from "@dosimeter/proof/algebra/boundary-columns"
import type { Boundary } from "@dosimeter/proof/algebra/rel"

/** How many output columns each aggregate has. */
export function widthsOf({ aggregates }: Boundary): readonly number[] {
  return aggregates.map(columnCount)
}

/** The boundary with the aggregates that are kept, and their columns. */
export function onlyAggregates(boundary: Boundary, kept: readonly boolean[]): Boundary {
  const { keys, aggregates, columns } = boundary
  const widths = widthsOf(boundary)
  let next = keys.length
  const own = widths.flatMap((width, index) => {
    const part = columns.slice(next, next + width)
    next += width
    return kept[index] === true ? part : []
  })
  return {
    ...boundary,
    aggregates: aggregates.filter((_, index) => kept[index] === true),
    columns: [...columns.slice(0, keys.length), ...own],
  }
}
