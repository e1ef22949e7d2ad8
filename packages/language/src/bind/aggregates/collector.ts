// What aggregates have in common, wherever they stand: what was asked, what it is asked about, and the
// columns below that the question needs.

import type { Span } from "@dosimeter/core"
import { fail } from "../../errors.ts"
import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import { columnExpr } from "@dosimeter/proof/algebra/make"
import { isEstimateAggregate, type RelColumn } from "@dosimeter/proof/algebra/rel"
import type { Call, Expression } from "../../parse/ast.ts"
import { writtenExpression } from "../calls/ast-parts.ts"
import { toBoolean } from "../exprs/coerce.ts"
import type { BindContext } from "../scope/context.ts"
import type { Env } from "../scope/env.ts"
import { aggregateRow } from "../calls/estimate-calls.ts"
import { exprKey } from "../exprs/expr-key.ts"
import type { PrivateZone, Relation } from "../scope/relation.ts"
import { aggregateNames, type AggregateName } from "../calls/sql-names.ts"

/** Gives the value of an aggregate, from the columns that were measured for it. */
export type Reading = (read: (column: RelColumn) => Expr) => Expr

/** Collects what is to be measured; the same thing only once. */
export interface Collector {
  readonly add: (question: Question) => Reading
}

/** An aggregate, taken apart. */
export interface Question {
  readonly name: AggregateName
  /** What stands in the brackets (after ORDER BY for WITHIN GROUP); none for COUNT(*). */
  readonly value: Expr | undefined
  readonly valueAst: Expression | undefined
  readonly values: Call["values"]
  readonly filter: Expr | undefined
  /** The fraction of a percentile. */
  readonly fraction: Expr | undefined
  /** As written, for messages and EXPLAIN. */
  readonly label: string
  readonly at: Span
}

/** Takes an aggregate apart. */
export function questionOf(env: Env, call: Call): Question {
  const { at, args } = call
  const name = aggregateNames[call.name]
  if (name === undefined) return fail("bug/plan-rejected", { what: "an aggregate without a name" }, at)
  const label = writtenExpression(call)
  const bind = (part: Expression): Expr => env.binders.expression(env, part)
  const filter =
    call.filter === undefined
      ? undefined
      : toBoolean(env.binders.expression(env, call.filter, "filter"), call.filter.at, "FILTER")
  const base = { name, values: call.values, filter, label, at }
  if (isEstimateAggregate(name)) {
    const value = aggregateRow(env, call, name)
    return { ...base, value, valueAst: undefined, fraction: undefined }
  }
  if (call.argument === "star") {
    if (name !== "count") wrongArguments(call, `${call.name.toUpperCase()}(x)`)
    return { ...base, value: undefined, valueAst: undefined, fraction: undefined }
  }
  if (call.orderPlace === "within-group") return orderedQuestion(call, base, bind)
  if (call.orderPlace === "arguments") {
    const remedy = "drop it: the order of rows changes none of these aggregates"
    fail("sql/unsupported-syntax", { what: "ORDER BY inside an aggregate", remedy }, at)
  }
  const [first, second] = args
  const takesTwo = call.name.startsWith("quantile")
  if (name === "mode" && args.length === 0) wrongArguments(call, "MODE() WITHIN GROUP (ORDER BY x)")
  if (name.startsWith("percentile") && !takesTwo) {
    wrongArguments(call, `${call.name.toUpperCase()}(0.5) WITHIN GROUP (ORDER BY x)`)
  }
  if (first === undefined || args.length !== (takesTwo ? 2 : 1)) {
    return wrongArguments(call, takesTwo ? "QUANTILE_CONT(x, 0.5)" : `${call.name.toUpperCase()}(x)`)
  }
  const value = bind(first)
  if (call.name === "count_if" || call.name === "countif") {
    const condition = toBoolean(value, first.at, "COUNT_IF")
    const both = filter === undefined ? condition : andOf(filter, condition)
    return { ...base, filter: both, value: undefined, valueAst: undefined, fraction: undefined }
  }
  return { ...base, value, valueAst: first, fraction: second === undefined ? undefined : bind(second) }
}

function andOf(a: Expr, b: Expr): Expr {
  const nullable = a.domain.nullable || b.domain.nullable
  return { kind: "call", name: "and", args: [a, b], domain: { type: { kind: "boolean" }, nullable } }
}

