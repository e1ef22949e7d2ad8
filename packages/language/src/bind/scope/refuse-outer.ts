// Refuses conditions on the outer query in places that cannot take them.

import { fail } from "../../errors.ts"
import type { ColumnExpr, Expr } from "@dosimeter/proof/algebra/expr"
import { partsOf } from "@dosimeter/proof/algebra/walk"
import type { Select } from "../../parse/ast.ts"
import type { QueryScope, Rows } from "./env.ts"
import { writtenAs } from "./names.ts"

interface OuterUse {
  readonly rows: Rows
  readonly select: Select
  readonly conditions: readonly Expr[]
}

/** Refuses a condition on the outer query: this place cannot take one. */
export function refuseOuter(
  { context, outer }: QueryScope,
  { rows, select, conditions }: OuterUse,
): undefined {
  const own = new Set(rows.block.relation.rel.columns.map(({ id }) => id))
  const [first] = conditions.flatMap((condition) => columnExprsIn(condition)).filter(({ id }) => !own.has(id))
  if (first === undefined) return undefined
  const name = outer === undefined ? undefined : writtenAs(outer.names, new Set([first.id]))
  return fail("sql/correlated", { name: name ?? "a column" }, context.places.get(first) ?? select.at)
}

function columnExprsIn(value: Expr): readonly ColumnExpr[] {
  return value.kind === "column" ? [value] : partsOf(value).flatMap(columnExprsIn)
}
