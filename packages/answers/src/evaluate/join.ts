// Joins and EXISTS. Sides meet in a hash table on the equalities of the condition; what is left of it is
// asked of each pair that meets there.

import type { Constant } from "@dosimeter/proof/catalog/constant"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import type { Join, Mark, RelColumn } from "@dosimeter/proof/algebra/rel"
import { columnsIn, conjunctsOf } from "@dosimeter/proof/algebra/walk"
import { keyOf } from "./aggregate.ts"
import { truthOf } from "../values/call-logic.ts"
import { widening } from "../values/convert.ts"
import { booleanConstant, nullConstant } from "../values/doubles.ts"
import { positionsOf, rowFunction, type RowFunction } from "./evaluate-expression.ts"
import { publicCell, type Row, type Table } from "../cells/table.ts"

/** A join. */
export function evaluateJoin({ type, condition, columns }: Join, left: Table, right: Table): Table {
  const matching = matcher(condition, left, right)
  const met = new Set<number>()
  const rows: Row[] = []
  const noRight = emptyRow(right.columns)
  for (const row of left.rows) {
    const found = matching(row)
    for (const index of found) {
      met.add(index)
      rows.push([...row, ...(right.rows[index] ?? [])])
    }
    if (found.length === 0 && (type === "left" || type === "full")) rows.push([...row, ...noRight])
  }
  if (type === "right" || type === "full") {
    const noLeft = emptyRow(left.columns)
    right.rows.forEach((row, index) => {
      if (!met.has(index)) rows.push([...noLeft, ...row])
    })
  }
  return { columns, rows }
}

/** The left side with one more column: is there a row on the right? */
export function evaluateMark({ condition, columns }: Mark, left: Table, right: Table): Table {
  const matching = matcher(condition, left, right)
  const rows = left.rows.map((row): Row => [...row, publicCell(booleanConstant(matching(row).length > 0))])
  return { columns, rows }
}

function emptyRow(columns: readonly RelColumn[]): Row {
  return columns.map(() => publicCell(nullConstant))
}

/** For a row of the left side, the places of the rows on the right that the condition is true for. */
function matcher(condition: Expr | undefined, left: Table, right: Table): (row: Row) => readonly number[] {
  const { keys, rest } = splitCondition(condition, left.columns, right.columns)
  const positions = positionsOf([...left.columns, ...right.columns])
  const conditions = rest.map((part) => rowFunction(part, positions))
  const holds = (row: Row, index: number): boolean =>
    conditions.length === 0 || isTrue(conditions, [...row, ...(right.rows[index] ?? [])])
  const everything = right.rows.map((_, index) => index)
  if (keys.length === 0) return (row) => everything.filter((index) => holds(row, index))
  const [leftAt, rightAt] = [positionsOf(left.columns), positionsOf(right.columns)]
  const sides = keys.map(({ ofLeft, ofRight }) => ({
    wide: widening([ofLeft.domain.type, ofRight.domain.type]),
    left: rowFunction(ofLeft, leftAt),
    right: rowFunction(ofRight, rightAt),
  }))
  const buckets = new Map<string, number[]>()
  right.rows.forEach((row, index) => {
    const key = joinKey(sides.map(({ wide, right: value }) => wide(value(row).value)))
    if (key === undefined) return
    const bucket = buckets.get(key)
    if (bucket === undefined) buckets.set(key, [index])
    else bucket.push(index)
  })
  return (row) => {
    const key = joinKey(sides.map(({ wide, left: value }) => wide(value(row).value)))
    const bucket = key === undefined ? undefined : buckets.get(key)
    return bucket?.filter((index) => holds(row, index)) ?? []
  }
}

function isTrue(conditions: readonly RowFunction[], row: Row): boolean {
  return conditions.every((condition) => truthOf(condition(row).value) === true)
}

/** NULL is equal to nothing. */
function joinKey(values: readonly Constant[]): string | undefined {
  return values.some(({ kind }) => kind === "null") ? undefined : keyOf(values)
}

interface KeyPair {
  readonly ofLeft: Expr
  readonly ofRight: Expr
}

/** The equalities between the sides, and everything else. */
function splitCondition(
  condition: Expr | undefined,
  left: readonly RelColumn[],
  right: readonly RelColumn[],
): { readonly keys: readonly KeyPair[]; readonly rest: readonly Expr[] } {
  const keys: KeyPair[] = []
  const rest: Expr[] = []
  const [ofLeft, ofRight] = [left, right].map((columns) => new Set(columns.map(({ id }) => id)))
  const isOf = (expr: Expr, side: ReadonlySet<number> | undefined): boolean =>
    [...columnsIn(expr)].every((id) => side?.has(id) === true)
  for (const part of conjunctsOf(condition)) {
    const [a, b] = part.kind === "call" && part.name === "equal" ? part.args : []
    if (a !== undefined && b !== undefined && isOf(a, ofLeft) && isOf(b, ofRight))
      keys.push({ ofLeft: a, ofRight: b })
    else if (a !== undefined && b !== undefined && isOf(b, ofLeft) && isOf(a, ofRight))
      keys.push({ ofLeft: b, ofRight: a })
    else rest.push(part)
  }
  return { keys, rest }
}
