// The exact tables that the database computes for a boundary: contributions are bounded for each unit and
// group, then at most k groups are kept for each unit, then units are added up. verify/ proves what is built
// here.

import { ceil, floor, rational } from "@dosimeter/core/exact"
import { closureOf, dependenciesOf, sameInGroup } from "@dosimeter/proof/units/dependencies"
import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import {
  aggregateRel,
  columnExpr,
  columnIn,
  integerLiteral,
  projectRel,
  stepsExpr,
  shareExpr,
  type ColumnIds,
} from "@dosimeter/proof/algebra/make"
import type {
  AggregateItem,
  Boundary,
  BoundaryAggregate,
  PersonsAggregate,
  Rel,
  RowsAggregate,
  SumAggregate,
} from "@dosimeter/proof/algebra/rel"
import type { Extract } from "@dosimeter/proof/algebra/release-plan"
import { addUpFirst } from "./add-up-first.ts"
import {
  addedBounds,
  boundMoments,
  inNone,
  momentPlaces,
  momentsOfRows,
  squaredIfAsked,
  type MomentColumns,
} from "../aggregates/build-moments.ts"
import { hashFor, keepFirst, keepGroups } from "./keep-groups.ts"
import { firstLike, type MomentFamily } from "../aggregates/moment-families.ts"
import { onlyFor, withValue } from "./valued-rows.ts"
import { onlyWhere } from "../aggregates/only-where.ts"
import type { CountingExtract } from "./weigh-groups.ts"

export { addedGrid } from "../aggregates/build-moments.ts"
export { withWeights } from "./weigh-groups.ts"

/** How contributions are bounded. */
export interface Bounding {
  /** The unit's column; none where each row is a unit by itself. */
  readonly unit: ColumnId | undefined
  /** Whether a unit has one row in a group, by a key of the schema. */
  readonly oneRow: boolean
  /** Whether a unit is in one group, by a key of the schema. */
  readonly oneGroup: boolean
  readonly groupsPerUnit: bigint
  readonly rowsPerGroup: bigint
}

/** An aggregate that is a sum over units of an integer each. */
export type AdditiveAggregate = PersonsAggregate | RowsAggregate | SumAggregate

/** What the sums of the main extract are. */
export interface MainExtract extends CountingExtract {
  /** The column of each additive aggregate, and what a unit may add to it in a group. */
  readonly columns: ReadonlyMap<AdditiveAggregate, BoundedColumn>
  readonly moments: ReadonlyMap<MomentFamily, MomentColumns>
}

/** A column of sums, to which each unit adds between lower and upper in a group. */
export interface BoundedColumn {
  readonly id: ColumnId
  readonly lower: bigint
  readonly upper: bigint
}

const one = rational(1n)

/**
 * The additive aggregates of a boundary, all in one table, and the number of units in each group. Those of
 * families have columns of their own.
 */
export function buildMain(
  asked: Boundary,
  bounding: Bounding,
  families: readonly MomentFamily[],
  ids: ColumnIds,
): MainExtract {
  const all = asked.aggregates.filter(isAdditive)
  const { unit } = bounding
  const boundary = onlyFor(
    asked,
    unit,
    all.flatMap((aggregate) => [aggregate.where, aggregate.kind === "sum" ? aggregate.value : undefined]),
  )
  const aggregates = all.filter(inNone(families))
  const counted = aggregates.filter(
    (one, index) => isCounted(one, bounding) && firstLike(one, aggregates) === index,
  )
  const areValues = bounding.oneRow || unit === undefined
  const perUnit = areValues
    ? { rel: boundary.input, values: counted.map(ofOneRow), moments: families.map(momentsOfRows) }
    : addUpRows({ boundary, unit, bounding, ids }, counted, families)
  const kept = keepGroups(perUnit.rel, { keys: boundary.keys, bounding, number: "row-number" }, ids)
  const sums = perUnit.values.map((item, index) => ({ name: counted[index]?.label ?? "", ...item }))
  const units = { name: "units", function: "rows", argument: undefined } as const
  const rel = aggregateRel(kept, boundary.keys, [...sums, ...perUnit.moments.flat(), units], ids)
  const first = boundary.keys.length
  const values = rel.columns.slice(first).map(({ id }) => id)
  const unitsId = values.at(-1) ?? -1
  const columns = new Map(
    aggregates.map((aggregate) => {
      const place = isCounted(aggregate, bounding)
        ? counted.indexOf(aggregates[firstLike(aggregate, aggregates)] ?? aggregate)
        : -1
      return [aggregate, { id: values[place] ?? unitsId, ...boundsOf(perUnit.values[place]) }] as const
    }),
  )
  const rowsPerGroup = areValues ? 1n : bounding.rowsPerGroup
  const moments = momentPlaces(families, perUnit.moments, values.slice(sums.length), {
    rowsPerGroup,
    areValues,
  })
  return { extract: { rel, keys: boundary.keys, values }, units: unitsId, columns, moments }
}

