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

/** More features, or categories of one, are not learnt from: tables of them would fill the memory. */
const featuresMax = 2000
const categoriesMax = 4096
/** More classes of a target, for the same reason. */
const classesMax = 100

/** Tables of a model hold at most so many counts, */
const countsMax = 2 ** 24
/** and where a ledger pays for them so many: each unit's vector is held to its bound by itself. */
const paidCountsMax = 2 ** 21

/** Refuses a model whose tables would hold more counts than there is room for. */
export function checkCounts(name: string, counts: number, most = countsMax): void {
  if (counts > most) fail("model/bad-setting", { name, got: `${counts}`, range: `at most ${most}` })
}

/** The same of a model that a ledger pays for, before it does. */
export function checkPaidCounts(name: string, counts: number): void {
  checkCounts(name, counts, paidCountsMax)
}

/** Refuses features that nothing can be learnt from within a known loss. */
export function checkFeatures(features: readonly ColumnSpec[]): void {
  if (features.length === 0) fail("model/no-features", {})
  if (features.length > featuresMax)
    fail("model/too-many-features", { got: `${features.length}`, limit: `${featuresMax}` })
  const names = new Set<string>()
  for (const feature of features) {
    checkColumn(feature)
    if (names.has(feature.name)) fail("model/same-name", { name: feature.name })
    names.add(feature.name)
  }
}

/** Refuses a column that is unbounded, or can hold one value only. */
export function checkColumn(column: ColumnSpec): void {
  const { name } = column
  if (column.kind === "category") {
    if (!Number.isSafeInteger(column.categories)) fail("model/unbounded-feature", { name })
    if (column.categories < 2) fail("model/constant-feature", { name })
    checkMost(column, categoriesMax)
    return
  }
  if (!Number.isFinite(column.low) || !Number.isFinite(column.high) || !(column.high - column.low < Infinity))
    fail("model/unbounded-feature", { name })
  if (!(column.low < column.high)) fail("model/constant-feature", { name })
}

function checkMost({ name, categories }: CategoryColumn, most: number): void {
  if (categories <= most) return
  fail("model/bad-setting", {
    name: `the number of categories of ${name}`,
    got: `${categories}`,
    range: `a whole number from 2 to ${most}`,
  })
}

/** Refuses a target with fewer than two classes, or numbers without a range. */
export function checkTarget(target: ColumnSpec): void {
  if (target.kind === "category" && target.categories < 2) fail("model/one-class", { name: target.name })
  checkColumn(target)
  if (target.kind === "category") checkMost(target, classesMax)
}

/** A value as a number from -1 to 1 over the declared range; the middle of it where it is missing. */
export function scaled(value: number, { low, high }: NumberColumn): number {
  if (Number.isNaN(value)) return 0
  const clamped = Math.min(high, Math.max(low, value))
  // The quotient first: twice a range may be more than a double holds.
  return 2 * ((clamped - low) / (high - low)) - 1
}

/** The category that a value stands for; undefined where it is missing or not in the list. */
export function categoryOf(value: number, { categories }: CategoryColumn): number | undefined {
  return Number.isInteger(value) && value >= 0 && value < categories ? value : undefined
}
