// AST + catalog -> Rel: names become columns, every value gets a type and a domain, rows of people carry
// their unit, and each aggregate over people is a boundary. What cannot be proven private is refused here,
// in words.

import type { Catalog } from "@dosimeter/proof/catalog/catalog"
import type { Domain } from "@dosimeter/proof/catalog/domain"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import { fail } from "../errors.ts"
import { columnExpr } from "@dosimeter/proof/algebra/make"
import type { Rel } from "@dosimeter/proof/algebra/rel"
import type { Query } from "../parse/ast.ts"
import type { LearntRange } from "./scope/auto-value.ts"
import { bindExpression } from "./bind-expression.ts"
import { bindQuery, bindUncut } from "./bind-query.ts"
import { bindRows } from "./from/bind-rows.ts"
import { BindContext } from "./scope/context.ts"
import type { Binders, BoundQuery } from "./scope/env.ts"
import { prune } from "./prune.ts"

/** A query, bound. */
export interface Bound {
  readonly rel: Rel
  /** The names of the columns of `rel`. */
  readonly outputNames: readonly string[]
  /** What the analyst should know: equalities that were added, what MIN means. */
  readonly notes: readonly string[]
}

/** What a query is bound with. */
export interface BindOptions {
  readonly catalog: Catalog
  /** The values of $1, $2 and so on. */
  readonly parameters: readonly Constant[]
  /** Bounds that were learnt, by the place of their aggregate. */
  readonly ranges?: ReadonlyMap<string, LearntRange>
}

const binders: Binders = { expression: bindExpression, query: bindQuery, rows: bindRows }

/** Binds a query. Throws a DosimeterError with everything that is wrong. */
export function bind(query: Query, { catalog, parameters, ranges }: BindOptions): Bound {
  const bounds = ranges === undefined ? undefined : ({ kind: "learnt", ranges } as const)
  const context = new BindContext(catalog, parameters, bounds)
  const bound = bindWith(context, query)
  const rel = prune(withOutputs(bound), context.pinned)
  return { rel, outputNames: bound.outputs.map(({ name }) => name), notes: context.notes }
}

/**
 * The columns of a query with their domains, also of one whose rows are of people: it is not to be run, but
 * counted by columns. Refused where a column tells whose a row is.
 */
export function columnsOfRows(query: Query, { catalog, parameters }: BindOptions): readonly RowColumn[] {
  const context = new BindContext(catalog, parameters)
  const bound = bindUncut({ context, binders, ctes: new Map(), outer: undefined }, query)
  const id = idOf(bound)
  if (id !== undefined) refuseId(id, query, catalog)
  return bound.outputs.map(({ name, column: { domain } }) => ({ name, domain }))
}

/** A column of rows. */
export interface RowColumn {
  readonly name: string
  readonly domain: Domain
}

/** Binds a query, and drops nothing that nobody reads. */
export function bindWith(context: BindContext, query: Query): BoundQuery {
  const bound = bindUncut({ context, binders, ctes: new Map(), outer: undefined }, query)
  refuseRows(bound, query, context.catalog)
  return bound
}

function refuseRows(bound: BoundQuery, query: Query, catalog: Catalog): void {
  if (bound.relation.zone.kind !== "private") return
  const id = idOf(bound)
  if (id !== undefined) refuseId(id, query, catalog)
  const { unitName } = catalog
  const what = `this query shows rows of people, and only results over many of them (${unitName}) may leave`
  fail("privacy/rows-selected", { what }, query.body.at)
}

// The name of a column that tells whose a row is.
function idOf({ relation: { zone }, outputs }: BoundQuery): string | undefined {
  if (zone.kind !== "private") return undefined
  return outputs.find(({ column }) => zone.equal.has(column.id) || zone.maybe.has(column.id))?.name
}

function refuseId(name: string, query: Query, { unitName }: Catalog): never {
  const what = `${name} tells which ${unitName} a row belongs to, and such ids never leave`
  return fail("privacy/rows-selected", { what }, query.body.at)
}

/** The columns of the answer, and no others. */
function withOutputs({ relation: { rel }, outputs }: BoundQuery): Rel {
  const columns = outputs.map(({ name, column }) => ({ ...column, name }))
  const isSame =
    rel.columns.length === columns.length && rel.columns.every(({ id }, index) => id === columns[index]?.id)
  if (isSame) return rel
  return { kind: "project", input: rel, items: columns.map(columnExpr), columns }
}
