// An answer as the wire shows it: columns with their types, rows of values. An interval is two more columns.
// A count below the threshold is NULL, and a notice says so, because NULL alone could be anything.

import type { AnswerCell, AnswerColumn, AnswerTable, AnswerValue } from "@dosimeter/engine"
import { notesOf, type AnsweredInStages } from "../../../answers/answer-value.ts"
import { encodeValue, wireTypeOf, wireTypes, type WireType } from "./wire-types.ts"
import { dataRow, type WireColumn } from "./write-messages.ts"

/** A column of a result. */
export interface ResultColumn {
  readonly name: string
  readonly type: WireType
}

/** What a statement gives. */
export interface WireResult {
  readonly columns: readonly ResultColumn[]
  readonly rows: readonly (readonly AnswerValue[])[]
  /** Such as "SELECT", to which the number of rows is added. */
  readonly tag: string
  readonly notices: readonly string[]
  /** Parameters of the session that changed. */
  readonly statuses?: readonly (readonly [name: string, value: string])[]
}

/** The intervals that stand beside numbers: with what bounding left out, or of the noise alone. */
export type ShownIntervals = "whole" | "noise" | undefined

/** The columns that an answer will have. */
export function resultColumns(
  columns: readonly AnswerColumn[],
  intervals: ShownIntervals,
): readonly ResultColumn[] {
  return columns.flatMap((column) => {
    const own: ResultColumn = { name: column.name, type: wireTypeOf(column.type) }
    if (!hasInterval(column, intervals)) return [own]
    const ends = ["low", "high"].map((end) => ({ name: `${column.name}_${end}`, type: wireTypes.float }))
    return [own, ...ends]
  })
}

/** An answer as a result. */
export function resultOf(table: AnswerTable, intervals: ShownIntervals): WireResult {
  const { columns, rows } = table
  const wide = columns.map((column) => hasInterval(column, intervals))
  const hidden = rows.reduce((sum, row) => sum + row.filter(isHidden).length, 0)
  const notices =
    hidden === 0
      ? []
      : [`values below the owner's threshold: ${hidden}; each is NULL here, which does not mean zero`]
  return {
    columns: resultColumns(columns, intervals),
    rows: rows.map((row) =>
      row.flatMap((cell, index) => valuesOf(cell, wide[index] === true ? intervals : undefined)),
    ),
    tag: "SELECT",
    notices: [...notices, ...notesOf(table)],
  }
}

/** Bounds that were learnt (what is beyond counts as their ends), looks that were paid, what they gave. */
export function stageNotices({ learnt = [], earlier = [], reached }: AnsweredInStages): readonly string[] {
  const looks = earlier.flatMap(({ name, recorded }) => {
    const { origin, receipt } = recorded
    const isPaid = origin === "released" && receipt.format !== undefined
    return isPaid ? [`${name}: epsilon ${Number(Number(receipt.epsilon).toPrecision(4))}`] : []
  })
  return [
    ...learnt.map(({ label, low, high }) => `${label} from ${low} to ${high}, learnt`),
    ...looks,
    ...(reached === undefined || reached.of < 2
      ? []
      : [`the error is as wanted in ${reached.inside} of ${reached.of} groups`]),
  ]
}

/** A result of texts. */
export function textResult(
  names: readonly string[],
  rows: readonly (readonly string[])[],
  tag: string,
): WireResult {
  return { columns: names.map((name) => ({ name, type: wireTypes.text })), rows, tag, notices: [] }
}

/** The columns in the formats that a client asked for: none means text, one is for all. */
export function inFormats(
  columns: readonly ResultColumn[],
  formats: readonly number[],
): readonly WireColumn[] {
  return columns.map(({ name, type }, index) => {
    const format = formats.length === 1 ? formats[0] : formats[index]
    return { name, type: type.oid, size: type.size, format: format === 1 ? "binary" : "text" }
  })
}

/** One row as bytes. */
export function encodeRow(
  row: readonly AnswerValue[],
  columns: readonly ResultColumn[],
  formats: readonly number[],
): Buffer {
  const shown = inFormats(columns, formats)
  return dataRow(
    columns.map(({ type }, index) => encodeValue(row[index] ?? null, type, shown[index]?.format ?? "text")),
  )
}

function hasInterval({ kind, type }: AnswerColumn, intervals: ShownIntervals): boolean {
  const isNumber = /^(integer|decimal|float)/.test(type)
  return intervals !== undefined && kind !== "key" && isNumber
}

function isHidden({ state }: AnswerCell): boolean {
  return state === "below-threshold"
}

function valuesOf(cell: AnswerCell, intervals: ShownIntervals): readonly AnswerValue[] {
  if (isHidden(cell)) return intervals === undefined ? [null] : [null, null, null]
  // An end that is absent belongs to a number without noise: it is that number.
  const { value, low = value, high = value } = cell
  if (intervals === undefined) return [value]
  const { noiseLow = low, noiseHigh = high } = cell
  return intervals === "noise" ? [value, noiseLow, noiseHigh] : [value, low, high]
}
