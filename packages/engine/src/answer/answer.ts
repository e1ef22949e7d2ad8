// From the table that post-processing gave to the answer that leaves.

import { compare, numberNear, rationalOfNumber, type Rational } from "@dosimeter/core/exact"
import { boundingOf } from "@dosimeter/answers/cells/bounding-of-cell"
import type { LeftOut } from "@dosimeter/answers/cells/left-out"
import { intervalOfCell, type CellInterval } from "@dosimeter/answers/intervals/interval-of-cell"
import { showDay, showMicros } from "@dosimeter/proof/catalog/civil-date"
import { showType } from "@dosimeter/proof/catalog/sql-type"
import type { Cell, Table } from "@dosimeter/answers/cells/table"
import type { ColumnId } from "@dosimeter/proof/algebra/expr"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import type { Reading } from "@dosimeter/proof/algebra/measurement"
import type { Release, ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import type { Rel } from "@dosimeter/proof/algebra/rel"
import type {
  AnswerCell,
  AnswerColumn,
  AnswerTable,
  AnswerValue,
  BoundingWord,
} from "@dosimeter/answers/shown/answer-table"
import { answerNotes, type NoiseOrigin } from "./answer-notes.ts"
import { choiceNoise, linearNoise } from "./strategies/published.ts"
import type { ColumnNoise } from "./strategies/strategy-answer.ts"

/** The table that post-processing gave, as it leaves. */
export function answerOf(table: Table, plan: ReleasePlan, noise: NoiseOrigin = "its own"): AnswerTable {
  const confidence = numberNear(plan.confidence)
  const planned = answerColumns(plan)
  const columns = (noise === "its own" ? planned : planned.map(workedOut)).map((column, index) => ({
    ...column,
    ...boundingOfColumn(table.rows.flatMap((row) => row[index] ?? [])),
  }))
  const places = columns.map(({ type, kind, bounding }) => ({
    confidence,
    isWhole: type === "integer",
    isOwn: kind === "noisy",
    bounding,
  }))
  const rows = table.rows.map((row) =>
    row.flatMap((cell, index) => {
      const place = places[index]
      return place === undefined ? [] : [answerCell(cell, place)]
    }),
  )
  const notes = answerNotes({ columns, rows }, plan, noise)
  return { columns, rows, ...(notes.length === 0 ? {} : { notes }) }
}

/** What the intervals of a column say of bounding: the least that those of its cells do. */
function boundingOfColumn(cells: readonly Cell[]): { readonly bounding?: BoundingWord } {
  const noisy = cells.filter(({ spread }) => spread !== undefined && spread.kind !== "vague")
  if (noisy.length === 0) return {}
  const found = new Set(noisy.map(boundingOf))
  const bounding = (["noise-only", "estimate", "proven", "all-counts"] as const).find((word) =>
    found.has(word),
  )
  const isOpen = noisy.some(({ spread }) => spread?.kind === "linear" && isOpenRange(spread.leftOut))
  return bounding === undefined ? {} : { bounding: bounding === "estimate" && isOpen ? "too-much" : bounding }
}

function isOpenRange(leftOut: LeftOut | undefined): boolean {
  return leftOut?.kind === "range" && (leftOut.high === Infinity || leftOut.low === -Infinity)
}

// A number that comes from several draws has no scale of its own.
function workedOut({ name, type, kind }: AnswerColumn): AnswerColumn {
  return { name, type, kind: kind === "key" ? "key" : "derived" }
}

/** The columns of the answer to a plan: nothing in them depends on data. */
export function answerColumns(plan: ReleasePlan): readonly AnswerColumn[] {
  return plan.post.columns.map(({ id, domain }, index) => ({
    name: plan.outputNames[index] ?? "",
    type: showType(domain.type),
    ...originOf(id, plan),
  }))
}

/** What a cell is shown with. */
interface CellPlace {
  readonly confidence: number
  readonly isWhole: boolean
  /** Whether the number has noise of its own. */
  readonly isOwn: boolean
  readonly bounding: BoundingWord | undefined
}

function answerCell(cell: Cell, { confidence, isWhole, isOwn, bounding }: CellPlace): AnswerCell {
  const { state } = cell
  if (state === "below-threshold") return { value: null, state }
  const value = answerValue(cell.value)
  // A column is of one kind: where a cell of it cannot be followed, all are of the noise.
  const noise = intervalOfCell(cell, confidence, "noise")
  if (noise === undefined) return { value, state }
  const ends = (interval: CellInterval): readonly [AnswerValue, AnswerValue] => {
    const { low, high } = interval
    // Of whole numbers the ends are whole too, rounded away from each other.
    return [
      answerEnd(cell, isWhole ? Math.floor(low) : low),
      answerEnd(cell, isWhole ? Math.ceil(high) : high),
    ]
  }
  const [noiseLow, noiseHigh] = ends(noise)
  const whole = isCovered(bounding) ? intervalOfCell(cell, confidence) : undefined
  if (whole === undefined) return { value, low: noiseLow, high: noiseHigh, state }
  const [low, high] = ends(whole)
  const most = isOwn && cell.spread?.kind === "linear" ? cell.spread.leftOut : undefined
  const leftOut = most?.kind === "range" ? { leftOut: answerEnd(cell, most.high) } : {}
  return { value, low, high, noiseLow, noiseHigh, ...leftOut, state }
}

/** Whether what is left out is in the intervals. */
function isCovered(bounding: BoundingWord | undefined): boolean {
  return bounding === "proven" || bounding === "estimate" || bounding === "too-much"
}

function answerEnd({ value }: Cell, bound: number): AnswerValue {
  if (!Number.isFinite(bound)) return null
  // Minus zero would be zero in the record.
  return value.kind === "date" ? showDay(BigInt(Math.round(bound))) : bound + 0
}

/** A constant as JSON. */
export function answerValue(value: Constant): AnswerValue {
  switch (value.kind) {
    case "null":
      return null
    case "boolean":
    case "text":
      return value.value
    case "number":
      return answerNumber(value.value)
    case "date":
      return showDay(value.day)
    case "timestamp":
      return showMicros(value.micros)
    case "interval":
      return `${value.months} months ${value.days} days ${value.micros} microseconds`
    default:
      return value satisfies never
  }
}

/**
 * A number if a double holds it exactly, else its decimals; a fraction without an end to them as the nearest
 * double.
 */
export function answerNumber(value: Rational): number | string {
  const near = numberNear(value)
  if (Number.isFinite(near) && compare(rationalOfNumber(near), value) === 0) return near
  for (let places = 0; places <= 30; places += 1) {
    const scale = 10n ** BigInt(places)
    if (scale % value.denominator !== 0n) continue
    const digits = (value.numerator * scale) / value.denominator
    const size = `${digits < 0n ? -digits : digits}`.padStart(places + 1, "0")
    const whole = size.slice(0, size.length - places)
    return `${digits < 0n ? "-" : ""}${whole}${places === 0 ? "" : `.${size.slice(-places)}`}`
  }
  return near
}

type Origin = Omit<AnswerColumn, "name" | "type">

function originOf(id: ColumnId, plan: ReleasePlan): Origin {
  const source = traceColumn(plan.post, id)
  if (source === undefined) return { kind: "derived" }
  const release = plan.releases[source.release]
  if (release === undefined) return { kind: "derived" }
  const keyCount = release.columns.length - release.readings.length
  const place = release.columns.indexOf(source.id)
  if (place < keyCount) return { kind: "key" }
  const reading = release.readings[place - keyCount]
  return reading === undefined ? { kind: "derived" } : { kind: "noisy", ...mechanismOf(reading, release) }
}

type Union = Extract<Rel, { readonly kind: "union" }>

function mechanismOf(reading: Reading, release: Release): Partial<Origin> {
  const { mechanism, scale, grid, sensitivity } = noiseOf(reading, release)
  return {
    ...(mechanism === undefined ? {} : { mechanism }),
    ...(scale === undefined ? {} : { scale }),
    ...(grid === undefined ? {} : { grid: answerNumber(grid) }),
    ...(sensitivity === undefined ? {} : { sensitivity: Number(sensitivity) }),
  }
}

function noiseOf(reading: Reading, release: Release): Partial<ColumnNoise> {
  switch (reading.kind) {
    case "linear": {
      const source = release.measurements[reading.measurement]
      return source?.kind === "linear" ? linearNoise(source, reading, release.keys) : {}
    }
    case "chosen": {
      const source = release.measurements[reading.measurement]
      return source?.kind === "choice" ? choiceNoise(source) : {}
    }
    case "key-count":
      return release.keys.kind === "private" ? { mechanism: release.keys.spec.kind } : {}
    default:
      return reading satisfies never
  }
}

/** The column of a release that an output column is, if it is one unchanged. */
function traceColumn(
  rel: Rel,
  id: ColumnId,
): { readonly release: number; readonly id: ColumnId } | undefined {
  switch (rel.kind) {
    case "released":
      return rel.columns.some((column) => column.id === id) ? { release: rel.release, id } : undefined
    case "filter":
    case "sort":
    case "window":
      return traceColumn(rel.input, id)
    case "project": {
      const item = rel.items[rel.columns.findIndex((column) => column.id === id)]
      return item?.kind === "column" ? traceColumn(rel.input, item.id) : undefined
    }
    case "join":
      return traceColumn(rel.left, id) ?? traceColumn(rel.right, id)
    case "mark":
      return traceColumn(rel.left, id)
    case "aggregate":
      return rel.keys.includes(id) ? traceColumn(rel.input, id) : traceFilter(rel, id)
    case "union":
      return traceUnion(rel, id)
    case "scan":
    case "values":
    case "boundary":
      return undefined
    default:
      return rel satisfies never
  }
}

/** Filters that were measured as one more key stand side by side: each cell is one of the release. */
function traceFilter(
  { input, keys, items, columns }: Extract<Rel, { readonly kind: "aggregate" }>,
  id: ColumnId,
): ReturnType<typeof traceColumn> {
  const summed = items[columns.findIndex((column) => column.id === id) - keys.length]
  if (summed?.function !== "sum" || summed.argument?.kind !== "column" || input.kind !== "project") {
    return undefined
  }
  const place = summed.argument.id
  const part = input.items[input.columns.findIndex((column) => column.id === place)]
  const [only, ...others] = part?.kind === "case" ? part.branches : []
  const [key] = only?.when.kind === "call" && only.when.name === "equal" ? only.when.args : []
  if (input.input.kind !== "released" || others.length > 0 || only?.result.kind !== "column") return undefined
  const [added, ...measured] = input.input.columns.slice(keys.length)
  const isOneKey = key?.kind === "column" && key.id === added?.id && measured.length === 1
  return isOneKey ? traceColumn(input.input, only.result.id) : undefined
}

/** The parts of a union may be groupings of one release: then a column of it is the release's. */
function traceUnion(union: Union, id: ColumnId): ReturnType<typeof traceColumn> {
  const place = union.columns.findIndex((column) => column.id === id)
  const found = union.inputs.flatMap((input) => {
    const item = input.kind === "project" ? input.items[place] : undefined
    if (item?.kind === "literal" && item.value.kind === "null") return []
    return [traceColumn(input, input.columns[place]?.id ?? -1)]
  })
  const [first] = found
  return found.every((one) => one?.release === first?.release && one?.id === first?.id) ? first : undefined
}
