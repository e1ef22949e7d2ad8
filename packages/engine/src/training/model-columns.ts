// The columns of a model: what is declared of them, which features they become, and how a value is told.

import { fail as failModel } from "@dosimeter/ml/errors"
import type { ColumnSpec } from "@dosimeter/ml/columns/columns"
import { coordinatesOf } from "@dosimeter/ml/columns/points"
import type { Family, Ranged } from "@dosimeter/ml/regression/shape"

/** A model that tells a column from others: one of the regressions, curves, or naive Bayes. */
export type TellingKind = Family | "boosting" | "bayes"

/** A model of how rows lie, without a target: directions, or groups. */
export type PlacingKind = "components" | "k-means"

/** What a model is. */
export type ModelKind = TellingKind | PlacingKind

/** A value that a listed column may hold. */
export type ListedValue = string | number | boolean

/** A column as it was declared. Nothing in it is from the data. */
export type ModelColumn =
  | {
      readonly kind: "number"
      readonly name: string
      readonly low: number
      readonly high: number
      /** Whether values may be missing: a feature says so then. */
      readonly hasMissing: boolean
    }
  | {
      readonly kind: "listed"
      readonly name: string
      readonly values: readonly ListedValue[]
      /** Whether values may be missing. */
      readonly hasMissing: boolean
    }

/** The features of a column: a number as it is, a list as one of 0 and 1 for each value after the first. */
export function featuresOf(column: ModelColumn): readonly Ranged[] {
  const { name, hasMissing } = column
  const missing = hasMissing ? [{ name: `${name} is missing`, low: 0, high: 1 }] : []
  if (column.kind === "number") return [{ name, low: column.low, high: column.high }, ...missing]
  const flags = column.values.slice(1).map((value) => ({ name: flagName(column, value), low: 0, high: 1 }))
  return [...flags, ...missing]
}

// What is yes or no is named by itself.
function flagName({ name, values }: ModelColumn & { readonly kind: "listed" }, value: ListedValue): string {
  return isYesNo(values) ? name : `${name} = ${value}`
}

function isYesNo(values: readonly ListedValue[]): boolean {
  return values.length === 2 && values[0] === false && values[1] === true
}

/** The coordinates of columns, by name: a number is one, a list one for each value, or one of two values. */
export function coordinateNames(columns: readonly ModelColumn[]): readonly string[] {
  return coordinatesOf(columns.map(specOf)).map(({ column: place, category = 0 }) => {
    const column = columns[place]
    if (column?.kind !== "listed") return column?.name ?? ""
    return flagName(column, column.values[category] ?? "")
  })
}

/** How many features a column becomes. */
export function featureCount(column: ModelColumn): number {
  return (column.kind === "number" ? 1 : column.values.length - 1) + (column.hasMissing ? 1 : 0)
}

/** What a column holds in a row: a number or the place in the list; undefined where it is missing. */
export type Held = number | undefined

/** Writes the features of a column for what it holds. */
export function writeFeatures(
  column: ModelColumn,
  held: Held,
  out: { readonly to: Float64Array; readonly from: number },
): void {
  const { to, from } = out
  if (column.kind === "number") {
    to[from] = held ?? Number.NaN
    if (column.hasMissing) to[from + 1] = held === undefined ? 1 : 0
    return
  }
  const flags = column.values.length - 1
  for (let at = 0; at < flags; at += 1) to[from + at] = held === at + 1 ? 1 : 0
  if (column.hasMissing) to[from + flags] = held === undefined ? 1 : 0
}

/** The target as a model sees it: its range, and the classes that it tells apart. */
export interface ModelTarget {
  readonly column: ModelColumn
  readonly range: Ranged
  /** Of a model of classes: in the order of its outputs; all are compared with the first. */
  readonly classes: readonly string[]
}

/** What the target of each model is that has one. */
export const needs: Readonly<Record<TellingKind, string>> = {
  linear: "a number with a declared range",
  logistic: "true and false, 0 and 1, or one of two listed values",
  multinomial: "one of several listed values",
  poisson: "a count whose declared range begins at 0 or above",
  boosting: "true and false, 0 and 1, one of two listed values, or a number with a declared range",
  bayes: "one of several listed values",
}

/** Whether a model tells a column. */
export function isTelling(kind: ModelKind): kind is TellingKind {
  return Object.hasOwn(needs, kind)
}

/** The target of a model. Refused where the column is none for it. */
export function targetOf(family: TellingKind, column: ModelColumn): ModelTarget {
  const { name } = column
  const wrong = (): never => failModel("model/wrong-target", { family, needs: needs[family] })
  const isNumber = family === "boosting" && column.kind === "number"
  if (family === "linear" || family === "poisson" || isNumber) {
    if (column.kind !== "number") return wrong()
    return { column, range: { name, low: column.low, high: column.high }, classes: [] }
  }
  if (column.kind === "number") return wrong()
  const { values } = column
  if (values.length < 2) return failModel("model/one-class", { name })
  if ((family === "logistic" || family === "boosting") && values.length > 2) return wrong()
  return { column, range: { name, low: 0, high: values.length - 1 }, classes: values.map(String) }
}

/** A column as learners of bins and categories read it: a value that is missing is NaN. */
export function specOf(column: ModelColumn): ColumnSpec {
  const { name } = column
  if (column.kind === "number") return { kind: "number", name, low: column.low, high: column.high }
  return { kind: "category", name, categories: column.values.length }
}

/** Reads a value that people wrote, such as a cell of a CSV file; undefined where none is told. */
export function heldOf(column: ModelColumn, text: string | undefined): Held {
  if (text === undefined || text.trim() === "") return undefined
  if (column.kind === "number") {
    const value = Number(text)
    return Number.isFinite(value) ? value : undefined
  }
  const place = column.values.findIndex((value) =>
    typeof value === "string"
      ? value === text
      : typeof value === "number"
        ? value === Number(text)
        : (yesNo.get(text.trim().toLowerCase()) ?? text) === value,
  )
  return place < 0 ? undefined : place
}

const yesNo: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["t", true],
  ["yes", true],
  ["1", true],
  ["false", false],
  ["f", false],
  ["no", false],
  ["0", false],
])