/** How many different values each group has: at most r of them from a unit, at most k groups. */
export function buildDistinct(
  boundary: Boundary,
  value: { readonly value: Expr; readonly where: Expr | undefined; readonly label: string },
  bounding: Bounding,
  ids: ColumnIds,
): { readonly extract: Extract; readonly count: ColumnId; readonly rowsPerGroup: bigint } {
  const { rel: valued, added } = withValue({ boundary, unit: bounding.unit, ids }, value.value, {
    ...value,
    of: value.value,
  })
  const { unit, oneRow, rowsPerGroup } = bounding
  let rel: Rel = valued
  if (unit !== undefined && !oneRow) {
    const each = aggregateRel(valued, [unit, ...boundary.keys, added], [], ids)
    const chosen = columnExpr(columnIn(each, added))
    rel = keepFirst(
      each,
      {
        partition: [unit, ...boundary.keys],
        order: [hashFor(each, unit, [chosen]), chosen],
        most: rowsPerGroup,
      },
      ids,
    )
  }
  const kept = keepGroups(rel, { keys: boundary.keys, bounding, number: "dense-rank" }, ids)
  const argument = columnExpr(columnIn(kept, added))
  const counted = aggregateRel(
    kept,
    boundary.keys,
    [{ name: value.label, function: "count-distinct", argument }],
    ids,
  )
  const count = counted.columns.at(-1)?.id ?? -1
  // Unit and keys may decide the value: then there is one, whatever the bound.
  const known = dependenciesOf(kept)
  const same = sameInGroup(kept, boundary.keys)
  const isOne = unit !== undefined && closureOf(known, [unit, ...same]).has(known.row)
  const extract = { rel: counted, keys: boundary.keys, values: [count] }
  return { extract, count, rowsPerGroup: isOne ? 1n : rowsPerGroup }
}

/** Whether an aggregate is a sum over units. */
export function isAdditive(aggregate: BoundaryAggregate): aggregate is AdditiveAggregate {
  return aggregate.kind === "persons" || aggregate.kind === "rows" || aggregate.kind === "sum"
}

/** Whether every unit of a group counts once: no column of its own is needed. */
export function isNumberOfUnits(aggregate: AdditiveAggregate, oneRow: boolean): boolean {
  if (aggregate.where !== undefined) return false
  return (
    aggregate.kind === "persons" || (aggregate.kind === "rows" && oneRow && aggregate.divisorOf === undefined)
  )
}

/** COUNT(*): of all rows, and of nothing else. */
export function isPlainCount(aggregate: BoundaryAggregate): aggregate is RowsAggregate {
  return aggregate.kind === "rows" && aggregate.where === undefined && aggregate.divisorOf === undefined
}

function isCounted(aggregate: AdditiveAggregate, { oneRow }: Bounding): boolean {
  return !isNumberOfUnits(aggregate, oneRow)
}

// The contribution of a unit that has a single row.
function ofOneRow(aggregate: AdditiveAggregate): AggregateItem {
  const { where } = aggregate
  if (aggregate.kind !== "sum") return { function: "count", argument: onlyWhere(where, integerLiteral(1n)) }
  const steps = stepsExpr(onlyWhere(where, aggregate.value), aggregate.grid, aggregate)
  return { function: "sum", argument: squaredIfAsked(steps, aggregate) }
}

