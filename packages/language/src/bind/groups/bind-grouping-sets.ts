// GROUP BY with several groupings: each is grouped by itself over the same rows, and their rows are united,
// NULL where a grouping leaves a key out. Over people all of them are boundaries of one family, which the
// plan may measure together.

import type { Span } from "@dosimeter/core"
import type { Domain } from "@dosimeter/proof/catalog/domain"
import { scaleMax } from "@dosimeter/proof/catalog/sql-type"
import { fail } from "../../errors.ts"
import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import { stepsDomain } from "@dosimeter/proof/algebra/item-domain"
import { columnExpr } from "@dosimeter/proof/algebra/make"
import type { Rel, RelColumn } from "@dosimeter/proof/algebra/rel"
import { makeCall, makeCase, nullLiteral, types, wholeLiteral } from "../exprs/build.ts"
import { copyRel } from "../exprs/copy-rel.ts"
import type { QueryScope } from "../scope/env.ts"
import type { BoundaryAggregates } from "../aggregates/boundary-aggregates.ts"
import type { PlainAggregates } from "../aggregates/plain-aggregates.ts"
import type { Relation } from "../scope/relation.ts"

/** What is grouped, by which keys, and what is measured. */
export interface SetsRequest {
  /** The rows with all keys and all that is measured. */
  readonly input: Relation
  /** The keys of each grouping. */
  readonly sets: readonly (readonly RelColumn[])[]
  readonly keys: readonly RelColumn[]
  /** For rows of people; otherwise the aggregates are plain ones. */
  readonly aggregates: BoundaryAggregates | undefined
  readonly items: PlainAggregates
  readonly at: Span
}

/** The united groupings. */
export interface UnitedSets {
  readonly relation: Relation
  /** The column of the union for a key, or for something measured. */
  readonly columnOf: (before: RelColumn) => RelColumn
  /** For each grouping a whole number, by a function of whether it has a key. */
  readonly bySet: (value: (has: (key: RelColumn) => boolean) => bigint) => Expr
}

/** One grouping: its keys and what is measured, under numbers of its own. */
interface Branch {
  readonly rel: Rel
  readonly keys: ReadonlyMap<ColumnId, RelColumn>
  readonly measured: readonly RelColumn[]
}

/** Groups rows in several ways. */
export function unitedSets(scope: QueryScope, request: SetsRequest): UnitedSets {
  const { context } = scope
  const { sets, keys, at } = request
  const branches = branchesOf(scope, request)
  const before = measuredColumns(request)
  const number = context.column("grouping", stepsDomain(0n, BigInt(sets.length - 1), false))
  const united = [
    ...keys.map(({ id, name, domain }) => {
      const isWhole = branches.every((branch) => branch.keys.has(id))
      return context.column(name, isWhole ? domain : { ...domain, nullable: true })
    }),
    ...before.map(({ name }, index) => {
      const domain = branches[0]?.measured[index]?.domain
      return context.column(name, domain ?? { type: types.null, nullable: true })
    }),
  ]
  const columns = [...united, number]
  const inputs = branches.map((branch, index): Rel => {
    const items = [
      ...keys.map(({ id, domain }) => {
        const own = branch.keys.get(id)
        return own === undefined ? nullLiteral(domain.type) : columnExpr(own)
      }),
      ...branch.measured.map(columnExpr),
      wholeLiteral(BigInt(index)),
    ]
    const own = items.map((item, place) => context.column(columns[place]?.name ?? "", item.domain))
    return { kind: "project", input: branch.rel, items, columns: own }
  })
  const places = new Map([...keys, ...before].map(({ id }, index) => [id, united[index]]))
  const zone = request.input.zone.kind === "private" ? { kind: "released" as const } : request.input.zone
  return {
    relation: { rel: { kind: "union", inputs, columns, at }, zone },
    columnOf: ({ id }) =>
      places.get(id) ?? fail("bug/plan-rejected", { what: "a column of no grouping" }, at),
    bySet: (value) => {
      const values = branches.map((branch) => wholeLiteral(value(({ id }) => branch.keys.has(id))))
      const cases = values.map((result, index) => ({
        when: makeCall("equal", [columnExpr(number), wholeLiteral(BigInt(index))], at),
        result,
      }))
      return makeCase(cases, wholeLiteral(0n), at)
    },
  }
}

