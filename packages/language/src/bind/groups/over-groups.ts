// Expressions over groups: keys become their columns, aggregates what was measured, and all else is refused.

import type { Span } from "@dosimeter/core"
import { fail } from "../../errors.ts"
import { mapParts } from "@dosimeter/proof/algebra/change"
import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import { columnExpr } from "@dosimeter/proof/algebra/make"
import type { RelColumn } from "@dosimeter/proof/algebra/rel"
import { partsOf } from "@dosimeter/proof/algebra/walk"
import type { Call, Expression } from "../../parse/ast.ts"
import type { UnitedSets } from "./bind-grouping-sets.ts"
import type { Reading } from "../aggregates/collector.ts"
import type { Block, Env, QueryScope, Rows } from "../scope/env.ts"
import { exprKey } from "../exprs/expr-key.ts"
import type { Key } from "./group-keys.ts"
import { groupingBinder } from "./grouping-call.ts"
import type { Relation } from "../scope/relation.ts"

/** Groups, and what expressions over the input mean over them. */
export interface Grouped {
  readonly block: Block
  /** From an expression over the input to one over the groups. */
  readonly finish: (value: Expr) => Expr
  readonly aggregate: (call: Call) => Expr
  /** Outputs that are a key as they stand. */
  readonly keyOf: (value: Expression) => Expr | undefined
  /** GROUPING(a, b): which keys a row's grouping leaves out, as the bits of a number. */
  readonly grouping: (call: Call, env: Env) => Expr
}

/** Groups, as they were made. */
export interface GroupedParts {
  readonly rows: Rows
  readonly relation: Relation
  readonly keys: readonly Key[]
  readonly keyColumns: readonly RelColumn[]
  readonly readings: ReadonlyMap<Call, Reading>
  /** Where there are several groupings: their union. */
  readonly united?: UnitedSets
}

/** What expressions over the input mean over its groups. */
export function grouped({ context }: QueryScope, parts: GroupedParts): Grouped {
  const { rows, relation, keys, keyColumns, readings, united } = parts
  const shown = (column: RelColumn): Expr => columnExpr(united?.columnOf(column) ?? column)
  const block: Block = { relation }
  const inputs = new Set(rows.block.relation.rel.columns.map(({ id }) => id))
  const byValue = new Map<string, Expr>()
  const byAst = new Map<Expression, Expr>()
  for (const [index, { value, ast }] of keys.entries()) {
    const column = keyColumns[index]
    if (column === undefined) continue
    byValue.set(exprKey(value), shown(column))
    if (ast !== undefined) byAst.set(ast, shown(column))
  }
  const groupColumns = new Set(relation.rel.columns.map(({ id }) => id))
  const finish = (value: Expr): Expr => {
    const key = byValue.get(exprKey(value))
    if (key !== undefined) return key
    if (value.kind === "column" && inputs.has(value.id) && !groupColumns.has(value.id)) {
      return failUngrouped(context.places.get(value), rows, value.id)
    }
    return partsOf(value).length === 0 ? value : mapParts(value, finish)
  }
  return {
    block,
    finish,
    aggregate: (call) => {
      const reading = readings.get(call)
      if (reading === undefined)
        return fail("bug/plan-rejected", { what: "an aggregate was not found" }, call.at)
      return reading(shown)
    },
    keyOf: (value) => byAst.get(value),
    grouping: groupingBinder({ keys, keyColumns, united }),
  }
}

function failUngrouped(at: Span | undefined, { names }: Rows, id: ColumnId): never {
  const named = names.columns.find(({ column }) => column?.id === id)
  return fail("sql/not-grouped", { name: named?.name ?? "this column" }, at)
}