// One row for each unit and group, with what the unit contributes to each aggregate.
function addUpRows(
  from: {
    readonly boundary: Boundary
    readonly unit: ColumnId
    readonly bounding: Bounding
    readonly ids: ColumnIds
  },
  aggregates: readonly AdditiveAggregate[],
  families: readonly MomentFamily[],
): {
  readonly rel: Rel
  readonly values: readonly AggregateItem[]
  readonly moments: ReturnType<typeof boundMoments>["items"]
} {
  const { boundary, unit, ids } = from
  const { rowsPerGroup, oneGroup } = from.bounding
  const items = aggregates.map((aggregate) => partialsOf(aggregate))
  const all = [...items, ...families.map(momentsOfRows)].flat()
  const added =
    (oneGroup ? addUpFirst(boundary, all, ids) : undefined) ??
    aggregateRel(boundary.input, [unit, ...boundary.keys], all, ids)
  let next = 1 + boundary.keys.length
  const partials = items.map((list) => {
    const columns = added.columns.slice(next, next + list.length).map(columnExpr)
    next += columns.length
    return columns
  })
  // Scaled down in a step of their own: the clamp above them looks at each more than once.
  const scaled = partials.map(([sum, count]) =>
    sum === undefined || count === undefined ? undefined : shareExpr(sum, count, rowsPerGroup),
  )
  const shares = scaled.flatMap((value) => (value === undefined ? [] : [{ name: "share", value }]))
  const kept = added.columns.map((column) => ({ name: column.name, value: columnExpr(column) }))
  const rel = shares.length === 0 ? added : projectRel(added, [...kept, ...shares], ids)
  let share = kept.length - 1
  const values = aggregates.map((aggregate, index): AggregateItem => {
    if (scaled[index] !== undefined) share += 1
    const column = scaled[index] === undefined ? undefined : rel.columns[share]
    const partial = column === undefined ? partials[index]?.[0] : columnExpr(column)
    return {
      function: "sum",
      argument: contributionOf(aggregate, partial ?? integerLiteral(0n), rowsPerGroup),
    }
  })
  const bounded = boundMoments(rel, families, added.columns.slice(next).map(columnExpr), {
    most: rowsPerGroup,
    ids,
  })
  return { rel: bounded.rel, values, moments: bounded.items }
}

function partialsOf(aggregate: AdditiveAggregate): readonly (AggregateItem & { readonly name: string })[] {
  const { label: name, where } = aggregate
  if (aggregate.kind !== "sum") {
    if (where === undefined) return [{ name, function: "rows", argument: undefined }]
    return [{ name, function: "count", argument: onlyWhere(where, integerLiteral(1n)) }]
  }
  const value = onlyWhere(where, aggregate.value)
  const steps = squaredIfAsked(stepsExpr(value, aggregate.grid, aggregate), aggregate)
  const sum = { name, function: "sum", argument: steps } as const
  return aggregate.manner === "total" ? [sum] : [sum, { name, function: "count", argument: value }]
}

function contributionOf(aggregate: AdditiveAggregate, partial: Expr, rowsPerGroup: bigint): Expr {
  if (aggregate.kind !== "sum") {
    return stepsExpr(partial, one, { lower: 0n, upper: aggregate.kind === "persons" ? 1n : rowsPerGroup })
  }
  const { lower, upper } = addedBounds(aggregate)
  const bounds = {
    lower: lower < 0n ? lower * rowsPerGroup : 0n,
    upper: upper > 0n ? upper * rowsPerGroup : 0n,
  }
  return stepsExpr(partial, one, bounds)
}

// Without a column of its own it is the number of units: one each. A NULL counts as 0.
function boundsOf(item: AggregateItem | undefined): { readonly lower: bigint; readonly upper: bigint } {
  const range = item?.function === "sum" ? item.argument?.domain.range : undefined
  if (range === undefined) return { lower: 0n, upper: 1n }
  const lower = floor(range.min.value)
  const upper = ceil(range.max.value)
  return { lower: lower < 0n ? lower : 0n, upper: upper > 0n ? upper : 0n }
}
