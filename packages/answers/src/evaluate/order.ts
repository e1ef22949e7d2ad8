// Orders of rows: by keys, NULLs where they are told to go, and ties by all columns, so that a limit always
// cuts the same rows. Keys are compared as doubles where those decide, and read only if it comes to them.

import { numberNearest } from "@dosimeter/core/exact"
import { compareConstants } from "@dosimeter/proof/catalog/values-of"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import type { ColumnId } from "@dosimeter/proof/algebra/expr"
import type { RelColumn, SortKey } from "@dosimeter/proof/algebra/rel"
import { nullConstant } from "../values/doubles.ts"
import { rowFunction, type Positions } from "./evaluate-expression.ts"
import type { Row } from "../cells/table.ts"

/** Compares rows of a list, named by their places in it, by keys. Only values count, not the noise. */
export class RowOrder {
  readonly #rows: readonly Row[]
  readonly #orderBy: readonly SortKey[]
  readonly #positions: Positions
  readonly #keys: KeyValues[] = []

  constructor(rows: readonly Row[], orderBy: readonly SortKey[], positions: Positions) {
    this.#rows = rows
    this.#orderBy = orderBy
    this.#positions = positions
  }

  /** Places, in order; all of them unless some are given. */
  sorted(places: readonly number[] = this.#rows.map((_, index) => index)): readonly number[] {
    return places.toSorted((a, b) => this.compare(a, b))
  }

  /** Negative, 0 or positive, by the first `count` keys. */
  compare(a: number, b: number, count = this.#orderBy.length): number {
    for (let index = 0; index < count; index += 1) {
      const { near, isExact, sign, values, key } = this.#keys[index] ?? this.#read(index)
      const [x, y] = [near[a] ?? Number.NaN, near[b] ?? Number.NaN]
      // Rounding never swaps two numbers.
      if (x < y) return -sign
      if (x > y) return sign
      if (isExact && x === y) continue
      const order = compareKey(values[a] ?? nullConstant, values[b] ?? nullConstant, key)
      if (order !== 0) return order
    }
    return 0
  }

  #read(index: number): KeyValues {
    const key = this.#orderBy[index] ?? { value: nullKey, direction: "ascending", nulls: "last" }
    const value = rowFunction(key.value, this.#positions)
    const values = this.#rows.map((row) => value(row).value)
    const near = Float64Array.from(values, nearOf)
    const isExact = values.every((one, place) => isExactly(one, near[place] ?? Number.NaN))
    const read = { near, isExact, values, key, sign: key.direction === "descending" ? -1 : 1 } as const
    this.#keys[index] = read
    return read
  }
}

const nullKey: SortKey["value"] = {
  kind: "literal",
  value: nullConstant,
  domain: { type: { kind: "null" }, nullable: true },
}

/** One key of all rows. */
interface KeyValues {
  /** The nearest doubles of what is a number, a time or a truth; NaN for the rest. */
  readonly near: Float64Array
  /** Whether all that have a double are equal if their doubles are. */
  readonly isExact: boolean
  readonly values: readonly Constant[]
  readonly key: SortKey
  readonly sign: 1 | -1
}

function nearOf(value: Constant): number {
  switch (value.kind) {
    case "number":
      return numberNearest(value.value)
    case "boolean":
      return Number(value.value)
    case "date":
      return Number(value.day)
    case "timestamp":
      return Number(value.micros)
    default:
      return Number.NaN
  }
}

function isExactly(value: Constant, near: number): boolean {
  switch (value.kind) {
    case "number":
      return Number.isSafeInteger(near) && value.value.denominator === 1n
    case "timestamp":
      return Number.isSafeInteger(near)
    default:
      return true
  }
}

function compareKey(a: Constant, b: Constant, { direction, nulls }: SortKey): number {
  if (a.kind === "null" || b.kind === "null") {
    if (a.kind === b.kind) return 0
    return (a.kind === "null") === (nulls === "first") ? -1 : 1
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
