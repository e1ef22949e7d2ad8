// The exact table of a series: what each unit adds to its first k periods, summed by period. "First", not
// "any k": so that a unit that has counted k times never counts again, however much is added later.

import { rational } from "@dosimeter/core"
import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import {
  aggregateRel,
  callExpr,
  columnExpr,
  columnIn,
  filterRel,
  integerLiteral,
  projectRel,
  stepsExpr,
  windowRel,
  type ColumnIds,
} from "@dosimeter/proof/algebra/make"
import type { AggregateItem, Boundary, Rel } from "@dosimeter/proof/algebra/rel"
import type { Extract } from "@dosimeter/proof/algebra/release-plan"
import { isAdditive, type AdditiveAggregate, type Bounding } from "../extracts/build-extract.ts"
import { onlyWhere } from "../aggregates/only-where.ts"

/** The table, and what a unit may add to a period. */
export interface SeriesExtract {
  readonly extract: Extract
  readonly column: ColumnId
  readonly lower: bigint
  readonly upper: bigint
}

/** Builds the table of a boundary with one key, the period, and one additive aggregate. */
export function buildSeries(
  boundary: Boundary,
  bounding: Bounding,
  ids: ColumnIds,
): SeriesExtract | undefined {
  const [key, ...otherKeys] = boundary.keys
  const [aggregate, ...others] = boundary.aggregates
  if (key === undefined || aggregate === undefined || otherKeys.length + others.length > 0) return undefined
  if (!isAdditive(aggregate)) return undefined
  const { unit, oneRow, oneGroup, groupsPerUnit, rowsPerGroup } = bounding
  const { lower, upper } = boundsOf(aggregate, oneRow ? 1n : rowsPerGroup)
  const { rel, value } =
    oneRow || unit === undefined
      ? { rel: boundary.input, value: ofOneRow(aggregate) }
      : addUpRows({ boundary, unit, key, ids }, aggregate, { lower, upper })
  const kept =
    oneGroup || unit === undefined ? rel : firstPeriods(rel, { unit, key, most: groupsPerUnit }, ids)
  const carried = [...(unit === undefined ? [] : [unit]), key].map((id) => {
    const column = columnIn(kept, id)
    return { name: column.name, value: columnExpr(column) }
  })
  const projected = projectRel(kept, [...carried, { name: aggregate.label, value }], ids)
  const counted = columnExpr(columnIn(projected, projected.columns.at(-1)?.id ?? -1))
  const argument = stepsExpr(counted, rational(1n), { lower, upper })
  const sums = aggregateRel(projected, [key], [{ name: aggregate.label, function: "sum", argument }], ids)
  const column = sums.columns.at(-1)?.id ?? -1
  return { extract: { rel: sums, keys: [key], values: [column] }, column, lower, upper }
}

function boundsOf(
  aggregate: AdditiveAggregate,
  rows: bigint,
): { readonly lower: bigint; readonly upper: bigint } {
  if (aggregate.kind === "persons") return { lower: 0n, upper: 1n }
  if (aggregate.kind === "rows") return { lower: 0n, upper: rows }
  const { lower, upper } = aggregate
  return { lower: lower < 0n ? lower * rows : 0n, upper: upper > 0n ? upper * rows : 0n }
}

function ofOneRow(aggregate: AdditiveAggregate): Expr {
  if (aggregate.kind !== "sum") {
    const counted = onlyWhere(aggregate.where, integerLiteral(1n), integerLiteral(0n))
    return stepsExpr(counted, rational(1n), { lower: 0n, upper: 1n })
  }
  return orNothing(stepsExpr(onlyWhere(aggregate.where, aggregate.value), aggregate.grid, aggregate))
}

// One row for each unit and period.
function addUpRows(
  from: {
    readonly boundary: Boundary
    readonly unit: ColumnId
    readonly key: ColumnId
    readonly ids: ColumnIds
  },
  aggregate: AdditiveAggregate,
  bounds: { readonly lower: bigint; readonly upper: bigint },
): { readonly rel: Rel; readonly value: Expr } {
  const { boundary, unit, key, ids } = from
  const rel = aggregateRel(boundary.input, [unit, key], [partialOf(aggregate)], ids)
  const partial = columnExpr(columnIn(rel, rel.columns.at(-1)?.id ?? -1))
  return { rel, value: orNothing(stepsExpr(partial, rational(1n), bounds)) }
}

function partialOf(aggregate: AdditiveAggregate): AggregateItem & { readonly name: string } {
  const { label: name, where } = aggregate
  if (aggregate.kind === "sum") {
    const argument = stepsExpr(onlyWhere(where, aggregate.value), aggregate.grid, aggregate)
    return { name, function: "sum", argument }
  }
  if (where === undefined) return { name, function: "rows", argument: undefined }
  return { name, function: "count", argument: onlyWhere(where, integerLiteral(1n)) }
}

function firstPeriods(
  rel: Rel,
  { unit, key, most }: { readonly unit: ColumnId; readonly key: ColumnId; readonly most: bigint },
  ids: ColumnIds,
): Rel {
  const numbered = windowRel(
    rel,
    {
      function: "row-number",
      args: [],
      partitionBy: [columnExpr(columnIn(rel, unit))],
      orderBy: [{ value: columnExpr(columnIn(rel, key)), direction: "ascending", nulls: "last" }],
      frame: undefined,
    },
    "place",
    ids,
  )
  const place = columnExpr(columnIn(numbered, numbered.columns.at(-1)?.id ?? -1))
  return filterRel(numbered, callExpr("less-or-equal", [place, integerLiteral(most)]))
}

function orNothing(value: Expr): Expr {
  return value.domain.nullable ? callExpr("coalesce", [value, integerLiteral(0n)]) : value
}
