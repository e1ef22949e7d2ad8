// Is an expression of a question what a prepared copy holds in a column? Columns of a question are looked
// through to where they were computed.

import { compare } from "@dosimeter/core/exact"
import { constantKey } from "@dosimeter/proof/catalog/constant"
import { sameType } from "@dosimeter/proof/catalog/sql-type"
import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import type { Rel } from "@dosimeter/proof/algebra/rel"
import { inputsOf } from "@dosimeter/proof/algebra/walk"

/** Where the columns of a relation are computed: the expression of each, over columns further below. */
export function definitionsIn(rel: Rel, found: Map<ColumnId, Expr> = new Map()): Map<ColumnId, Expr> {
  if (rel.kind === "project") {
    for (const [index, item] of rel.items.entries()) {
      const id = rel.columns[index]?.id
      if (id !== undefined && !(item.kind === "column" && item.id === id)) found.set(id, item)
    }
  }
  for (const input of inputsOf(rel)) definitionsIn(input, found)
  return found
}

/** An expression that is not a mere name for another. */
export function lookThrough(expr: Expr, definitions: ReadonlyMap<ColumnId, Expr>): Expr {
  const below = expr.kind === "column" ? definitions.get(expr.id) : undefined
  return below === undefined ? expr : lookThrough(below, definitions)
}

/** How the columns of a stored expression are found in a question. */
export interface Matching {
  readonly definitions: ReadonlyMap<ColumnId, Expr>
  /** The question's column for a column of the stored expression, if it reads it. */
  readonly columnOf: (stored: ColumnId) => ColumnId | undefined
}

/** Whether two expressions have the same value in every row: the same tree over the same columns. */
export function isSameExpression(stored: Expr, asked: Expr, matching: Matching): boolean {
  const expr = lookThrough(asked, matching.definitions)
  const same = (a: readonly Expr[], b: readonly Expr[]): boolean =>
    a.length === b.length &&
    a.every((part, index) => {
      const other = b[index]
      return other !== undefined && isSameExpression(part, other, matching)
    })
  switch (stored.kind) {
    case "column":
      return expr.kind === "column" && expr.id === matching.columnOf(stored.id)
    case "literal":
      return (
        expr.kind === "literal" &&
        sameType(stored.domain.type, expr.domain.type) &&
        constantKey(stored.value) === constantKey(expr.value)
      )
    case "call":
      return (
        expr.kind === "call" &&
        expr.name === stored.name &&
        sameType(stored.domain.type, expr.domain.type) &&
        same(stored.args, expr.args)
      )
    case "steps":
      return (
        expr.kind === "steps" &&
        compare(expr.grid, stored.grid) === 0 &&
        expr.lower === stored.lower &&
        expr.upper === stored.upper &&
        isSameExpression(stored.operand, expr.operand, matching)
      )
    case "case":
      return (
        expr.kind === "case" &&
        same(
          [...stored.branches.flatMap(({ when, result }) => [when, result]), stored.otherwise],
          [...expr.branches.flatMap(({ when, result }) => [when, result]), expr.otherwise],
        )
      )
    // Nothing else is stored.
    case "share":
    case "weight":
    case "keyed-hash":
      return false
    default:
      return stored satisfies never
  }
}
