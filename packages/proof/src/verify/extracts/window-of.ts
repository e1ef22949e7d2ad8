// The window that computes a column of an extract's rows.

import { reject } from "../../units/reject.ts"
import type { ColumnId } from "../../algebra/expr.ts"
import type { Rel, WindowItem } from "../../algebra/rel.ts"

/** The window's item, and the rows that it is over. Between it and `rel` rows are only dropped, or widened. */
export function windowOf(rel: Rel, id: ColumnId): { readonly below: Rel; readonly item: WindowItem } {
  for (let at = rel; ; at = at.input) {
    if (at.kind === "window") {
      const place = at.columns.findIndex((column) => column.id === id) - at.input.columns.length
      const item = place < 0 ? undefined : at.items[place]
      if (item !== undefined) return { below: at.input, item }
    } else if (at.kind !== "filter" && at.kind !== "project") {
      return reject("a weight by something else than a window over the unit's rows")
    }
  }
}
