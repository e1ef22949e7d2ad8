// The rows of a training as a question: what its columns hold, as numbers that a sum may add up, so that the
// question's proof is one about these rows.

import { numberNear, type Rational } from "@dosimeter/core/exact"
import { assert } from "@dosimeter/core/errors"
import { columnsOfRows, type RowColumn } from "@dosimeter/language/bind/bind"
import { parse } from "@dosimeter/language/parse/parse"
import { fail as failModel } from "@dosimeter/ml/errors"
import type { CompileOptions } from "@dosimeter/planner/compile"
import type { Domain } from "@dosimeter/proof/catalog/domain"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import { showDay } from "@dosimeter/proof/catalog/civil-date"
import { writeName } from "@dosimeter/proof/spell/literal"
import type { VerifiedPlan } from "@dosimeter/proof/verify/verify"
import { fail } from "../errors.ts"
import {
  isTelling,
  needs,
  type Held,
  type ListedValue,
  type ModelColumn,
  type ModelKind,
  type TellingKind,
} from "./model-columns.ts"

/** More columns than this are refused. */
const columnsMax = 200
/** A list with more values than this is no column of a model. */
const valuesMax = 200

/** The columns of a SELECT, by their declared domains alone; the target is read as its model needs it. */
export function columnsOfFeatures(
  sql: string,
  subject: { readonly kind: ModelKind; readonly target?: string },
  options: CompileOptions,
): readonly ModelColumn[] {
  const { catalog, grammar } = options
  const found = columnsOfRows(parse(sql, grammar).query, { catalog, parameters: [] })
  if (found.length > columnsMax)
    failModel("model/too-many-features", { got: `${found.length}`, limit: `${columnsMax}` })
  const names = found.map(({ name }) => name)
  const twice = names.find((name, place) => names.indexOf(name) !== place)
  if (twice !== undefined) return fail("training/same-name", { name: twice })
  const { kind, target } = subject
  return found.map((column) =>
    column.name === target && isTelling(kind) ? targetColumn(column, kind) : featureColumn(column),
  )
}

function featureColumn(column: RowColumn): ModelColumn {
  const { name, domain } = column
  const listed = listOf(domain)
  if (listed !== undefined && !isScale(listed)) {
    if (listed.length > valuesMax) return failModel("model/unbounded-feature", { name })
    if (listed.length < 2) return failModel("model/constant-feature", { name })
    return { kind: "listed", name, values: listed, hasMissing: domain.nullable }
  }
  return numberColumn(column)
}

// What is in no class, or is none of the listed values, says nothing.
function targetColumn(column: RowColumn, family: TellingKind): ModelColumn {
  const { name, domain } = column
  const listed = listOf(domain)
  const isCurve = family === "boosting" && listed?.length !== 2 && domain.range !== undefined
  const isNumber = family === "linear" || family === "poisson" || isCurve
  if (isNumber && domain.range !== undefined) return numberColumn(column)
  if (listed === undefined || isNumber)
    return failModel("model/wrong-target", { family, needs: needs[family] })
  const isOpen = domain.type.kind !== "boolean" && domain.isComplete !== true
  return { kind: "listed", name, values: listed, hasMissing: domain.nullable || isOpen }
}

function numberColumn({ name, domain }: RowColumn): ModelColumn {
  const { type, range, nullable } = domain
  const isNumber = type.kind === "integer" || type.kind === "decimal" || type.kind === "float"
  if (!isNumber) return fail("training/no-number", { name, type: type.kind })
  if (range?.min.declared !== true || !range.max.declared) {
    return failModel("model/unbounded-feature", { name })
  }
  const [low, high] = [numberNear(range.min.value), numberNear(range.max.value)]
  if (!(low < high)) return failModel("model/constant-feature", { name })
  return { kind: "number", name, low, high, hasMissing: nullable }
}

function listOf({ type, values }: Domain): readonly ListedValue[] | undefined {
  const listed = values?.flatMap(plainValue)
  // What is always true, or never told, is known to be so.
  if (type.kind === "boolean") return listed !== undefined && listed.length < 2 ? listed : [false, true]
  const numbers = listed?.flatMap((value) => (typeof value === "number" ? [value] : []))
  return numbers?.length === listed?.length ? numbers?.toSorted((a, b) => a - b) : listed
}

