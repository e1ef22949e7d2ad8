// What one unit can add to number, sum and squares together: more than is known of each column by itself.

import { unreachable } from "@dosimeter/core/errors"
import { rational } from "@dosimeter/core/exact"
import { reject } from "../../units/reject.ts"
import type { ColumnExpr, ColumnId, Expr } from "../../algebra/expr.ts"
import { columnExpr, shareExpr, stepsExpr } from "../../algebra/make.ts"
import {
  boundedRows,
  boundedSquares,
  boundedSum,
  clampedSquare,
  momentClamps,
  scaledSquares,
  type MomentRange,
} from "../../algebra/moment-exprs.ts"
import type { Aggregate, AggregateItem, Rel } from "../../algebra/rel.ts"
import { clampOf, type Clamp } from "../extracts/clamp-of.ts"
import { definitionOf } from "../extracts/definition-of.ts"
import { isSame, named } from "./same-expr.ts"

/** Columns of an extract: number, sum and perhaps squares of the same values. */
interface MomentColumns {
  readonly rows: ColumnId
  readonly sum: ColumnId
  readonly squares: ColumnId | undefined
}

/**
 * Proves that the columns are the moments of values between lower and upper, of which a unit has at most n in
 * a group, n being what proveExtract found for the column of rows.
 *
 * Guarantee: with a = from - lower, b = upper - from, and D = sum - from * rows, a unit adds to each of its
 *   groups rows, sum and squares with lower * rows <= sum <= upper * rows, and squares + 2 a D + a^2 rows,
 *   squares - 2 b D + b^2 rows and (b - a) D + a b rows - squares at least 0. "values": they are sums of (1,
 *   x, (x - from)^2) over whole numbers x between lower and upper.
 * Needs: columns and domains of the extract were checked; proveExtract found its bounds.
 * Proof: each value is between the bounds, so three products of its distances from them are at least 0;
 *   rounding is mended by clamps that state just these: prove-moments.proof.md.
 * Numerics: integers; a share is rounded to the nearest.
 * Source: ours; the cone of Bernstein coefficients.
 */
export function proveMoments(rel: Rel, columns: MomentColumns, range: MomentRange): "values" | "bounded" {
  if (rel.kind !== "aggregate") return reject("moments of something that is not added up")
  const items = itemsOf(rel, columns)
  if (items.rows.function === "count") {
    checkValues(items, range)
    return "values"
  }
  checkBounded(rel, items, range)
  return "bounded"
}

interface MomentItems {
  readonly rows: AggregateItem
  readonly sum: AggregateItem
  readonly squares: AggregateItem | undefined
}

function itemsOf(rel: Aggregate, { rows, sum, squares }: MomentColumns): MomentItems {
  const item = (id: ColumnId): AggregateItem => {
    const place = rel.columns.findIndex((column) => column.id === id) - rel.keys.length
    return rel.items[place] ?? reject("moments read a column that is not there")
  }
  const found = {
    rows: item(rows),
    sum: item(sum),
    squares: squares === undefined ? undefined : item(squares),
  }
  if (found.sum.function !== "sum" || (found.squares !== undefined && found.squares.function !== "sum")) {
    return reject("moments that are no sums")
  }
  return found
}

function checkValues({ rows, sum, squares }: MomentItems, { lower, upper, from }: MomentRange): void {
  const value = rows.argument ?? reject("moments count rows without a value")
  if (!isSame(sum.argument, value)) reject("moments count other values than they add up")
  const clamp = clampOf(value)
  if (clamp.lower < lower || clamp.upper > upper) reject("moments of values outside")
  if (squares !== undefined && !isSame(squares.argument, clampedSquare(value, { lower, upper, from }))) {
    reject("squares of other values")
  }
}

function checkBounded({ input }: Aggregate, items: MomentItems, range: MomentRange): void {
  if (items.rows.function !== "sum") reject("moments without a number of values")
  const rows = columnOf(items.rows)
  const counted = definitionOf(input, rows)
  if (counted.kind !== "steps" || counted.operand.kind !== "column") return reject("a number is not bounded")
  const most = counted.upper
  const below = aggregateWith(input, counted.operand.id)
  const count = columnAt(below, counted.operand.id)
  if (!isSame(counted, boundedRows(count, most))) reject("a number is bounded otherwise")
  checkClamps(input, items, momentClamps(most, range))
  const shared = { input, below, count, most }
  const summed = definitionOf(input, columnOf(items.sum))
  const share = clampedColumn(summed)
  if (!isSame(summed, boundedSum(named(input, share), most, range))) reject("a sum is bounded otherwise")
  const sum = sharedOut(share, shared)
  if (items.squares === undefined) {
    checkValues(itemsOf(below, { rows: count.id, sum, squares: undefined }), range)
    return
  }
  const squares = checkSquares(items, shared, range)
  checkValues(itemsOf(below, { rows: count.id, sum, squares }), range)
}

