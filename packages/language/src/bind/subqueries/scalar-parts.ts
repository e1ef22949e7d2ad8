// What subqueries as values with conditions on the outer query have in common.

import type { Span } from "@dosimeter/core"
import { fail } from "../../errors.ts"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import { columnsIn, isCall } from "@dosimeter/proof/algebra/walk"
import type { Select } from "../../parse/ast.ts"
import { joinRelations, type Source } from "../from/bind-join.ts"
import { inner } from "./bind-subquery.ts"
import { noAggregates, noWindows, type Env, type Rows } from "../scope/env.ts"

/** A subquery with conditions on the outer query. */
export interface Correlated {
  readonly rows: Rows
  readonly select: Select
  readonly at: Span
}

/** Joins a relation to the rows of the block; rows without a match stay. */
export function addJoin(
  { context, block, names }: Env,
  right: Source,
  { condition, at }: { readonly condition: Expr | undefined; readonly at: Span },
): void {
  const left = { relation: block.relation, names }
  block.relation = joinRelations(context, { left, right, type: "left", at }, condition)
}

/** inner = outer, in either order. */
export function equality(
  env: Env,
  rows: Rows,
  condition: Expr,
  at: Span,
): { readonly own: Expr; readonly outer: Expr } {
  const ids = new Set(rows.block.relation.rel.columns.map(({ id }) => id))
  const isOwn = (value: Expr): boolean => [...columnsIn(value)].every((id) => ids.has(id))
  const isOuter = (value: Expr): boolean => [...columnsIn(value)].every((id) => !ids.has(id))
  const [a, b] = isCall(condition, "equal") ? condition.args : []
  if (a !== undefined && b !== undefined) {
    if (isOwn(a) && isOuter(b)) return { own: a, outer: env.finish(b) }
    if (isOwn(b) && isOuter(a)) return { own: b, outer: env.finish(a) }
  }
  return failShape(at)
}

/** Refuses conditions that are no equalities. */
export function failShape(at: Span): never {
  const remedy = "compare with =, or join and aggregate with GROUP BY"
  const what = "a subquery as a value that compares with the outer query by something else than ="
  return fail("sql/unsupported-syntax", { what, remedy }, at)
}

/** Where the value of such a subquery is bound. */
export function scalarEnv(env: Env, rows: Rows): Env {
  return {
    ...inner(env),
    names: rows.names,
    block: rows.block,
    outerUse: "refused",
    aggregate: noAggregates("inside an aggregate", "aggregate in a subquery first"),
    window: noWindows("in a subquery as a value"),
    finish: (value) => value,
  }
}

/** Refuses what may have several rows. */
export function failSeveral(at: Span): never {
  const remedy = "aggregate it, such as MAX(x), without GROUP BY; or write a join"
  return fail(
    "sql/unsupported-syntax",
    { what: "a subquery as a value that may have several rows", remedy },
    at,
  )
}
