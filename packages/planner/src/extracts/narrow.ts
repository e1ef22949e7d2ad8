// An extract computes what it needs: columns of a question that other extracts ask for are left out.

import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import type { Rel } from "@dosimeter/proof/algebra/rel"
import { columnsIn } from "@dosimeter/proof/algebra/walk"

/** The same rows with the wanted columns, perhaps more. Looks through projections and conditions only. */
export function narrow(rel: Rel, wanted: ReadonlySet<ColumnId>): Rel {
  switch (rel.kind) {
    case "filter": {
      const input = narrow(rel.input, new Set([...wanted, ...columnsIn(rel.condition)]))
      const kept = new Set(input.columns.map(({ id }) => id))
      return { ...rel, input, columns: rel.columns.filter(({ id }) => kept.has(id)) }
    }
    case "project": {
      const kept = rel.items.flatMap((item, index) => {
        const column = rel.columns[index]
        return column !== undefined && wanted.has(column.id) ? [{ item, column }] : []
      })
      if (kept.length === 0) return rel
      const items = kept.map(({ item }) => item)
      const input = narrow(rel.input, columnsOf(items))
      return { ...rel, input, items, columns: kept.map(({ column }) => column) }
    }
    default:
      return rel
  }
}

/** All columns that some expressions read. */
export function columnsOf(exprs: readonly (Expr | undefined)[]): Set<ColumnId> {
  return new Set(exprs.flatMap((expr) => (expr === undefined ? [] : [...columnsIn(expr)])))
}
