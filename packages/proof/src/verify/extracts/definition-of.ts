// Where a column is computed.

import { reject } from "../../units/reject.ts"
import type { ColumnId, Expr } from "../../algebra/expr.ts"
import type { Rel } from "../../algebra/rel.ts"

/**
 * The expression that a column is computed by. Where rows are only kept, dropped, grouped by the column or
 * given more columns, it is what it was where it was computed.
 */
export function definitionOf(rel: Rel, id: ColumnId): Expr {
  for (let at = rel; ; at = at.input) {
    if (at.kind === "project") {
      // A column that is not among the outputs here is computed further below.
      const item = at.items[at.columns.findIndex((column) => column.id === id)]
      if (item !== undefined && (item.kind !== "column" || item.id !== id)) return item
    } else if (at.kind === "aggregate") {
      if (!at.keys.includes(id)) return reject("a column that is added up, not computed")
    } else if (at.kind !== "filter" && at.kind !== "window") {
      return reject("a column that is not computed")
    }
  }
}