/** PERCENTILE_CONT(f) WITHIN GROUP (ORDER BY x), and MODE() likewise. DESC turns the fraction round. */
function orderedQuestion(
  call: Call,
  base: Omit<Question, "value" | "valueAst" | "fraction">,
  bind: (part: Expression) => Expr,
): Question {
  const [order, ...more] = call.orderBy
  const [fraction, ...others] = call.args
  const isMode = base.name === "mode"
  if (order === undefined || more.length > 0 || others.length > 0 || isMode !== (fraction === undefined)) {
    const form = isMode ? "MODE()" : `${call.name.toUpperCase()}(0.5)`
    return wrongArguments(call, `${form} WITHIN GROUP (ORDER BY x)`)
  }
  if (order.direction === "descending" && !isMode) {
    const remedy = "drop DESC, and write 1 minus the fraction"
    fail("sql/unsupported-syntax", { what: "DESC in WITHIN GROUP", remedy }, order.at)
  }
  const value = bind(order.value)
  return {
    ...base,
    value,
    valueAst: order.value,
    fraction: fraction === undefined ? undefined : bind(fraction),
  }
}

function wrongArguments(call: Call, form: string): never {
  const what = `${call.name.toUpperCase()} does not take these arguments`
  return fail("sql/wrong-count", { what, remedy: `write ${form}` }, call.at)
}

/**
 * The columns that groups and aggregates read: each expression once, plain columns under their own number.
 */
export class InputColumns {
  readonly #context: BindContext
  readonly #columns = new Map<string, { readonly column: RelColumn; readonly value: Expr }>()

  constructor(context: BindContext) {
    this.#context = context
  }

  /** The column of an expression. */
  of(value: Expr, name: string): RelColumn {
    const key = exprKey(value)
    const before = this.#columns.get(key)
    if (before !== undefined) return before.column
    const column =
      value.kind === "column"
        ? { id: value.id, name, domain: value.domain }
        : this.#context.column(name, value.domain)
    this.#columns.set(key, { column, value })
    return column
  }

  /** The expression itself as a column. */
  read(value: Expr, name: string): Expr {
    return columnExpr(this.of(value, name))
  }

  /** The projection to all of them, and the unit. */
  project({ rel, zone }: Relation): Relation {
    const own = [...this.#columns.values()]
    const ids = new Set(own.map(({ column }) => column.id))
    const unit =
      zone.kind === "private" ? rel.columns.find(({ id }) => id === zone.unit && !ids.has(id)) : undefined
    const columns = [...own.map(({ column }) => column), ...(unit === undefined ? [] : [unit])]
    const items = [...own.map(({ value }) => value), ...(unit === undefined ? [] : [columnExpr(unit)])]
    return {
      rel: { kind: "project", input: rel, items, columns },
      zone: zone.kind === "private" ? keptOf(zone, new Set(columns.map(({ id }) => id))) : zone,
    }
  }
}

/** What is known of the columns that are kept. */
export function keptOf(zone: PrivateZone, kept: ReadonlySet<ColumnId>): PrivateZone {
  const among = (ids: ReadonlySet<ColumnId>): ReadonlySet<ColumnId> =>
    new Set([...ids].filter((id) => kept.has(id)))
  const telling = zone.telling.filter((set) => set.every((id) => kept.has(id)))
  return { ...zone, equal: among(zone.equal), maybe: among(zone.maybe), telling }
}

/** A refusal that says which bounds are missing, and of which column. */
export function failUnbounded(
  context: BindContext,
  { label, valueAst, value, at }: Question,
  why: "missing" | "too-wide" = "missing",
): never {
  const written = valueAst === undefined ? "x" : writtenExpression(valueAst)
  const clamped = value?.domain.type.kind === "date" ? "DATE '2000-01-01', DATE '2024-12-31'" : "0, 500"
  const form = valueAst === undefined ? label : label.replace(written, `CLAMP(${written}, ${clamped})`)
  if (why === "too-wide") {
    return fail("privacy/bounds-too-wide", { what: label, remedy: `write ${form} with narrower bounds` }, at)
  }
  const owner = valueAst?.kind === "column" ? `bounds for ${written}` : `bounds for the columns in it`
  const remedy = `write ${form} with bounds that fit, or ask the owner to declare ${owner}`
  return fail("privacy/unbounded-sum", { what: label, unit: context.catalog.unitName, remedy }, at)
}

/** Refuses DISTINCT where it would change what is added up. */
export function refuseDistinct({ values, name, at }: Question): void {
  if (values === "all" || ["count", "min", "max", "every", "some"].includes(name)) return
  const remedy = "group by the value in a subquery first, or drop DISTINCT"
  fail("sql/unsupported-syntax", { what: "DISTINCT in this aggregate", remedy }, at)
}
