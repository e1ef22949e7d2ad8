// EXISTS, IN, ANY and ALL: each becomes a column that says whether the subquery has a fitting row. Conditions
// that name the outer query move from the subquery's WHERE into the fit.

import type { Span } from "@dosimeter/core"
import { fail } from "../../errors.ts"
import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import { columnExpr } from "@dosimeter/proof/algebra/make"
import type { Exists, Expression, InQuery, Quantified, Query, Select } from "../../parse/ast.ts"
import { aggregatesIn } from "../calls/ast-parts.ts"
import { withinUnit, type Source } from "../from/bind-join.ts"
import { compare } from "../calls/bind-operator.ts"
import { booleanLiteral, makeAnd, makeCall, makeCase, nullLiteral, types } from "../exprs/build.ts"
import { gather } from "../scope/context.ts"
import { copyRel, type Copy } from "../exprs/copy-rel.ts"
import { noAggregates, noWindows, type Env, type QueryScope, type Rows, type Use } from "../scope/env.ts"
import { noNames } from "../scope/names.ts"
import { unitExpr, type Zone } from "../scope/relation.ts"

/** Binds EXISTS. What is selected, DISTINCT, ORDER BY and LIMIT 1 change nothing. */
export function bindExists(env: Env, { query, at }: Exists): Expr {
  const select = plainSelect(query)
  const cutsNothing = query.limit === undefined || (query.limit.kind === "integer" && query.limit.value > 0n)
  if (select === undefined || !cutsNothing || query.offset !== undefined) {
    const { relation } = env.binders.query(inner(env), query)
    return addMark(env, { source: { relation, names: noNames }, conditions: [], at, what: "EXISTS" })
  }
  const rows = env.binders.rows(inner(env), select)
  const itemEnv = { ...rowsEnv(env, rows), outerUse: "allowed" as const }
  gather(select.items, (item) =>
    item.kind === "star" ? undefined : env.binders.expression(itemEnv, item.value),
  )
  const source = { relation: rows.block.relation, names: rows.names }
  return addMark(env, { source, conditions: rows.outerConditions, at, what: "EXISTS" })
}

/** Binds x IN (query), also for rows of values. */
export function bindIn(env: Env, { operand, query, at }: InQuery, use: Use): Expr {
  return anyOf(env, { operator: "=", operand, query, at }, use)
}

const opposites: Readonly<Record<string, string>> = {
  "=": "<>",
  "<>": "=",
  "<": ">=",
  "<=": ">",
  ">": "<=",
  ">=": "<",
}

/** Binds x op ANY (query) and x op ALL (query). ALL is "not any that is not". */
export function bindQuantified(env: Env, value: Quantified, use: Use): Expr {
  const { operator, quantifier, operand, query, at } = value
  if (quantifier === "any") return anyOf(env, { operator, operand, query, at }, use)
  const opposite = Object.hasOwn(opposites, operator) ? opposites[operator] : undefined
  const any = anyOf(env, { operator: opposite ?? operator, operand, query, at }, "value")
  return makeCall("not", [any], at)
}

interface AnyOf {
  readonly operator: string
  readonly operand: Expression
  readonly query: Query
  readonly at: Span
}

/**
 * TRUE if a row fits; else NULL if for some row it is not known; else FALSE. Where only TRUE counts, the
 * first is enough.
 */
function anyOf(env: Env, { operator, operand, query, at }: AnyOf, use: Use): Expr {
  const values = (operand.kind === "row" ? operand.items : [operand]).map((item) =>
    env.finish(env.binders.expression(env, item)),
  )
  const { source, outputs, conditions } = innerRows(env, query)
  if (outputs.length !== values.length) {
    const what = `the subquery has ${outputs.length} columns, and ${values.length} are compared`
    fail("sql/wrong-count", { what, remedy: `select ${values.length} in the subquery` }, query.at)
  }
  if (operator !== "=" && values.length > 1) {
    const remedy = "compare rows with IN, or write EXISTS"
    fail("sql/unsupported-syntax", { what: `rows compared with ${operator} ANY`, remedy }, at)
  }
  const pairs = outputs.flatMap((output, index) => {
    const value = values[index]
    return value === undefined ? [] : [compare(operator, value, output, at)]
  })
  const fits = makeAnd(pairs) ?? booleanLiteral(true)
  const found = addMark(env, { source, conditions: [...conditions, fits], at, what: "IN" })
  if (use === "filter" || !fits.domain.nullable) return found
  const copy = copyRel(env.context, source.relation.rel)
  const unknown = makeCall("is-null", [fits], at)
  const units = [unitExpr(env.block.relation), unitExpr(source.relation)].flatMap((unit) => unit ?? [])
  const sameUnit = units.length === 2 ? [makeCall("equal", units, at)] : []
  const again = [...conditions, unknown, ...sameUnit].map(copy.map)
  const open = addMark(env, { source: copied(source, copy), conditions: again, at, what: "IN" })
  const branches = [
    { when: found, result: booleanLiteral(true) },
    { when: open, result: nullLiteral(types.boolean) },
  ]
  return makeCase(branches, booleanLiteral(false), at)
}