/** Refuses groupings of which some are of one unit each, and others of people. */
export function refuseUnitSets({ context }: QueryScope, at: Span): never {
  const what = `a grouping set within one ${context.catalog.unitName}`
  const remedy = "group by each set in a query of its own, and unite them with UNION ALL"
  return fail("sql/unsupported-syntax", { what, remedy }, at)
}

// A grouping that is asked for twice is one release, shown twice.
function branchesOf(scope: QueryScope, request: SetsRequest): readonly Branch[] {
  const known = new Map<string, Branch>()
  const family = scope.context.column("family", { type: types.null, nullable: true }).id
  return request.sets.map((set) => {
    const keys = [...new Map(set.map((column) => [column.id, column])).values()]
    const name = keys
      .map(({ id }) => id)
      .toSorted((a, b) => a - b)
      .join()
    const branch =
      known.get(name) ??
      (request.aggregates === undefined
        ? plainBranch(scope, request, keys)
        : boundaryBranch(scope, { ...request, aggregates: request.aggregates, family }, keys))
    known.set(name, branch)
    return branch
  })
}

function measuredColumns({ aggregates, items }: SetsRequest): readonly RelColumn[] {
  return aggregates === undefined
    ? items.items.map(({ column }) => column)
    : aggregates.all.flatMap(({ columns }) => columns)
}

/** People are added up. */
function boundaryBranch(
  { context }: QueryScope,
  {
    input,
    aggregates,
    family,
    at,
  }: SetsRequest & { readonly aggregates: BoundaryAggregates; readonly family: number },
  keys: readonly RelColumn[],
): Branch {
  const { rel, zone } = input
  if (zone.kind === "private" && zone.unit !== undefined) context.pinned.add(zone.unit)
  const measured = aggregates.all.flatMap(({ aggregate, columns }) =>
    columns.map(({ name, domain }) => {
      const isAdded = aggregate.kind === "persons" || aggregate.kind === "rows" || aggregate.kind === "sum"
      return context.column(name, isAdded ? estimateDomain(domain) : domain)
    }),
  )
  return {
    rel: {
      kind: "boundary",
      input: rel,
      keys: keys.map(({ id }) => id),
      aggregates: aggregates.all.map(({ aggregate }) => aggregate),
      columns: [...keys, ...measured],
      family,
      at,
    },
    keys: new Map(keys.map((key) => [key.id, key])),
    measured,
  }
}

/** Counts and sums may be estimates that are put together from parts, so they are no whole numbers. */
function estimateDomain(domain: Domain): Domain {
  const { kind } = domain.type
  return kind === "integer" || kind === "decimal"
    ? { ...domain, type: { kind: "decimal", scale: scaleMax } }
    : domain
}

/** Rows of nobody, or released ones. Each grouping reads a copy: a column has one place in a statement. */
function plainBranch(
  { context }: QueryScope,
  { input, items, at }: SetsRequest,
  keys: readonly RelColumn[],
): Branch {
  const copy = copyRel(context, input.rel)
  const own = keys.map((key) => ({ ...key, id: copy.id(key.id) }))
  const measured = items.items.map(({ column }) => context.column(column.name, column.domain))
  return {
    rel: {
      kind: "aggregate",
      input: copy.rel,
      keys: own.map(({ id }) => id),
      items: items.items.map(({ item }) => ({
        ...item,
        argument: item.argument === undefined ? undefined : copy.map(item.argument),
      })),
      columns: [...own, ...measured],
      at,
    },
    keys: new Map(keys.map((key, index) => [key.id, own[index] ?? key])),
    measured,
  }
}
