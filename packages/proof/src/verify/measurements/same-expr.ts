// Expressions of a plan are held against those that its measurement stands for.

import { reject } from "../../units/reject.ts"
import type { ColumnExpr, ColumnId, Expr } from "../../algebra/expr.ts"
import { columnExpr } from "../../algebra/make.ts"
import type { Rel } from "../../algebra/rel.ts"

/** Whether two expressions are the same, token by token. */
export function isSame(a: Expr | undefined, b: Expr): boolean {
  const show = (expr: Expr | undefined): string =>
    JSON.stringify(expr ?? null, (_, value: unknown) => (typeof value === "bigint" ? `${value}` : value))
  return show(a) === show(b)
}

/** A column as it stands in the rows, or was before it was dropped. */
export function named(rel: Rel, id: ColumnId): ColumnExpr {
  for (let at = rel; ; at = at.input) {
    const column = at.columns.find((one) => one.id === id)
    if (column !== undefined) return columnExpr(column)
    if (at.kind !== "filter" && at.kind !== "window" && at.kind !== "project") {
      return reject("moments of a column that is not there")
    }
  }
}
