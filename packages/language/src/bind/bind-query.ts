// Queries: WITH, SELECT, UNION, VALUES, and what orders and cuts their rows.

import type { DosimeterError, Span } from "@dosimeter/core"
import { fail } from "../errors.ts"
import { columnExpr } from "@dosimeter/proof/algebra/make"
import type { SortKey } from "@dosimeter/proof/algebra/rel"
import type { Expression, OrderItem, Query, SetOperation, Values } from "../parse/ast.ts"
import { bindSelect } from "./bind-select.ts"
import { bindUnion } from "./bind-union.ts"
import { bindValues } from "./from/bind-values.ts"
import { attempt, gather, gatherAll } from "./scope/context.ts"
import type { BoundCte, BoundQuery, OutputColumn, QueryScope, Rows } from "./scope/env.ts"
import { nearNames } from "./scope/near-names.ts"
import type { Relation } from "./scope/relation.ts"

/** Binds a query; `rows` are FROM and WHERE of its SELECT, if they are bound already. */
export function bindQuery(scope: QueryScope, query: Query, rows?: Rows): BoundQuery {
  const bound = bindUncut(scope, query, rows)
  if (bound.relation.zone.kind === "private" && isCut(bound)) failCut(scope, query, bound.relation)
  return bound
}

/** A query that may cut rows of people: the caller refuses them anyway. */
interface UncutQuery extends BoundQuery {
  readonly limit: bigint | undefined
  readonly offset: bigint | undefined
}

function isCut({ limit, offset }: Pick<UncutQuery, "limit" | "offset">): boolean {
  return limit !== undefined || (offset !== undefined && offset !== 0n)
}

/** Binds a query whose rows of people, if it has some, are refused whether they are cut or not. */
export function bindUncut(scope: QueryScope, query: Query, rows?: Rows): UncutQuery {
  const own = { ...scope, ctes: withCtes(scope, query) }
  const broken = query.ctes.flatMap(({ name }) => own.ctes.get(name.text)?.error ?? [])
  const [bound] = gather(
    [() => bindBody(own, query, rows), ...broken.map((error) => () => rethrow(error))],
    (step) => step(),
  )
  return bound ?? fail("bug/plan-rejected", { what: "a query without a body" }, query.at)
}

function rethrow(error: DosimeterError): never {
  throw error
}

function bindBody(own: QueryScope, query: Query, rows: Rows | undefined): UncutQuery {
  const { body } = query
  if (body.kind === "select") {
    const bound = bindSelect(own, { select: body, orderBy: query.orderBy, given: rows })
    return cut(own, query, bound)
  }
  const bound = body.kind === "values" ? valuesBody(own, body) : setBody(own, body)
  const orderBy = gather(query.orderBy, (item) => outputKey(bound.outputs, item))
  return cut(own, query, { ...bound, orderBy })
}

function valuesBody(scope: QueryScope, values: Values): BoundQuery {
  const { relation, outputs } = bindValues(scope, values)
  return { relation, outputs, rows: values.rows.length === 1 ? "one" : "any" }
}

function setBody(scope: QueryScope, operation: SetOperation): BoundQuery {
  if (operation.operator !== "union") {
    const word = operation.operator.toUpperCase()
    const remedy =
      operation.operator === "except" ? "write NOT EXISTS (SELECT ...)" : "write EXISTS (SELECT ...)"
    fail("sql/unsupported-syntax", { what: word, remedy }, operation.at)
  }
  return bindUnion(scope, operation)
}

/** WITH queries see those before them. Released ones are bound once; all others again for each use. */
function withCtes(scope: QueryScope, { ctes }: Query): ReadonlyMap<string, BoundCte> {
  if (ctes.length === 0) return scope.ctes
  const known = new Map(scope.ctes)
  const own = new Set<string>()
  gather(ctes, (cte) => {
    const name = cte.name.text
    if (own.has(name)) fail("sql/duplicate-alias", { name }, cte.name.at)
    own.add(name)
    const inner: QueryScope = { ...scope, ctes: new Map(known) }
    const tried = attempt(() => scope.binders.query(inner, cte.query))
    const bound = tried.error === undefined ? tried.result : undefined
    const isShared = bound?.relation.zone.kind === "released"
    known.set(name, {
      cte,
      scope: inner,
      first: isShared ? undefined : bound,
      shared: isShared ? bound : undefined,
      error: tried.error,
    })
  })
  return known
}

