// Columns of synthetic data: what values each may have, as codes. All of it is declared; nothing depends on
// the data.

import { binEdges, binOf, type NumberRange } from "./number-bins.ts"
import type { SeededNumbers } from "./seeded-numbers.ts"
import type { Attribute } from "./rounds.ts"

/** A value of a row; null where it is missing. Dates are days since 1970-01-01. */
export type SyntheticValue = string | number | boolean | null

/** A column, and what its codes stand for. A last code is for values that are missing, or not listed. */
export type SyntheticColumn = {
  readonly name: string
  readonly hasMissing: boolean
} & (
  | { readonly kind: "listed"; readonly values: readonly (string | number | boolean)[] }
  | {
      readonly kind: "numbers"
      readonly type: "integer" | "decimal" | "date"
      readonly step: number | undefined
      /** As binEdges gives them. */
      readonly edges: readonly number[]
    }
)

/** A column of numbers in bins; every cut is the edge of one. */
export function numberColumn(
  name: string,
  range: NumberRange & { readonly type: "integer" | "decimal" | "date"; readonly hasMissing: boolean },
  cuts: readonly number[],
): SyntheticColumn {
  const { type, hasMissing, step } = range
  return { kind: "numbers", name, type, hasMissing, step, edges: binEdges(range, cuts) }
}

/** How many codes a column has. */
export function codeCount(column: SyntheticColumn): number {
  const own = column.kind === "listed" ? column.values.length : column.edges.length - 1
  return own + (column.hasMissing ? 1 : 0)
}

/** The column as the rounds see it. */
export function attributeOf(column: SyntheticColumn): Attribute {
  const { name, hasMissing, kind } = column
  return { name, size: codeCount(column), isOrdered: kind === "numbers", hasMissing }
}

/** A value that a code stands for: of a bin any of its values, all alike. */
export function valueOf(column: SyntheticColumn, code: number, random: SeededNumbers): SyntheticValue {
  if (column.hasMissing && code === codeCount(column) - 1) return null
  if (column.kind === "listed") return column.values[code] ?? null
  const { edges, step } = column
  const low = edges[code] ?? 0
  const high = edges[code + 1] ?? low
  const isLast = code === edges.length - 2
  if (step === undefined) return low + (high - low) * random.next()
  const places = Math.max(1, Math.round((high - low) / step + (isLast ? 1 : 0)))
  return Number((low + Math.floor(random.next() * places) * step).toPrecision(15))
}

/** The code of a value. */
export function codeOf(column: SyntheticColumn, value: SyntheticValue): number {
  const missing = codeCount(column) - 1
  if (value === null) return missing
  if (column.kind === "numbers") return binOf(column.edges, Number(value))
  const found = column.values.indexOf(value)
  return found < 0 ? missing : found
}
