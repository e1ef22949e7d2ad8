// Where an expression is bound: the names in reach, the rows that subqueries and windows are added to, and
// what aggregates and windows mean there.

import type { DosimeterError, Span } from "@dosimeter/core"
import { fail } from "../../errors.ts"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import type { RelColumn } from "@dosimeter/proof/algebra/rel"
import type { Call, Cte, Expression, Name, Query, Select } from "../../parse/ast.ts"
import type { BindContext } from "./context.ts"
import { failUnknownColumn, findColumn, type Names } from "./names.ts"
import { columnExpr } from "@dosimeter/proof/algebra/make"
import type { Relation } from "./relation.ts"

/** What a query is bound in. */
export interface QueryScope {
  readonly context: BindContext
  readonly binders: Binders
  /** WITH queries in reach. */
  readonly ctes: ReadonlyMap<string, BoundCte>
  /** The expression around a subquery. */
  readonly outer: Env | undefined
}

/** What an expression is bound in. */
export interface Env extends QueryScope {
  readonly names: Names
  readonly block: Block
  /** Whether columns of the outer query may be used here. */
  readonly outerUse: "allowed" | "refused"
  /** What an aggregate means here; fails where it may not stand. */
  readonly aggregate: (call: Call) => Expr
  /** What GROUPING() means here, if there are groups. */
  readonly grouping?: (call: Call, env: Env) => Expr
  /** What a window function means here. */
  readonly window: (call: Call, env: Env) => Expr
  /** From an expression over the input to one over the rows of the block: group keys become their columns. */
  readonly finish: (value: Expr) => Expr
}

/** Rows that grow while an expression is bound: each subquery or window in it adds a column. */
export interface Block {
  relation: Relation
}

/** Only whether it is true counts ("filter"), or the value itself, NULL included. */
export type Use = "filter" | "value"

/** The functions that call each other in a circle. */
export interface Binders {
  readonly expression: (env: Env, value: Expression, use?: Use) => Expr
  /** `rows` are FROM and WHERE of the query, if they are bound already. */
  readonly query: (scope: QueryScope, query: Query, rows?: Rows) => BoundQuery
  readonly rows: (scope: QueryScope, select: Select) => Rows
}

/** A query, bound. */
export interface BoundQuery {
  readonly relation: Relation
  readonly outputs: readonly OutputColumn[]
  /** Whether it has one row whatever the data. */
  readonly rows: "one" | "any"
}

/** An output of a query: its name, and the column behind it. */
export interface OutputColumn {
  readonly name: string
  readonly column: RelColumn
}

/** FROM and WHERE of a query, bound. */
export interface Rows {
  readonly block: Block
  readonly names: Names
  /** Conditions in WHERE that name columns of the outer query. */
  readonly outerConditions: readonly Expr[]
}

/** A WITH query. */
export interface BoundCte {
  readonly cte: Cte
  readonly scope: QueryScope
  /** Bound where it stands; handed to the first that uses it, or shared by all if it is released. */
  first: BoundQuery | undefined
  readonly shared: BoundQuery | undefined
  /** What is wrong with it; every use says it again, and it is shown once. */
  readonly error: DosimeterError | undefined
}

/** The column of a written name. */
export function resolveColumn(env: Env, path: readonly Name[], at: Span): Expr {
  const own = findColumn(env.names, path, at)
  const outer = own === undefined ? outerColumn(env, path, at) : undefined
  const column = own ?? outer
  if (column === undefined) {
    const reach = [env.names, ...(env.outer === undefined ? [] : [env.outer.names])]
    return failUnknownColumn(reach, path, at)
  }
  const value = columnExpr(column)
  env.context.places.set(value, at)
  return value
}

function outerColumn(env: Env, path: readonly Name[], at: Span): RelColumn | undefined {
  const { outer } = env
  if (outer === undefined) return undefined
  const found = findColumn(outer.names, path, at)
  const far = found ?? farColumn(outer.outer, path, at)
  if (far === undefined) return undefined
  if (found !== undefined && env.outerUse === "allowed") return found
  const name = path.map(({ text }) => text).join(".")
  return fail("sql/correlated", { name }, at)
}

function farColumn(env: Env | undefined, path: readonly Name[], at: Span): RelColumn | undefined {
  return env === undefined ? undefined : (findColumn(env.names, path, at) ?? farColumn(env.outer, path, at))
}

/** Fails for aggregates where they may not stand. */
export function noAggregates(where: string, remedy: string): Env["aggregate"] {
  return (call) => fail("sql/misplaced", { what: `${call.name.toUpperCase()}()`, where, remedy }, call.at)
}

/** Fails for windows where they may not stand. */
export function noWindows(where: string): Env["window"] {
  const remedy = "compute it in a subquery in FROM, and use its column"
  return (call) => fail("sql/misplaced", { what: "a window function", where, remedy }, call.at)
}