/** Of UNION and VALUES only outputs can be sorted by. */
function outputKey(outputs: readonly OutputColumn[], item: OrderItem): SortKey {
  const { value, direction, nulls } = item
  const name = value.kind === "column" && value.path.length === 1 ? value.path[0]?.text : undefined
  const index =
    value.kind === "integer" ? Number(value.value) - 1 : outputs.findIndex((output) => output.name === name)
  const output = outputs[index]
  if (output === undefined) {
    const near = nearNames(
      name ?? "",
      outputs.map((one) => one.name),
    )
    return fail("sql/unknown-column", { name: name ?? "of this order", near }, value.at)
  }
  return { value: columnExpr(output.column), direction, nulls }
}

interface Ordered extends BoundQuery {
  readonly orderBy: readonly SortKey[]
}

/**
 * ORDER BY, LIMIT and OFFSET. Without a cut an order inside has no effect, and among people there is none.
 */
function cut(scope: QueryScope, query: Query, { relation, outputs, orderBy, rows }: Ordered): UncutQuery {
  let limit: bigint | undefined
  let offset: bigint | undefined
  gatherAll(
    () => {
      limit = query.limit === undefined ? undefined : wholeNumber(scope, query.limit, "LIMIT")
    },
    () => {
      offset = query.offset === undefined ? undefined : wholeNumber(scope, query.offset, "OFFSET")
    },
  )
  const ends = { limit, offset }
  if (relation.zone.kind === "private") return { relation, outputs, rows, ...ends }
  if (!isCut(ends) && orderBy.length === 0)
    return { relation: only(relation, outputs), outputs, rows, ...ends }
  const { rel, zone } = relation
  const sorted: Relation = {
    rel: {
      kind: "sort",
      input: rel,
      orderBy: isCut(ends) ? withTies(orderBy, outputs) : orderBy,
      limit,
      offset: offset === 0n ? undefined : offset,
      columns: rel.columns,
    },
    zone,
  }
  return { relation: only(sorted, outputs), outputs, rows: isCut(ends) ? "any" : rows, ...ends }
}

/** Which rows a cut keeps is decided by their values: only equal rows may be exchanged. */
function withTies(orderBy: readonly SortKey[], outputs: readonly OutputColumn[]): readonly SortKey[] {
  const sorted = new Set(orderBy.flatMap(({ value }) => (value.kind === "column" ? [value.id] : [])))
  const rest = outputs.filter(({ column }) => !sorted.has(column.id))
  return [
    ...orderBy,
    ...rest.map(({ column }): SortKey => ({
      value: columnExpr(column),
      direction: "ascending",
      nulls: "last",
    })),
  ]
}

function failCut(scope: QueryScope, query: Query, { rel, zone }: Relation): never {
  const unit = zone.kind === "private" ? rel.columns.find(({ id }) => id === zone.unit)?.name : undefined
  const at: Span = query.limit?.at ?? query.offset?.at ?? query.at
  const what = query.limit === undefined ? "OFFSET" : "LIMIT"
  return fail("privacy/limit-inside", { what, unit: unit ?? scope.context.catalog.unitName }, at)
}

/** Drops columns that were only sorted by. */
function only(relation: Relation, outputs: readonly OutputColumn[]): Relation {
  const { rel, zone } = relation
  if (zone.kind === "private" || rel.columns.length === outputs.length) return relation
  const columns = outputs.map(({ column }) => column)
  return { rel: { kind: "project", input: rel, items: columns.map(columnExpr), columns }, zone }
}

function wholeNumber({ context }: QueryScope, value: Expression, what: string): bigint {
  if (value.kind === "integer" && value.value >= 0n) return value.value
  if (value.kind === "parameter") {
    const given = context.parameters[value.index - 1]
    if (given === undefined) fail("sql/parameter-missing", { name: `$${value.index}` }, value.at)
    if (given.kind === "number" && given.value.denominator === 1n && given.value.numerator >= 0n) {
      return given.value.numerator
    }
  }
  const reason = `${what} is not a whole number from 0`
  return fail("sql/type-mismatch", { reason, remedy: `write ${what} 10` }, value.at)
}
