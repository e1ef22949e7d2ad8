// A released table as it is shown and worked with: counts, and sums of what is not negative, are not
// negative. The record keeps what was measured, and whoever asks for raw values gets it.

import { compare, rational, zero } from "@dosimeter/core/exact"
import { cellsFromZero } from "@dosimeter/answers/cells/from-zero"
import { fromZero, groupingsFromZero } from "@dosimeter/answers/cells/groupings-from-zero"
import type { Cell, Table } from "@dosimeter/answers/cells/table"
import { isCounted } from "@dosimeter/answers/reuse/kept-facts"
import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import { areWhole, hasGroupings } from "@dosimeter/proof/algebra/grouping-sums"
import {
  hasStrategy,
  isCount,
  type LinearMeasurement,
  type MeasuredColumn,
  type Reading,
} from "@dosimeter/proof/algebra/measurement"
import { momentsAt } from "@dosimeter/proof/algebra/scaled-reading"
import type { Extract, Release, ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import type { RelColumn } from "@dosimeter/proof/algebra/rel"

/** The tables of a plan's releases as they are shown. */
export function shownTables(
  { releases, raw, shownFrom }: ReleasePlan,
  tables: readonly Table[],
): readonly Table[] {
  if (raw === true) return tables
  return tables.map((table, index) => {
    const release = releases[index]
    return release === undefined ? table : shownTable(table, release, shownFrom)
  })
}

function shownTable(table: Table, release: Release, shownFrom: bigint | undefined): Table {
  const { readings } = release
  if (table.rows.length === 0) return table
  const keyCount = table.columns.length - readings.length
  const changed = new Map<number, readonly Cell[]>()
  for (const [place, reading] of readings.entries()) {
    const column = table.columns[keyCount + place]
    if (column === undefined || !isFromZero(reading, release, column)) continue
    const cells = columnFromZero(
      table.rows.flatMap((row) => row[keyCount + place] ?? []),
      reading,
      release,
    )
    const hides = shownFrom !== undefined && isCounted(reading, release)
    changed.set(keyCount + place, hides ? cells.map((cell) => hidden(cell, shownFrom)) : cells)
  }
  if (changed.size === 0) return table
  const rows = table.rows.map((row, index) => row.map((cell, place) => changed.get(place)?.[index] ?? cell))
  return { columns: table.columns, rows }
}

function columnFromZero(
  cells: readonly Cell[],
  reading: Reading,
  { keys, measurements }: Release,
): readonly Cell[] {
  if (!hasGroupings(keys)) return cellsFromZero(cells)
  const source = reading.kind === "linear" ? measurements[reading.measurement] : undefined
  if (source?.kind !== "linear") return cells
  // Whole numbers are from 0 on already.
  if (areWhole(source, keys.groupings)) return cells.map(fromZero)
  return groupingsFromZero(cells, keys, { isApart: source.strategy.kind === "identity" })
}

/** The house rule looks at what is shown. */
function hidden(cell: Cell, least: bigint): Cell {
  const isBelow = cell.value.kind === "number" && compare(cell.value.value, rational(least)) < 0
  return isBelow ? { ...cell, state: "below-threshold" } : cell
}

/**
 * Whether a column is shown and its exact values are not negative. What averages and variances are worked out
 * from stays as it was measured: a quotient of numbers that were raised or lowered would lean to one side.
 */
function isFromZero(reading: Reading, { measurements, extracts }: Release, shown: RelColumn): boolean {
  if (reading.kind !== "linear" || !reading.isWhole) return false
  const source = measurements[reading.measurement]
  // Running totals have rules of their own.
  if (source?.kind !== "linear" || source.strategy.kind === "totals") return false
  const column = source.columns[reading.column]
  if (column === undefined || isDivisor(column, shown)) return false
  return momentFromZero(source, reading.column) ?? addsFromZero(extracts[source.extract], column.id)
}

// A count to divide by is a float; one that is shown is whole.
function isDivisor(column: MeasuredColumn, { domain }: RelColumn): boolean {
  return isCount(column) && domain.type.kind === "float"
}

/** Whether the exact values of a column cannot be negative. */
export function isNeverNegative(reading: Reading, { measurements, extracts }: Release): boolean {
  const source = reading.kind === "linear" ? measurements[reading.measurement] : undefined
  if (reading.kind !== "linear" || source?.kind !== "linear") return false
  const column = source.columns[reading.column]
  if (column === undefined) return false
  return momentFromZero(source, reading.column) ?? addsFromZero(extracts[source.extract], column.id)
}

// A number that is read from several scaled columns: undefined where it is read from its own.
function momentFromZero(source: LinearMeasurement, column: number): boolean | undefined {
  const moments = hasStrategy(source, "scaled") ? momentsAt(source, column) : undefined
  if (moments === undefined) return undefined
  return source.columns[column]?.of === "values" ? moments.lower >= 0n : true
}

// By the clamps in the plan, not by what is known of the data.
function addsFromZero(extract: Extract | undefined, id: ColumnId): boolean {
  const rel = extract?.rel
  if (rel?.kind !== "aggregate") return false
  const item = rel.items[rel.columns.findIndex((column) => column.id === id) - rel.keys.length]
  switch (item?.function) {
    case "rows":
    case "count":
    case "count-distinct":
      return true
    case "sum":
      return item.argument !== undefined && isClampedFromZero(item.argument)
    default:
      return false
  }
}

function isClampedFromZero(expr: Expr): boolean {
  switch (expr.kind) {
    case "steps":
      return expr.lower >= 0n
    case "literal":
      return (
        expr.value.kind === "null" || (expr.value.kind === "number" && compare(expr.value.value, zero) >= 0)
      )
    case "case":
      return [...expr.branches.map(({ result }) => result), expr.otherwise].every(isClampedFromZero)
    case "call":
      return expr.name === "coalesce" && expr.args.every(isClampedFromZero)
    default:
      return false
  }
}