function copied({ relation: { zone } }: Source, { rel, id }: Copy): Source {
  if (zone.kind !== "private") return { relation: { rel, zone }, names: noNames }
  const each = (ids: ReadonlySet<ColumnId>): ReadonlySet<ColumnId> => new Set([...ids].map(id))
  const unit = zone.unit === undefined ? undefined : id(zone.unit)
  const telling = zone.telling.map((set) => set.map(id))
  return {
    relation: { rel, zone: { ...zone, unit, equal: each(zone.equal), maybe: each(zone.maybe), telling } },
    names: noNames,
  }
}

interface InnerRows {
  readonly source: Source
  readonly outputs: readonly Expr[]
  readonly conditions: readonly Expr[]
}

function innerRows(env: Env, query: Query): InnerRows {
  const select = query.limit === undefined && query.offset === undefined ? plainSelect(query) : undefined
  if (select === undefined || select.items.some(({ kind }) => kind === "star")) {
    const bound = env.binders.query(inner(env), query)
    return {
      source: { relation: bound.relation, names: noNames },
      outputs: bound.outputs.map(({ column }) => columnExpr(column)),
      conditions: [],
    }
  }
  const rows = env.binders.rows(inner(env), select)
  const itemEnv = rowsEnv(env, rows)
  const outputs = gather(select.items, (item) =>
    item.kind === "star" ? booleanLiteral(true) : env.binders.expression(itemEnv, item.value),
  )
  const source = { relation: rows.block.relation, names: rows.names }
  return { source, outputs, conditions: rows.outerConditions }
}

/** A SELECT whose rows are those of FROM and WHERE, but for repetitions. */
export function plainSelect(query: Query): Select | undefined {
  const { body } = query
  if (body.kind !== "select" || query.ctes.length > 0) return undefined
  const isGrouped =
    body.groupBy.length > 0 ||
    body.having !== undefined ||
    (body.distinct?.on.length ?? 0) > 0 ||
    body.items.some((item) => item.kind === "output" && aggregatesIn(item.value).length > 0)
  return isGrouped ? undefined : body
}

/** The scope of a subquery. */
export function inner(env: Env): QueryScope {
  const { context, binders, ctes } = env
  return { context, binders, ctes, outer: env }
}

function rowsEnv(env: Env, rows: Rows): Env {
  return {
    ...inner(env),
    names: rows.names,
    block: rows.block,
    outerUse: "refused",
    aggregate: noAggregates("here", "aggregate with GROUP BY in the subquery"),
    window: noWindows("in the select list of a subquery after IN or EXISTS"),
    finish: (value) => value,
  }
}

interface MarkRequest {
  readonly source: Source
  readonly conditions: readonly Expr[]
  readonly at: Span
  readonly what: string
}

/** Adds the column to the rows of the block. */
function addMark(env: Env, { source, conditions, at, what }: MarkRequest): Expr {
  const { context, block } = env
  const left = block.relation
  const right = source.relation
  const asked = makeAnd(conditions.map(env.finish))
  const condition =
    left.zone.kind === "private" && right.zone.kind === "private"
      ? withinUnit(context, { left: { relation: left, names: env.names }, right: source, at, what }, asked)
      : asked
  const zone = markZone(left.zone, right.zone, { what, at })
  const column = context.column("mark", { type: types.boolean, nullable: false })
  block.relation = {
    rel: {
      kind: "mark",
      left: left.rel,
      right: right.rel,
      condition,
      columns: [...left.rel.columns, column],
      at,
    },
    zone,
  }
  return columnExpr(column)
}

function markZone(left: Zone, right: Zone, { what, at }: { readonly what: string; readonly at: Span }): Zone {
  if (right.kind === "public") return left
  if (right.kind === "released") {
    if (left.kind === "private") fail("privacy/released-into-private", { what: `this ${what}` }, at)
    return right
  }
  if (left.kind === "private") return left
  const rows = left.kind === "public" ? "public rows" : "released rows"
  return fail(
    "privacy/unit-lost",
    {
      what: `${what} would show of ${rows} whether people have them`,
      remedy: "count the people in a join with GROUP BY, and filter the result",
    },
    at,
  )
}
