// A boundary with some of its measures.

import { columnCount } from "@dosimeter/proof/algebra/boundary-columns"
import type { Boundary } from "@dosimeter/proof/algebra/rel"

/** How many output columns each measure has. */
export function widthsOf({ measures }: Boundary): readonly number[] {
  return measures.map(columnCount)
}

/** The boundary with the measures that are kept, and their columns. */
export function onlyMeasures(boundary: Boundary, kept: readonly boolean[]): Boundary {
  const { keys, measures, columns } = boundary
  const widths = widthsOf(boundary)
  let next = keys.length
  const own = widths.flatMap((width, index) => {
    const part = columns.slice(next, next + width)
    next += width
    return kept[index] === true ? part : []
  })
  return {
    ...boundary,
    measures: measures.filter((_, index) => kept[index] === true),
    columns: [...columns.slice(0, keys.length), ...own],
  }
}
