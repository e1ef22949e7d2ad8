// Aggregates that differ in nothing but filters that exclude each other, such as counts of women and of men:
// the filter becomes one more key. A unit is in one group of it, so that all of them together cost what one
// does; afterwards the groups stand side by side again.

import { closureOf, dependenciesOf } from "@dosimeter/proof/units/dependencies"
import { unitFacts } from "@dosimeter/proof/units/unit-facts"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import { stepsDomain } from "@dosimeter/proof/algebra/item-domain"
import {
  callExpr,
  columnExpr,
  columnIdsAfter,
  integerLiteral,
  projectRel,
  type ColumnIds,
} from "@dosimeter/proof/algebra/make"
import type { Aggregate, Boundary, BoundaryAggregate, Rel, RelColumn } from "@dosimeter/proof/algebra/rel"
import { columnsIn } from "@dosimeter/proof/algebra/walk"
import { excludeEachOther } from "./exclude-each-other.ts"
import { findTops } from "../keys/find-top.ts"
import { keyLists } from "../keys/key-lists.ts"
import { textOf } from "../aggregates/moment-families.ts"
import { onlyWhere } from "../aggregates/only-where.ts"
import { boundariesOf, replaceBoundaries } from "./replace-boundaries.ts"
import { definitionsIn } from "../aggregates/same-expression.ts"

/**
 * The same statement with such filters as keys; undefined where there are none. `groupsPerUnit`: how many
 * groups of a unit may count.
 */
export function pivotFilters(rel: Rel, groupsPerUnit: bigint): Rel | undefined {
  const tops = findTops(rel)
  const ids = columnIdsAfter(rel)
  const pivots = new Map<Boundary, Rel>()
  for (const boundary of boundariesOf(rel)) {
    if (boundary.family !== undefined || tops.has(boundary)) continue
    const pivot = pivotOf(boundary, groupsPerUnit, ids)
    if (pivot !== undefined) pivots.set(boundary, pivot)
  }
  return pivots.size === 0
    ? undefined
    : replaceBoundaries(rel, (boundary) => pivots.get(boundary) ?? boundary)
}

function pivotOf(boundary: Boundary, groupsPerUnit: bigint, ids: ColumnIds): Rel | undefined {
  const { input, keys, aggregates } = boundary
  const [first] = aggregates
  const filters = aggregates.flatMap(({ where }) => (where === undefined ? [] : [where]))
  if (first === undefined || aggregates.length < 2 || filters.length !== aggregates.length) return undefined
  if (!isSum(first) || !aggregates.every((aggregate) => isAlike(aggregate, first))) return undefined
  if (keyLists(boundary) === undefined || !isDecided(boundary, filters)) return undefined
  if (!excludeEachOther(filters, definitionsIn(input))) return undefined
  const filter: RelColumn = { id: ids.next(), name: "filter", domain: placeDomain(filters.length) }
  const numbered: Rel = {
    kind: "project",
    input,
    items: [...input.columns.map(columnExpr), placeOf(filters)],
    columns: [...input.columns, filter],
  }
  const added = boundary.columns[keys.length]
  if (added === undefined) return undefined
  const measured = { ...added, id: ids.next() }
  const label = aggregates.map((aggregate) => aggregate.label).join(", ")
  const finer: Boundary = {
    ...boundary,
    input: numbered,
    keys: [...keys, filter.id],
    aggregates: [{ ...first, where: undefined, label }],
    columns: [...boundary.columns.slice(0, keys.length), filter, measured],
  }
  return countsAsMuch(boundary, finer, groupsPerUnit) ? sideBySide(boundary, finer, ids) : undefined
}

/**
 * Whether no more groups of a unit count than before: it is in one, or the bound is below their number. Where
 * it could be in all of them, more groups would need more noise.
 */
function countsAsMuch(boundary: Boundary, finer: Boundary, groupsPerUnit: bigint): boolean {
  const groups = BigInt(keyLists(boundary)?.count ?? 0)
  if (keyLists(finer) === undefined) return false
  const { oneGroup } = unitFacts(boundary.input, boundary.keys)
  return oneGroup ? unitFacts(finer.input, finer.keys).oneGroup : groupsPerUnit <= groups
}

/** A sum over units: none that is read from a vector with others. */
function isSum(aggregate: BoundaryAggregate): boolean {
  switch (aggregate.kind) {
    case "persons":
      return true
    case "rows":
      return aggregate.divisorOf === undefined
    case "sum":
      return aggregate.manner === "total"
    case "distinct":
    case "quantile":
    case "mode":
      return false
    default:
      return aggregate satisfies never
  }
}

function isAlike(one: BoundaryAggregate, other: BoundaryAggregate): boolean {
  if (one.kind !== other.kind || !isSum(one)) return false
  if (one.kind !== "sum" || other.kind !== "sum") return true
  const show = ({ value, grid, lower, upper }: typeof one): string =>
    [textOf(value), textOf(grid), lower, upper].join(" ")
  return show(one) === show(other)
}

/** Whether unit and group decide which filters are true: then a unit is in one of them. */
function isDecided({ input, keys }: Boundary, filters: readonly Expr[]): boolean {
  const { owner, oneRow } = unitFacts(input, keys)
  if (oneRow) return true
  const decided = closureOf(dependenciesOf(input), [...owner.units, ...keys])
  return filters.every((filter) => [...columnsIn(filter)].every((id) => decided.has(id)))
}

/** The place of the filter that is true, and one more for none. */
function placeOf(filters: readonly Expr[]): Expr {
  return {
    kind: "case",
    branches: filters.map((when, place) => ({ when, result: integerLiteral(BigInt(place)) })),
    otherwise: integerLiteral(BigInt(filters.length)),
    domain: placeDomain(filters.length),
  }
}

function placeDomain(filters: number): RelColumn["domain"] {
  return stepsDomain(0n, BigInt(filters), false)
}

/** One row for each group again, with a column for each filter. */
function sideBySide({ keys, columns }: Boundary, finer: Boundary, ids: ColumnIds): Aggregate {
  const [filter, measured] = finer.columns.slice(keys.length)
  const shown = finer.columns.slice(0, keys.length).map((column) => ({
    name: column.name,
    value: columnExpr(column),
  }))
  const none = integerLiteral(0n)
  const parts = columns.slice(keys.length).map((column, place) => {
    const isIts = callExpr("equal", [
      filter === undefined ? none : columnExpr(filter),
      integerLiteral(BigInt(place)),
    ])
    return {
      name: column.name,
      value: onlyWhere(isIts, measured === undefined ? none : columnExpr(measured), none),
    }
  })
  const input = projectRel(finer, [...shown, ...parts], ids)
  const items = input.columns
    .slice(keys.length)
    .map((column) => ({ function: "sum" as const, argument: columnExpr(column) }))
  return { kind: "aggregate", input, keys, items, columns }
}
