// A subquery as a value. With one row whatever the data it is joined to every row; with conditions on the
// outer query it is one value for each combination of what they compare, and joined on it.

import type { Span } from "@dosimeter/core"
import { fail } from "../../errors.ts"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import { columnExpr } from "@dosimeter/proof/algebra/make"
import type { Query, ScalarQuery, Select } from "../../parse/ast.ts"
import { aggregatesIn } from "../calls/ast-parts.ts"
import { joinOn } from "../from/bind-join.ts"
import { inner } from "./bind-subquery.ts"
import { correlated } from "./correlated-scalar.ts"
import type { Env, Rows } from "../scope/env.ts"
import { lookUp } from "./look-up.ts"
import { noNames, writtenAs } from "../scope/names.ts"
import { failSeveral } from "./scalar-parts.ts"

/** Binds a subquery that stands for a value. */
export function bindScalar(env: Env, { query, at }: ScalarQuery): Expr {
  const select = singleSelect(query)
  if (select === undefined) return oneRow(env, { query, at })
  const rows = env.binders.rows(inner(env), select)
  const [zone, own] = [env.block.relation.zone.kind, rows.block.relation.zone.kind]
  const isAggregate = select.items.some(
    (item) => item.kind === "output" && aggregatesIn(item.value).length > 0,
  )
  if (rows.outerConditions.length === 0) {
    if (zone === "private" && own === "private" && isAggregate) return failOverPeople(env, rows, at)
    return oneRow(env, { query, rows, at })
  }
  if (own === "private" && zone !== "private") return failNobodys(at)
  if (isAggregate) return correlated(env, { rows, select, at })
  return own === "private" ? failPrivateRows(at) : lookUp(env, { rows, select, at })
}

/** SELECT one value without groups, and nothing else. */
function singleSelect({ body, ctes, limit, offset }: Query): Select | undefined {
  if (body.kind !== "select" || ctes.length > 0 || limit !== undefined || offset !== undefined)
    return undefined
  if (body.groupBy.length > 0 || body.having !== undefined || body.distinct !== undefined) return undefined
  const [item, ...others] = body.items
  return item?.kind === "output" && others.length === 0 ? body : undefined
}

interface OneRow {
  readonly query: Query
  readonly rows?: Rows
  readonly at: Span
}

/** A value that is the same for every row: a cross join with one row. */
function oneRow(env: Env, { query, rows, at }: OneRow): Expr {
  const { block } = env
  const bound = env.binders.query(inner(env), query, rows)
  const [output, ...others] = bound.outputs
  if (output === undefined || others.length > 0) {
    const what = `a subquery as a value has ${bound.outputs.length} columns`
    return fail("sql/wrong-count", { what, remedy: "select one" }, at)
  }
  const zone = bound.relation.zone.kind
  if (zone === "private") return failPrivateRows(at)
  if (block.relation.zone.kind === "private" && zone === "released") {
    const what = "a result over all people is used for each one of them"
    const remedy = "ask for the result first, and write its value here; or compare results with results"
    return fail("privacy/scalar-over-people", { what, remedy }, at)
  }
  if (bound.rows !== "one") {
    return failSeveral(at)
  }
  const left = { relation: block.relation, names: env.names }
  const right = { relation: bound.relation, names: noNames }
  block.relation = joinOn(env.context, { left, right, type: "inner", at }, undefined).relation
  return columnExpr(output.column)
}

function failPrivateRows(at: Span): never {
  const what = "a subquery as a value would hold rows of people"
  const remedy = "aggregate it, such as MAX(x), with WHERE on the same person; or write a join"
  return fail("privacy/scalar-over-people", { what, remedy }, at)
}

function failNobodys(at: Span): never {
  const what = "this subquery would show of rows that are nobody's what people have"
  const remedy = "join the people with the rows, aggregate with GROUP BY, and filter the result"
  return fail("privacy/unit-lost", { what, remedy }, at)
}

function failOverPeople(env: Env, rows: Rows, at: Span): never {
  const [left, right] = [env.block.relation.zone, rows.block.relation.zone]
  const outer = left.kind === "private" ? writtenAs(env.names, left.equal) : undefined
  const own = right.kind === "private" ? writtenAs(rows.names, right.equal) : undefined
  const what = "this subquery looks at all people for each one of them"
  const remedy =
    outer === undefined || own === undefined || outer === own
      ? "compare the unit in WHERE of the subquery, or ask in two questions"
      : `add WHERE ${own} = ${outer} to the subquery, or ask in two questions`
  return fail("privacy/scalar-over-people", { what, remedy }, at)
}
