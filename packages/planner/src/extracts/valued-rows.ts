// The rows that an extract reads: no more columns than it needs, and the rows that count for a value.

import { ceil, rational } from "@dosimeter/core/exact"
import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import {
  callExpr,
  columnExpr,
  columnIn,
  filterRel,
  integerLiteral,
  projectRel,
  stepsExpr,
  type ColumnIds,
} from "@dosimeter/proof/algebra/make"
import type { Boundary, Rel, RelColumn } from "@dosimeter/proof/algebra/rel"
import { columnsOf, narrow } from "./narrow.ts"

/** A relation, and the column that was added to it. */
export interface ValuedRows {
  readonly rel: Rel
  readonly added: ColumnId
}

/** What rows are looked for: those that meet `where` and in which `of` is there. */
export interface RowsWanted {
  readonly where: Expr | undefined
  readonly of: Expr
  readonly label: string
}

/** The boundary over no more columns than the unit, the keys and some expressions need. */
export function onlyFor(
  boundary: Boundary,
  unit: ColumnId | undefined,
  exprs: readonly (Expr | undefined)[],
): Boundary {
  const wanted = new Set([...(unit === undefined ? [] : [unit]), ...boundary.keys, ...columnsOf(exprs)])
  return { ...boundary, input: narrow(boundary.input, wanted) }
}

/** Where rows are looked for, and which of their columns are kept besides unit and keys. */
export interface RowsFrom {
  readonly boundary: Boundary
  readonly unit: ColumnId | undefined
  readonly kept?: readonly RelColumn[]
  readonly ids: ColumnIds
}

/** Unit, keys and one value of the rows that count; rows where the value is NULL do not. */
export function withValue(
  { boundary, unit, kept = [], ids }: RowsFrom,
  value: Expr,
  { where, of, label }: RowsWanted,
): ValuedRows {
  const { input, keys } = onlyFor(boundary, unit, [value, where, of, ...kept.map(columnExpr)])
  const present = of.domain.nullable ? [callExpr("not", [callExpr("is-null", [of])])] : []
  const [condition, ...more] = [...(where === undefined ? [] : [where]), ...present]
  const rows =
    condition === undefined
      ? input
      : filterRel(input, more.length === 0 ? condition : callExpr("and", [condition, ...more]))
  const others = [...keys, ...kept.map(({ id }) => id)]
  const carried = [...(unit === undefined ? [] : [unit]), ...others].map((id) =>
    columnExpr(columnIn(rows, id)),
  )
  // A column of its own, even where the value is one that is carried already.
  const fresh = { id: ids.next(), name: label, domain: value.domain }
  const columns = [...carried.map(({ id }) => columnIn(rows, id)), fresh]
  return { rel: { kind: "project", input: rows, items: [...carried, value], columns }, added: fresh.id }
}

/** The same rows with a cell that is never NULL; the clamp makes that visible in the plan. */
export function withoutNull({ rel, added }: ValuedRows, ids: ColumnIds): ValuedRows {
  const value = columnIn(rel, added)
  if (!value.domain.nullable) return { rel, added }
  const items = rel.columns.map((column) => {
    const expr = columnExpr(column)
    return { name: column.name, value: column === value ? clampedOrNothing(expr) : expr }
  })
  const present = projectRel(rel, items, ids)
  return { rel: present, added: present.columns.at(-1)?.id ?? -1 }
}

function clampedOrNothing(cell: Expr): Expr {
  const { range } = cell.domain
  const upper = range === undefined ? 0n : ceil(range.max.value)
  const filled = callExpr("coalesce", [cell, integerLiteral(0n)])
  return stepsExpr(filled, rational(1n), { lower: 0n, upper })
}
