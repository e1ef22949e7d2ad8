// Sums straight over rows: for prepared copies, whose places bound every unit, no row of its own is made for
// each unit and group.

import { ceil, floor, rational } from "@dosimeter/core/exact"
import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import {
  aggregateRel,
  callExpr,
  columnExpr,
  integerLiteral,
  stepsExpr,
  type ColumnIds,
} from "@dosimeter/proof/algebra/make"
import type { AggregateItem, RelColumn, SumAggregate } from "@dosimeter/proof/algebra/rel"
import {
  isAdditive,
  type AdditiveAggregate,
  type MainExtract,
  type BoundedColumn,
} from "../extracts/build-extract.ts"
import { inNone, momentItems, momentPlaces, squaredIfAsked } from "../aggregates/build-moments.ts"
import type { MomentFamily } from "../aggregates/moment-families.ts"
import { onlyWhere } from "../aggregates/only-where.ts"
import type { PreparedForm } from "./prepared-form.ts"

interface Item extends AggregateItem {
  readonly name: string
  readonly lower: bigint
  readonly upper: bigint
}

/**
 * The additive aggregates of a boundary over copies, and (where keys are selected by it) the number of units.
 */
export function buildDirect(
  form: PreparedForm,
  {
    rowsPerGroup,
    countsUnits,
    families,
  }: {
    readonly rowsPerGroup: bigint
    readonly countsUnits: boolean
    readonly families: readonly MomentFamily[]
  },
  ids: ColumnIds,
): MainExtract {
  const { boundary, rowPlace } = form
  const aggregates = boundary.aggregates.filter(isAdditive).filter(inNone(families))
  const rows = rowPlace === undefined ? 1n : rowsPerGroup
  const items: Item[] = []
  const placesByKey = new Map<string, number>()
  // Equal aggregates share a column, and so pay once.
  const placeOf = (item: Item): number => {
    const key = keyOf(item)
    const place = placesByKey.get(key) ?? items.push(item) - 1
    placesByKey.set(key, place)
    return place
  }
  const places = aggregates.map((aggregate) => placeOf(itemOf(aggregate, rows, form)))
  const asked = places[aggregates.findIndex((one) => one.kind === "persons" && one.where === undefined)]
  const unitsPlace = asked ?? (countsUnits ? placeOf(unitsOf(undefined, rows, form)) : undefined)
  const moments = families.map((family) => momentItems(family, directValue(family, form)))
  const rel = aggregateRel(boundary.input, boundary.keys, [...items, ...moments.flat()], ids)
  const values = rel.columns.slice(boundary.keys.length).map(({ id }) => id)
  const columnAt = (place: number): BoundedColumn => {
    const { lower, upper } = items[place] ?? { lower: 0n, upper: 0n }
    return { id: values[place] ?? -1, lower, upper }
  }
  const columns = new Map(
    aggregates.map((aggregate, index) => [aggregate, columnAt(places[index] ?? -1)] as const),
  )
  const units: ColumnId = unitsPlace === undefined ? -1 : (values[unitsPlace] ?? -1)
  const placed = momentPlaces(families, moments, values.slice(items.length), {
    rowsPerGroup: rows,
    areValues: true,
  })
  const extract = { rel, keys: boundary.keys, values }
  const { groupTotal } = form
  return { extract, units, columns, moments: placed, firstRow: firstRowOf(rows, form), groupTotal }
}

function directValue({ sum }: MomentFamily, form: PreparedForm): Expr {
  return onlyWhere(sum.where, stepsOf(sum, form.stored.get(sum)))
}

// Two items with the same key have the same value in every group.
function keyOf({ function: name, argument }: Item): string {
  return JSON.stringify([name, argument], (_, value: unknown) =>
    typeof value === "bigint" ? `${value}` : value,
  )
}

function itemOf(aggregate: AdditiveAggregate, rows: bigint, form: PreparedForm): Item {
  const { label: name, where } = aggregate
  switch (aggregate.kind) {
    case "persons":
      return { ...unitsOf(where, rows, form), name }
    case "rows": {
      const bounds = { lower: 0n, upper: rows }
      if (where === undefined) return { name, function: "rows", argument: undefined, ...bounds }
      return { name, function: "count", argument: onlyWhere(where, integerLiteral(1n)), ...bounds }
    }
    case "sum": {
      const steps = squaredIfAsked(stepsOf(aggregate, form.stored.get(aggregate)), aggregate)
      const argument = onlyWhere(where, steps)
      const { range } = argument.domain
      const [least, most] = range === undefined ? [0n, 0n] : [floor(range.min.value), ceil(range.max.value)]
      return {
        name,
        function: "sum",
        argument,
        lower: least < 0n ? least * rows : 0n,
        upper: most > 0n ? most * rows : 0n,
      }
    }
    default:
      return aggregate satisfies never
  }
}

// A unit has one row of place 1 in a group.
function firstRowOf(rows: bigint, { rowPlace }: PreparedForm): Expr | undefined {
  if (rowPlace === undefined || rows === 1n) return undefined
  return callExpr("less-or-equal", [columnExpr(rowPlace), integerLiteral(1n)])
}

function unitsOf(where: Expr | undefined, rows: bigint, form: PreparedForm): Item {
  const bounds = { name: "units", lower: 0n, upper: 1n }
  const isFirst = firstRowOf(rows, form)
  const condition =
    isFirst === undefined || where === undefined ? (isFirst ?? where) : callExpr("and", [isFirst, where])
  if (condition === undefined) return { ...bounds, function: "rows", argument: undefined }
  return { ...bounds, function: "count", argument: onlyWhere(condition, integerLiteral(1n)) }
}

// Stored steps are not computed again, but they are clamped again: no clamp is believed but the one that the
// database applies where it adds up.
function stepsOf(aggregate: SumAggregate, stored: RelColumn | undefined): Expr {
  if (stored !== undefined) return stepsExpr(columnExpr(stored), rational(1n), aggregate)
  return stepsExpr(aggregate.value, aggregate.grid, aggregate)
}
