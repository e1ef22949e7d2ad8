// Columns as learners read them. What a column may hold is declared; nothing is learnt of it by looking, and
// whatever else is found in the data counts as the nearest value or as missing.

import { fail } from "../errors.ts"

/** Numbers in a declared range. */
export interface NumberColumn {
  readonly kind: "number"
  readonly name: string
  readonly low: number
  readonly high: number
}

/** One of so many listed categories, by its place in the list. */
export interface CategoryColumn {
  readonly kind: "category"
  readonly name: string
  readonly categories: number
}

/** What is declared of a column. */
export type ColumnSpec = NumberColumn | CategoryColumn

/** The values of all units, a column at a time, one row a unit. NaN is missing. */
export interface Examples {
  readonly rows: number
  readonly features: readonly Float64Array[]
  readonly target: Float64Array
}

/** Refuses features that nothing can be learnt from within a known loss. */
export function checkFeatures(features: readonly ColumnSpec[]): void {
  if (features.length === 0) fail("model/no-features", {})
  for (const feature of features) checkColumn(feature)
}

/** Refuses a column that is unbounded, or can hold one value only. */
export function checkColumn(column: ColumnSpec): void {
  const { name } = column
  if (column.kind === "category") {
    if (!Number.isSafeInteger(column.categories)) fail("model/unbounded-feature", { name })
    if (column.categories < 2) fail("model/constant-feature", { name })
    return
  }
  if (!Number.isFinite(column.low) || !Number.isFinite(column.high) || !(column.high - column.low < Infinity))
    fail("model/unbounded-feature", { name })
  if (!(column.low < column.high)) fail("model/constant-feature", { name })
}

/** Refuses a target with fewer than two classes, or numbers without a range. */
export function checkTarget(target: ColumnSpec): void {
  if (target.kind === "category" && target.categories < 2) fail("model/one-class", { name: target.name })
  checkColumn(target)
}

/** A value as a number from -1 to 1 over the declared range; the middle of it where it is missing. */
export function scaled(value: number, { low, high }: NumberColumn): number {
  if (Number.isNaN(value)) return 0
  const clamped = Math.min(high, Math.max(low, value))
  return (2 * (clamped - low)) / (high - low) - 1
}

/** The category that a value stands for; undefined where it is missing or not in the list. */
export function categoryOf(value: number, { categories }: CategoryColumn): number | undefined {
  return Number.isInteger(value) && value >= 0 && value < categories ? value : undefined
}
