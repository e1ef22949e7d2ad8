// Orders of rows: by keys, NULLs where they are told to go, and ties by all columns, so that a limit always
// cuts the same rows.

import { compareConstants } from "../catalog/values-of.ts"
import type { Constant } from "../catalog/constant.ts"
import type { ColumnId } from "../ir/expr.ts"
import type { RelColumn, SortKey } from "../ir/rel.ts"
import { nearestDouble } from "./doubles.ts"
import { rowFunction, type Positions } from "./evaluate-expression.ts"
import type { Row } from "./table.ts"

/** A row with the values that it is sorted by. */
export interface Keyed {
  readonly row: Row
  /** Where the row stood. */
  readonly index: number
  readonly keys: readonly Constant[]
  /** The double nearest to the first key, if that is a number: it decides most comparisons. */
  readonly near: number
}

/** The values of keys, for each row. Only values count, not the noise in them. */
export function keyed(
  rows: readonly Row[],
  orderBy: readonly SortKey[],
  positions: Positions,
): readonly Keyed[] {
  const functions = orderBy.map(({ value }) => rowFunction(value, positions))
  return rows.map((row, index) => {
    const keys = functions.map((one) => one(row).value)
    const [first] = keys
    return { row, index, keys, near: first?.kind === "number" ? nearestDouble(first.value) : Number.NaN }
  })
}

/** Compares rows by the first `count` of their keys. */
export function comparing(
  orderBy: readonly SortKey[],
  count = orderBy.length,
): (a: Keyed, b: Keyed) => number {
  const used = orderBy.slice(0, count)
  const sign = used[0]?.direction === "descending" ? -1 : 1
  return (a, b) => {
    // Rounding never swaps two numbers.
    if (used.length > 0 && a.near < b.near) return -sign
    if (used.length > 0 && a.near > b.near) return sign
    for (const [index, key] of used.entries()) {
      const order = compareKey(a.keys[index], b.keys[index], key)
      if (order !== 0) return order
    }
    return 0
  }
}

function compareKey(a: Constant | undefined, b: Constant | undefined, { direction, nulls }: SortKey): number {
  const [noA, noB] = [a === undefined || a.kind === "null", b === undefined || b.kind === "null"]
  if (a === undefined || b === undefined || noA || noB) {
    if (noA && noB) return 0
    return noA === (nulls === "first") ? -1 : 1
  }
  return direction === "ascending" ? compareConstants(a, b) : compareConstants(b, a)
}

/** All columns but some, ascending: what breaks ties. */
export function tieKeys(
  columns: readonly RelColumn[],
  but: ReadonlySet<ColumnId> = new Set(),
): readonly SortKey[] {
  return columns
    .filter(({ id }) => !but.has(id))
    .map(({ id, domain }) => ({
      value: { kind: "column", id, domain },
      direction: "ascending",
      nulls: "last",
    }))
}
