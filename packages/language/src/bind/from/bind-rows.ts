// The rows of a SELECT: FROM, and the conditions of WHERE.

import type { Span } from "@dosimeter/core"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import { columnsIn } from "@dosimeter/proof/algebra/walk"
import type { Expression, Select } from "../../parse/ast.ts"
import { bindFrom } from "./bind-from.ts"
import { makeAnd } from "../exprs/build.ts"
import { toBoolean } from "../exprs/coerce.ts"
import { gather } from "../scope/context.ts"
import { noAggregates, noWindows, type Block, type Env, type QueryScope, type Rows } from "../scope/env.ts"
import { filtered } from "../scope/relation.ts"

/** Binds FROM and WHERE. Conditions that name the outer query are kept apart. */
export function bindRows(scope: QueryScope, select: Select): Rows {
  const rows = fromRows(scope, select)
  return { ...rows, outerConditions: rows.filter() }
}

/** FROM, and WHERE still to be done: gives the conditions that name the outer query. */
export interface FromRows extends Rows {
  readonly filter: () => readonly Expr[]
}

/** Binds FROM. */
export function fromRows(scope: QueryScope, select: Select): FromRows {
  const where = { rest: new Set(select.where === undefined ? [] : conjuncts(select.where)) }
  const { relation, names } = bindFrom(scope, select.from, where)
  const block: Block = { relation }
  const filter = (): readonly Expr[] =>
    bindWhere(scope, { parts: [...where.rest], names, block, at: select.where?.at })
  return { block, names, outerConditions: [], filter }
}

interface Where {
  readonly parts: readonly Expression[]
  readonly names: Rows["names"]
  readonly block: Block
  readonly at: Span | undefined
}

function bindWhere(scope: QueryScope, { parts, names, block, at }: Where): readonly Expr[] {
  const env: Env = {
    ...scope,
    names,
    block,
    outerUse: "allowed",
    aggregate: noAggregates("in WHERE", "use HAVING, or aggregate in a subquery"),
    window: noWindows("in WHERE"),
    finish: (value) => value,
  }
  const conditions = gather(parts, (part) =>
    toBoolean(scope.binders.expression(env, part, "filter"), part.at, "WHERE"),
  )
  const own = new Set(block.relation.rel.columns.map(({ id }) => id))
  const isOwn = (value: Expr): boolean => [...columnsIn(value)].every((id) => own.has(id))
  block.relation = filtered(block.relation, makeAnd(conditions.filter(isOwn)), at)
  return conditions.filter((value) => !isOwn(value))
}

function conjuncts(value: Expression): readonly Expression[] {
  return value.kind === "logical" && value.operator === "and" ? value.operands.flatMap(conjuncts) : [value]
}
