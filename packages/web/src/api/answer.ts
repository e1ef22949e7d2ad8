// A released table as the server sends it, as far as the screens draw it.

import type { AnswerNote } from "@dosimeter/answers/shown/answer-note"
import { csvText } from "@dosimeter/answers/shown/csv-text"

/** A value: a number where a double holds it exactly, a text otherwise. */
export type AnswerValue = string | number | boolean | null

/** One cell. Without noise there is no interval; an end that is null is open. */
export interface AnswerCell {
  readonly value: AnswerValue
  readonly low?: AnswerValue | undefined
  readonly high?: AnswerValue | undefined
  /** The interval of the noise alone, where what bounding left out is in the other one. */
  readonly noiseLow?: AnswerValue | undefined
  readonly noiseHigh?: AnswerValue | undefined
  readonly leftOut?: AnswerValue | undefined
  readonly state: "released" | "below-threshold"
}

/** One column. */
export interface AnswerColumn {
  readonly name: string
  readonly type: string
  readonly kind: "key" | "noisy" | "derived"
  readonly mechanism?: string | undefined
  /** What the intervals say of bounding. */
  readonly bounding?: "all-counts" | "proven" | "estimate" | "too-much" | "noise-only" | undefined
}

/** A table: rows by the names of their columns. */
export interface Answer {
  readonly columns: readonly AnswerColumn[]
  readonly rows: readonly Readonly<Record<string, AnswerCell>>[]
  /** What the intervals cover, and what is not shown. */
  readonly noteFacts?: readonly AnswerNote[] | undefined
}

/** Whether a column holds numbers that were measured or worked out, not a group. */
export function isMeasured({ type, kind }: AnswerColumn): boolean {
  return kind !== "key" && /^(integer|decimal|float|numeric|bigint|double)/.test(type)
}

/** Whether what bounding left out is in the intervals of a column, so that those of the noise are others. */
export function isWhole(bounding: AnswerColumn["bounding"]): bounding is "proven" | "estimate" | "too-much" {
  return bounding === "proven" || bounding === "estimate" || bounding === "too-much"
}

/**
 * The answer as CSV with the ends of intervals, those of the noise alone where they are others, what is left
 * out, and what the intervals say of bounding. What is below the threshold is empty in its column, and a
 * column beside it says so where there is such a number.
 */
export function answerCsv({ columns, rows }: Answer): string {
  const isBelow = (name: string): boolean => rows.some((row) => row[name]?.state === "below-threshold")
  const shown = columns.map(({ name, kind, bounding }) => ({
    name,
    isKey: kind === "key",
    hasState: isBelow(name),
    hasParts: isWhole(bounding),
    hasLeftOut: rows.some((row) => row[name]?.leftOut !== undefined),
    bounding: bounding ?? "",
  }))
  const head = shown.flatMap(({ name, isKey, hasState, hasParts, hasLeftOut, bounding }) => [
    name,
    ...(isKey ? [] : [`${name}_low`, `${name}_high`]),
    ...(hasParts ? [`${name}_noise_low`, `${name}_noise_high`] : []),
    ...(hasLeftOut ? [`${name}_left_out`] : []),
    ...(bounding === "" ? [] : [`${name}_bounding`]),
    ...(hasState ? [`${name}_state`] : []),
  ])
  const lines = rows.map((row) =>
    shown.flatMap(({ name, isKey, hasState, hasParts, hasLeftOut, bounding }) => {
      const cell = row[name] ?? missing
      return [
        csvValue(cell.state === "below-threshold" ? null : cell.value),
        ...(isKey ? [] : [csvValue(cell.low ?? null), csvValue(cell.high ?? null)]),
        ...(hasParts ? [csvValue(cell.noiseLow ?? null), csvValue(cell.noiseHigh ?? null)] : []),
        ...(hasLeftOut ? [csvValue(cell.leftOut ?? null)] : []),
        ...(bounding === "" ? [] : [bounding]),
        ...(hasState ? [cell.state] : []),
      ]
    }),
  )
  return [head.map(csvText), ...lines].map((cells) => `${cells.join(",")}\r\n`).join("")
}

/** The cell of a row that lacks a column. */
export const missing: AnswerCell = { value: null, state: "released" }

function csvValue(value: AnswerValue): string {
  if (value === null) return ""
  return typeof value === "string" ? csvText(value) : `${value}`
}
