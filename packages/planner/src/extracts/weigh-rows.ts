// Histograms of all rows, in which the rows of a unit weigh less where it has many: nothing is drawn and
// nothing is dropped. verify/extracts/prove-weighed-rows.ts proves it.

import { rational } from "@dosimeter/core/exact"
import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import {
  aggregateRel,
  callExpr,
  columnExpr,
  columnIn,
  integerLiteral,
  projectRel,
  stepsExpr,
  weightExpr,
  windowRel,
  type ColumnIds,
} from "@dosimeter/proof/algebra/make"
import type { Boundary, Rel, RelColumn } from "@dosimeter/proof/algebra/rel"
import type { Bounding } from "./build-extract.ts"
import { buildHistogram, type CellValue, type Histogram } from "./build-histogram.ts"
import { withoutNull, withValue } from "./valued-rows.ts"

/** The weight of a row of a unit within its bounds; where there are two bounds, of each of them. */
const full = 1n << 16n
/** Weights are worked out in 38 digits: more rows of a unit than this are not weighed. */
const rowsMost = 1n << 28n

const one = rational(1n)

/** How rows are weighed: within bounds, by numbers of rows that are counted, or stored in a column. */
export interface Weighing extends Bounding {
  readonly rowTotal?: RelColumn | undefined
}

/**
 * A histogram in which a row of a unit with n rows in a group counts full x min(1, r / n); and all of that
 * once more by one weight of the unit, where its groups together have more than k x r rows' worth of it. So
 * the unit counts for at most r rows in a group, and k x r rows in all. Where each unit has one row, or is a
 * row, it is counted plainly.
 */
export function weighedHistogram(
  boundary: Boundary,
  value: CellValue,
  bounding: Weighing,
  ids: ColumnIds,
): Histogram {
  const { unit, oneRow, oneGroup, groupsPerUnit, rowsPerGroup, rowTotal } = bounding
  const isPlain = unit === undefined || (oneRow && oneGroup)
  if (isPlain || groupsPerUnit * rowsPerGroup > rowsMost)
    return buildHistogram(boundary, value, bounding, ids)
  const kept = rowTotal === undefined ? [] : [rowTotal]
  const from = { boundary, unit, kept, ids }
  const { rel: cells, added: cell } = withoutNull(withValue(from, value.cell, value), ids)
  const { keys } = boundary
  const inGroup = weighed(cells, { over: [unit, ...keys], bound: rowsPerGroup, rowTotal }, ids)
  const weighedRows = oneGroup
    ? { rel: inGroup, sum: columnExpr(lastOf(inGroup)), most: full }
    : weighedGroups(inGroup, { unit, bound: full * groupsPerUnit * rowsPerGroup }, ids)
  const { rel: rows, sum, most } = weighedRows
  const argument = stepsExpr(sum, one, { lower: 0n, upper: most })
  const rel = aggregateRel(rows, [...keys, cell], [{ name: value.label, function: "sum", argument }], ids)
  const count = rel.columns.at(-1)?.id ?? -1
  return { extract: { rel, keys, values: [cell, count] }, cell, count, full: most }
}

// Rows with a weight by how many rows there are in their part.
function weighed(
  rel: Rel,
  { over, bound, rowTotal }: Pick<Weighing, "rowTotal"> & Part,
  ids: ColumnIds,
): Rel {
  const counted = rowTotal === undefined ? withRows(rel, over, ids) : rel
  const total = rowTotal === undefined ? lastOf(counted) : rowTotal
  const weight = weightExpr(columnExpr(total), "l1", { bound, full })
  return withColumn(counted, rel.columns, { name: "weight", value: weight }, ids)
}

interface Part {
  readonly over: readonly ColumnId[]
  readonly bound: bigint
}

function withRows(rel: Rel, over: readonly ColumnId[], ids: ColumnIds): Rel {
  const partitionBy = over.map((id) => columnExpr(columnIn(rel, id)))
  const item = { function: "rows", args: [], partitionBy, orderBy: [], frame: undefined } as const
  return windowRel(rel, item, "rows", ids)
}

// Weights of rows, and one weight of each unit by the sum of them.
function weighedGroups(
  rel: Rel,
  { unit, bound }: { readonly unit: ColumnId; readonly bound: bigint },
  ids: ColumnIds,
): { readonly rel: Rel; readonly sum: Expr; readonly most: bigint } {
  const others = rel.columns.slice(0, -1)
  const steps = stepsExpr(columnExpr(lastOf(rel)), one, { lower: 0n, upper: full })
  const share = { name: "share", value: callExpr("coalesce", [steps, integerLiteral(0n)]) }
  const shares = withColumn(rel, others, share, ids)
  const amount = columnExpr(lastOf(shares))
  const partitionBy = [columnExpr(columnIn(shares, unit))]
  const args = [callExpr("abs", [amount])]
  const item = { function: "sum", args, partitionBy, orderBy: [], frame: undefined } as const
  const total = windowRel(shares, item, "total", ids)
  const weight = weightExpr(columnExpr(lastOf(total)), "l1", { bound, full })
  const both = withColumn(total, shares.columns, { name: "weight", value: weight }, ids)
  const sum = callExpr("multiply", [columnExpr(lastOf(both)), amount])
  return { rel: both, sum, most: full * full }
}

function withColumn(
  rel: Rel,
  kept: readonly RelColumn[],
  added: { readonly name: string; readonly value: Expr },
  ids: ColumnIds,
): Rel {
  const items = kept.map((column) => ({ name: column.name, value: columnExpr(column) }))
  return projectRel(rel, [...items, added], ids)
}

function lastOf(rel: Rel): RelColumn {
  return columnIn(rel, rel.columns.at(-1)?.id ?? -1)
}