// Numbers at equal distances are a scale, such as 0 and 1 or ages; others are codes, such as 8507 and 8532.
function isScale(values: readonly ListedValue[]): boolean {
  const numbers = values.flatMap((value) => (typeof value === "number" ? [value] : []))
  if (numbers.length !== values.length) return false
  const [first = 0, second = 0] = numbers
  if (numbers.length === 2) return first === 0 && second === 1
  const step = second - first
  return numbers.length > 2 && numbers.every((value, place) => value === first + place * step)
}

function plainValue(value: Constant): readonly ListedValue[] {
  switch (value.kind) {
    case "text":
    case "boolean":
      return [value.value]
    case "number":
      return [numberNear(value.value)]
    case "date":
      return [showDay(value.day)]
    case "null":
    case "timestamp":
    case "interval":
      return []
    default:
      return value satisfies never
  }
}

/**
 * The question whose proof is about the rows: a sum for each number that is read. A comment may end the
 * SELECT, so a new line does.
 */
export function rowsSql(sql: string, columns: readonly ModelColumn[]): string {
  const read = columns.flatMap(readsOf).map((expr, place) => `${expr} AS v${place}`)
  const sums = read.map((_, place) => `SUM(v${place}) AS s${place}`)
  return `SELECT ${sums.join(", ")} FROM (SELECT ${read.join(", ")} FROM (${sql}\n) AS records) AS numbers`
}

// A number and whether it is missing, or the place of a value in its list.
function readsOf(column: ModelColumn): readonly string[] {
  const name = writeName(column.name)
  if (column.kind === "number") {
    return column.hasMissing ? [name, `CASE WHEN ${name} IS NULL THEN 1 ELSE 0 END`] : [name]
  }
  const { values, hasMissing } = column
  const whens = values.flatMap((value, place) =>
    place === 0 && !hasMissing ? [] : [`WHEN ${name} = ${literal(value)} THEN ${place}`],
  )
  // Where nothing may be missing, what is not listed counts as the first value.
  return [`CASE ${whens.join(" ")} ELSE ${hasMissing ? values.length : 0} END`]
}

function literal(value: ListedValue): string {
  if (typeof value === "boolean") return value ? "TRUE" : "FALSE"
  return typeof value === "number" ? `${value}` : `'${value.replaceAll("'", "''")}'`
}

/** Where a number that is read stands in the rows, and what a step of it is worth. */
export interface ReadPlace {
  readonly place: number
  readonly grid: Rational
}

/** Where the numbers of the question stand in the rows of its plan, in their order. */
export function placesOf({ releases }: VerifiedPlan): readonly ReadPlace[] {
  const [release] = releases
  const [extract] = release?.extracts ?? []
  assert(release !== undefined && extract?.rel.kind === "aggregate", "the rows of a training are added up")
  const { rel } = extract
  const summed = rel.items.flatMap(({ function: name, argument }, index) =>
    name === "sum" ? [{ id: rel.columns[rel.keys.length + index]?.id, argument }] : [],
  )
  return release.readings.map((reading) => {
    const measured = reading.kind === "linear" ? release.measurements[reading.measurement] : undefined
    const id = measured?.kind === "linear" ? measured.columns[0]?.id : undefined
    const place = summed.findIndex((one) => one.id === id)
    const argument = summed[place]?.argument
    assert(argument?.kind === "steps", "a number of a training is in steps of a grid")
    return { place, grid: argument.grid }
  })
}

/** Reads what the columns hold in a row from its numbers. */
export function readerOf(
  columns: readonly ModelColumn[],
  places: readonly ReadPlace[],
  rows: readonly Float64Array[],
): (row: number, column: number) => Held {
  const steps = places.map(({ place, grid }) => ({ values: rows[place], step: numberNear(grid) }))
  let next = 0
  const starts = columns.map((column) => {
    const start = next
    next += column.kind === "number" && column.hasMissing ? 2 : 1
    return start
  })
  const numberAt = (row: number, at: number): number => {
    const { values, step = 1 } = steps[at] ?? {}
    return (values?.[row] ?? 0) * step
  }
  return (row, place) => {
    const [column, start = 0] = [columns[place], starts[place]]
    const value = numberAt(row, start)
    if (column?.kind === "number")
      return column.hasMissing && numberAt(row, start + 1) > 0 ? undefined : value
    return value < (column?.values.length ?? 0) ? value : undefined
  }
}