/** Rows of one aggregate, of which `count` counts values and at most so many count. */
interface Shared {
  readonly input: Rel
  readonly below: Aggregate
  readonly count: ColumnExpr
  readonly most: bigint
}

// The squares of each row, after rounding was mended; returns the column that was scaled down.
function checkSquares(items: MomentItems, shared: Shared, range: MomentRange): ColumnId {
  const { input, most } = shared
  const expr = definitionOf(input, items.squares === undefined ? -1 : columnOf(items.squares))
  const scaled = firstColumn(expr)
  const parts = {
    rows: named(input, columnOf(items.rows)),
    sum: named(input, columnOf(items.sum)),
    squares: named(input, scaled),
  }
  if (!isSame(expr, boundedSquares(parts, range))) reject("squares are bounded otherwise")
  const own = definitionOf(input, scaled)
  const share = clampedColumn(own)
  if (!isSame(own, scaledSquares(named(input, share), most, range))) reject("squares are scaled otherwise")
  return sharedOut(share, shared)
}

// A column that is the share of a column of the aggregate: which one.
function sharedOut(id: ColumnId, { input, below, count, most }: Shared): ColumnId {
  const expr = definitionOf(input, id)
  const sum = expr.kind === "share" && expr.sum.kind === "column" ? expr.sum.id : reject("no share of a sum")
  if (!isSame(expr, shareExpr(columnAt(below, sum), count, most))) reject("a share of something else")
  return sum
}

// The column that is added up, inside of the last clamp.
function columnOf({ argument }: AggregateItem): ColumnId {
  const column = argument?.kind === "steps" ? argument.operand : undefined
  return column?.kind === "column" ? column.id : reject("moments of an expression")
}

// What is computed below is clamped once more, right where it is added up.
function checkClamps(
  input: Rel,
  items: MomentItems,
  clamps: Readonly<Record<keyof MomentItems, Clamp>>,
): void {
  for (const name of ["rows", "sum", "squares"] as const) {
    const item = items[name]
    if (item === undefined) continue
    const column = named(input, columnOf(item))
    if (!isSame(item.argument, stepsExpr(column, rational(1n), clamps[name])))
      reject("moments without a clamp")
  }
}

// The aggregate that a column comes from. Each row of an inner join has one row of either side.
function aggregateWith(rel: Rel, id: ColumnId): Aggregate {
  const has = ({ columns }: Rel): boolean => columns.some((column) => column.id === id)
  switch (rel.kind) {
    case "aggregate":
      return has(rel) ? rel : reject("moments of another relation")
    case "filter":
    case "window":
    case "project":
      return aggregateWith(rel.input, id)
    case "join":
      if (rel.type !== "inner") return reject("moments that an outer join may miss")
      return aggregateWith(has(rel.left) ? rel.left : rel.right, id)
    case "scan":
    case "values":
    case "mark":
    case "union":
    case "sort":
    case "boundary":
    case "released":
      return reject("moments that were not added up")
    default:
      return unreachable(rel)
  }
}

function columnAt({ columns }: Aggregate, id: ColumnId): ColumnExpr {
  const column = columns.find((one) => one.id === id)
  return column === undefined ? reject("moments of another relation") : columnExpr(column)
}

// The column inside of COALESCE and a clamp; what stands around it is compared afterwards.
function clampedColumn(expr: Expr): ColumnId {
  const [first] = expr.kind === "call" ? expr.args : []
  return first?.kind === "steps" && first.operand.kind === "column"
    ? first.operand.id
    : reject("moments that are not clamped")
}

function firstColumn(expr: Expr): ColumnId {
  const [inner] = expr.kind === "call" ? expr.args : []
  const [column] = inner?.kind === "call" ? inner.args : []
  return column?.kind === "column" ? column.id : reject("squares are bounded otherwise")
}
