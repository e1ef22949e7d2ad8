// The last step of SELECT: outputs become columns, DISTINCT and ORDER BY find theirs.

import { fail } from "../errors.ts"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import { columnExpr } from "@dosimeter/proof/algebra/make"
import type { SortKey } from "@dosimeter/proof/algebra/rel"
import type { Expression, OrderItem, Select } from "../parse/ast.ts"
import { writtenExpression } from "./calls/ast-parts.ts"
import { sortKey } from "./windows/bind-window.ts"
import { distinctRows } from "./groups/distinct-rows.ts"
import type { Block, OutputColumn, QueryScope } from "./scope/env.ts"
import { exprKey } from "./exprs/expr-key.ts"
import { projected, type Relation } from "./scope/relation.ts"
import type { SelectOutput } from "./scope/select-outputs.ts"

/** A SELECT, bound: its outputs, and the order that was asked for. */
export interface BoundSelect {
  readonly relation: Relation
  readonly outputs: readonly OutputColumn[]
  readonly orderBy: readonly SortKey[]
  readonly rows: "one" | "any"
}

/** An output, or a value of its own. */
export type OrderKey = { readonly item: OrderItem } & (
  | { readonly output: number }
  | { readonly value: Expr; readonly ast: Expression }
)

/** All that a SELECT gives. */
export interface Finish {
  readonly select: Select
  readonly block: Block
  readonly outputs: readonly SelectOutput[]
  readonly values: readonly Expr[]
  readonly keys: readonly OrderKey[]
  readonly rows: "one" | "any"
}

/** Makes the outputs columns, and keeps what is only sorted by behind them. */
export function finishSelect(
  scope: QueryScope,
  { select, block, outputs, values, keys, rows }: Finish,
): BoundSelect {
  const items = outputs.flatMap(({ name }, index) => {
    const value = values[index]
    return value === undefined ? [] : [{ name, value }]
  })
  const places = new Map(items.map(({ value }, index) => [exprKey(value), index]))
  const isCut = select.distinct !== undefined || block.relation.zone.kind === "private"
  const order = keys.map((key) => ({
    key,
    index: "output" in key ? key.output : places.get(exprKey(key.value)),
  }))
  for (const { key, index } of order) {
    if (index === undefined && select.distinct !== undefined && "ast" in key) {
      const what = `${writtenExpression(key.ast)} in ORDER BY`
      const remedy = "add it to the select list"
      fail("sql/misplaced", { what, where: "beside SELECT DISTINCT", remedy }, key.item.at)
    }
  }
  // Values that are only sorted by stand behind the outputs. Rows of people are not sorted.
  const extra = isCut
    ? []
    : order.flatMap(({ key, index }) =>
        index === undefined && "value" in key ? [{ name: "order", value: key.value }] : [],
      )
  const { relation, columns } = projected(scope.context, block.relation, [...items, ...extra])
  let next = items.length
  const orderBy =
    isCut && select.distinct === undefined
      ? []
      : order.flatMap(({ key, index }): readonly SortKey[] => {
          const column = columns[index ?? next]
          if (index === undefined) next += 1
          return column === undefined ? [] : [sortKey(columnExpr(column), key.item)]
        })
  const visible = columns.slice(0, items.length)
  return {
    relation: select.distinct === undefined ? relation : distinctRows(scope, { relation, visible, select }),
    outputs: visible.map((column, index) => ({ name: outputs[index]?.name ?? column.name, column })),
    orderBy,
    rows,
  }
}
