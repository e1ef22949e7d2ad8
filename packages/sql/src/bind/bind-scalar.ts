// A subquery as a value. With one row whatever the data it is joined to every row; with conditions on the outer
// query it is one value for each combination of what they compare, and joined on it.

import type { Span } from "@dosimeter/core"
import { fail } from "../errors.ts"
import type { Expr } from "../ir/expr.ts"
import { columnExpr } from "../ir/make.ts"
import type { RelColumn } from "../ir/rel.ts"
import { columnsIn, isCall } from "../ir/walk.ts"
import type { Call, Expression, Query, ScalarQuery, Select } from "../parse/ast.ts"
import { aggregatesIn } from "./ast-parts.ts"
import { aggregated } from "./bind-group.ts"
import { joinOn } from "./bind-join.ts"
import { inner } from "./bind-subquery.ts"
import { makeAnd, makeCall, wholeLiteral } from "./build.ts"
import { InputColumns, questionOf, type Reading } from "./collector.ts"
import { gather } from "./context.ts"
import { noAggregates, noWindows, type Env, type Rows } from "./env.ts"
import { noNames, nullable, writtenAs } from "./names.ts"
import { PlainAggregates } from "./plain-aggregates.ts"
import type { Relation } from "./relation.ts"

/** Binds a subquery that stands for a value. */
export function bindScalar(env: Env, { query, at }: ScalarQuery): Expr {
  const select = aggregateSelect(query)
  if (select === undefined) return oneRow(env, { query, at })
  const rows = env.binders.rows(inner(env), select)
  const isPrivate = env.block.relation.zone.kind === "private" && rows.block.relation.zone.kind === "private"
  if (rows.outerConditions.length > 0) return correlated(env, { rows, select, at })
  if (isPrivate) return failOverPeople(env, rows, at)
  return oneRow(env, { query, rows, at })
}

/** SELECT one value with aggregates, no groups, nothing else. */
function aggregateSelect({ body, ctes, limit, offset }: Query): Select | undefined {
  if (body.kind !== "select" || ctes.length > 0 || limit !== undefined || offset !== undefined) return undefined
  if (body.groupBy.length > 0 || body.having !== undefined || body.windows.length > 0) return undefined
  const [item, ...others] = body.items
  if (item?.kind !== "output" || others.length > 0) return undefined
  return aggregatesIn(item.value).length > 0 ? body : undefined
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
    const remedy = "aggregate it, such as MAX(x), without GROUP BY; or write a join"
    return fail("sql/unsupported-syntax", { what: "a subquery as a value that may have several rows", remedy }, at)
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

function failOverPeople(env: Env, rows: Rows, at: Span): never {
  const [left, right] = [env.block.relation.zone, rows.block.relation.zone]
  const outer = left.kind === "private" ? writtenAs(env.names, left.equal) : undefined
  const own = right.kind === "private" ? writtenAs(rows.names, right.equal) : undefined
  const what = "this subquery looks at all people for each one of them"
  const remedy =
    outer === undefined || own === undefined
      ? "compare the unit in WHERE of the subquery, or ask in two questions"
      : `add WHERE ${own} = ${outer} to the subquery, or ask in two questions`
  return fail("privacy/scalar-over-people", { what, remedy }, at)
}

interface Correlated {
  readonly rows: Rows
  readonly select: Select
  readonly at: Span
}

/** One value for each combination of what WHERE compares; no such rows: NULL, or 0 for counts. */
function correlated(env: Env, { rows, select, at }: Correlated): Expr {
  const { context, block } = env
  const [item] = select.items
  if (item?.kind !== "output") return failShape(at)
  const pairs = gather(rows.outerConditions, (condition) => equality(env, rows, condition, at))
  const input = new InputColumns(context)
  const keys = pairs.map(({ own }) => input.of(own, "key"))
  const zone = rows.block.relation.zone.kind
  const items = new PlainAggregates(context, zone === "private" ? "private" : "other", input)
  const questions = scalarEnv(env, rows)
  const readings = new Map<Call, Reading>()
  gather(aggregatesIn(item.value), (call) => {
    readings.set(call, items.add(questionOf(questions, call)))
  })
  const unique = [...new Map(keys.map((column) => [column.id, column])).values()]
  const grouped = aggregated(input.project(rows.block.relation), { keys: unique, items, at })
  const condition = makeAnd(pairs.map(({ outer }, index) => makeCall("equal", [keyOf(keys, index, at), outer], at)))
  const left = { relation: block.relation, names: env.names }
  const right = { relation: grouped, names: { tables: [], columns: [] } }
  block.relation = joined(env, { left: left.relation, right: right.relation, condition, at })
  const read = (column: RelColumn): Expr => {
    const value = columnExpr(nullable(column))
    return items.isCount(column) ? makeCall("coalesce", [value, wholeLiteral(0n)], at) : value
  }
  return scalarValue(env, { value: item.value, readings, read })
}

function joined(
  env: Env,
  { left, right, condition, at }: { readonly left: Relation; readonly right: Relation; readonly condition: Expr | undefined; readonly at: Span },
): Relation {
  const sides = {
    left: { relation: left, names: { tables: [], columns: env.names.columns } },
    right: { relation: right, names: noNames },
    type: "left" as const,
    at,
  }
  return joinOn(env.context, sides, condition).relation
}

function keyOf(keys: readonly RelColumn[], index: number, at: Span): Expr {
  const key = keys[index]
  return key === undefined ? failShape(at) : columnExpr(key)
}

/** inner = outer, in either order. */
function equality(env: Env, rows: Rows, condition: Expr, at: Span): { readonly own: Expr; readonly outer: Expr } {
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

function failShape(at: Span): never {
  const remedy = "compare with =, or join and aggregate with GROUP BY"
  const what = "a subquery as a value that compares with the outer query by something else than ="
  return fail("sql/unsupported-syntax", { what, remedy }, at)
}

function scalarEnv(env: Env, rows: Rows): Env {
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

interface ScalarValue {
  readonly value: Expression
  readonly readings: ReadonlyMap<Call, Reading>
  readonly read: (column: RelColumn) => Expr
}

/** Outside of its aggregates the value may hold constants only. */
function scalarValue(env: Env, { value, readings, read }: ScalarValue): Expr {
  const own: Env = {
    ...env,
    names: noNames,
    outer: undefined,
    aggregate: (call) => readings.get(call)?.(read) ?? failShape(call.at),
    window: noWindows("in a subquery as a value"),
    finish: (part) => part,
  }
  return env.binders.expression(own, value)
}
