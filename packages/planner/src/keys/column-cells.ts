// The values of a column of a table, in cells: one value each, or, of moments, an hour or a day with its
// first and its last. What is the same at both ends of every cell can be read from its ends.

import { floor } from "@dosimeter/core/exact"
import { microsPerDay, type Constant } from "@dosimeter/proof/catalog/constant"
import type { Domain } from "@dosimeter/proof/catalog/domain"
import { valuesOf } from "@dosimeter/proof/catalog/values-of"
import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import { columnsIn, partsOf } from "@dosimeter/proof/algebra/walk"

/** Columns with more cells are not looked at: the days of 137 years are as many. */
export const cellsMax = 50_000

/** The cells of a column. */
export interface ColumnCells {
  /** The values at the ends of each cell: one, or the first and the last. */
  readonly cells: readonly (readonly Constant[])[]
  /** Whether an expression over the column, and no other, is the same in all of a cell. */
  readonly isSettled: (expr: Expr) => boolean
  /** Whether a condition over the column is in a cell only what it is at an end. */
  readonly isAtEnds: (condition: Expr) => boolean
}

/** The cells of a column that some keys are computed from; undefined where they are too many or unknown. */
export function columnCells(
  domain: Domain,
  column: ColumnId,
  keys: readonly Expr[],
): ColumnCells | undefined {
  const none: readonly (readonly Constant[])[] = domain.nullable ? [[{ kind: "null" }]] : []
  if (domain.type.kind === "timestamp" && domain.values === undefined) {
    const unit = keys.every((key) => isBy("day", key, column)) ? "day" : "hour"
    const cells = momentCells(domain, unit)
    if (cells === undefined) return undefined
    const isSettled = (expr: Expr): boolean => isBy(unit, expr, column)
    const isAtEnds = (condition: Expr): boolean => isSettled(condition) || isOrder(condition, column)
    return { cells: [...cells, ...none], isSettled, isAtEnds }
  }
  // Data may have values that are not declared.
  const isKnown = domain.values === undefined || domain.isComplete === true
  const values = isKnown ? valuesOf(domain, cellsMax) : undefined
  if (values === undefined) return undefined
  return {
    cells: [...values.map((value) => [value]), ...none],
    isSettled: () => true,
    isAtEnds: () => true,
  }
}

function momentCells(
  { range, type, nullable }: Domain,
  unit: "day" | "hour",
): readonly (readonly Constant[])[] | undefined {
  if (range === undefined) return undefined
  const starts = valuesOf({ type, nullable, range, calendar: unit }, cellsMax)
  const [least, most] = [floor(range.min.value), floor(range.max.value)]
  const width = unit === "day" ? microsPerDay : microsPerDay / 24n
  return starts?.map((start) => {
    const from = start.kind === "timestamp" ? start.micros : 0n
    const until = from + width - 1n
    return [
      { kind: "timestamp", micros: from < least ? least : from },
      { kind: "timestamp", micros: until > most ? most : until },
    ]
  })
}

// Whether an expression looks at no more of a moment than its day, or its hour.
function isBy(unit: "day" | "hour", expr: Expr, column: ColumnId): boolean {
  if (expr.kind === "column") return expr.id !== column
  if (expr.kind !== "call") return partsOf(expr).every((part) => isBy(unit, part, column))
  const [first, second] = expr.args
  const word = first?.kind === "literal" && first.value.kind === "text" ? first.value.value.toLowerCase() : ""
  const isColumn = (arg: Expr | undefined): boolean => arg?.kind === "column" && arg.id === column
  if (expr.name === "is-null" && isColumn(first)) return true
  if (expr.name === "cast" && isColumn(first)) return expr.domain.type.kind === "date"
  if ((expr.name === "date-trunc" || expr.name === "extract") && isColumn(second)) {
    return days.has(word) || (unit === "hour" && word === "hour")
  }
  return expr.args.every((part) => isBy(unit, part, column))
}

const days = new Set(["year", "quarter", "month", "week", "day", "dow", "isodow", "doy"])

// A moment before or after a fixed one: from one end of a cell to the other this changes once at most.
function isOrder(condition: Expr, column: ColumnId): boolean {
  if (condition.kind !== "call" || !orders.has(condition.name)) return false
  const [left, right] = condition.args
  if (left === undefined || right === undefined) return false
  const isColumn = (side: Expr): boolean => side.kind === "column" && side.id === column
  const isFixed = (side: Expr): boolean => columnsIn(side).size === 0
  return (isColumn(left) && isFixed(right)) || (isFixed(left) && isColumn(right))
}

const orders: ReadonlySet<string> = new Set(["less", "less-or-equal", "greater", "greater-or-equal"])
