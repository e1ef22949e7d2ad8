// An answer as a table for people: numbers to the right, each noisy one with how far off it may be.

import type { AnswerCell, AnswerColumn, AnswerTable } from "@dosimeter/engine"
import { pad, safeText, shorten, widthOf } from "./layout.ts"
import { fixedNumber, placesFor } from "./numbers.ts"

/** How a table is shown. */
export interface ShowOptions {
  /** Write every interval as [low, high]. */
  readonly intervals: boolean
  /** The width of the screen: longer texts are cut to fit. Without one nothing is cut. */
  readonly columns?: number
}

/** The lines of a table. */
export function showAnswer(table: AnswerTable, { intervals, columns }: ShowOptions): readonly string[] {
  const made = table.columns.map((column, index) =>
    showColumn(
      column,
      table.rows.map((row) => row[index] ?? missing),
      intervals,
    ),
  )
  const shown = columns === undefined ? made : fit(made, columns)
  const line = (parts: readonly string[]): string => parts.join("  ").trimEnd()
  return [
    line(shown.map(({ head }) => head)),
    line(shown.map(({ width }) => "-".repeat(width))),
    ...table.rows.map((_, row) => line(shown.map(({ cells, width }) => cells[row] ?? " ".repeat(width)))),
  ]
}

const missing: AnswerCell = { value: null, state: "released" }
const belowThreshold = "below threshold"

/** A column with everything padded to its width. */
interface Shown {
  readonly head: string
  readonly cells: readonly string[]
  readonly width: number
  /** Whether it may be cut. */
  readonly isText: boolean
}

function showColumn(column: AnswerColumn, cells: readonly AnswerCell[], intervals: boolean): Shown {
  const isNumber = /^(integer|decimal|float)/.test(column.type)
  return isNumber && column.kind !== "key"
    ? showNumbers(column, cells, intervals)
    : showTexts(column, cells, isNumber ? "right" : "left")
}

function showTexts(column: AnswerColumn, cells: readonly AnswerCell[], align: "left" | "right"): Shown {
  const texts = cells.map((cell) => {
    if (cell.state === "below-threshold") return belowThreshold
    if (cell.value === null) return "(null)"
    const interval = isListedChoice(column, cells) ? "" : showInterval(cell, { places: 0, symmetric: false })
    return `${safeText(`${cell.value}`)}${interval === "" ? "" : ` ${interval}`}`
  })
  const name = safeText(column.name)
  const width = Math.max(widthOf(name), ...texts.map(widthOf))
  return {
    head: pad(name, width, align),
    cells: texts.map((text) => pad(text, width, align)),
    width,
    isText: align === "left",
  }
}

/** Values to the right, then their intervals to the left: the digits of a column stand under each other. */
function showNumbers(column: AnswerColumn, cells: readonly AnswerCell[], intervals: boolean): Shown {
  const places = placesOf(column, cells)
  const isChosen = isListedChoice(column, cells)
  const symmetric = !intervals && cells.every((cell) => isSymmetric(cell))
  const plain = mayBeYears(column, cells) ? withoutCommas : (text: string): string => text
  const parts = cells.map((cell) => ({
    isBelow: cell.state === "below-threshold",
    value: plain(showValue(cell, places)),
    interval: isChosen ? "" : plain(showInterval(cell, { places, symmetric })),
  }))
  const name = safeText(column.name)
  const valueWidth = Math.max(widthOf(name), ...parts.map(({ value }) => widthOf(value)))
  const intervalWidth = Math.max(0, ...parts.map(({ interval }) => widthOf(interval)))
  const gap = intervalWidth === 0 ? 0 : 1
  const least = parts.some(({ isBelow }) => isBelow) ? belowThreshold.length : 0
  const width = Math.max(least, valueWidth + gap + intervalWidth)
  const text = (value: string, interval: string): string =>
    pad(`${pad(value, valueWidth, "right")}${" ".repeat(gap)}${interval}`, width, "left")
  return {
    head: text(name, ""),
    cells: parts.map(({ isBelow, value, interval }) =>
      isBelow ? pad(belowThreshold, width, "left") : text(value, interval),
    ),
    width,
    isText: false,
  }
}

/** A mode is one of listed values, or it is another one: no interval says how far off it is. */
function isListedChoice({ mechanism = "", grid }: AnswerColumn, cells: readonly AnswerCell[]): boolean {
  const hasNone = cells.every(({ low, high }) => typeof (low ?? high ?? undefined) === "undefined")
  return hasNone && grid === undefined && /^(exponential|permute-and-flip)$/.test(mechanism)
}

/**
 * Years are written together: quantiles are values of the column itself, and averages of years say so in
 * their name. Longer numbers than years are none.
 */
function mayBeYears({ name, mechanism }: AnswerColumn, cells: readonly AnswerCell[]): boolean {
  const isNamed = /(^|_)(year|yob|born|birth)/i.test(name)
  const numbers = cells.flatMap(({ value, low, high }) => [value, low, high]).filter(isNumber)
  if (mechanism === "exponential") return numbers.every((one) => Math.abs(one) < 10_000)
  return isNamed && numbers.every((one) => one > 1000 && one < 3000)
}

function isNumber(value: unknown): value is number {
  return typeof value === "number"
}

/** "1978 [1970, 1985]": a comma between two ends is followed by a blank. */
function withoutCommas(text: string): string {
  return text.replaceAll(/,(?=\d)/g, "")
}

/** Digits after the point: two of the narrowest interval, or as many as the values have. */
function placesOf({ type }: AnswerColumn, cells: readonly AnswerCell[]): number {
  const numbers = cells.flatMap(({ value }) => (typeof value === "number" ? [value] : []))
  const isWhole = type === "float" ? numbers.length === 0 : numbers.every(Number.isInteger)
  if (isWhole) return 0
  const widths = cells.flatMap(({ low, high }) =>
    typeof low === "number" && typeof high === "number" && high > low ? [(high - low) / 2] : [],
  )
  if (widths.length > 0) return placesFor(Math.min(...widths))
  return Math.max(0, ...numbers.map((value) => Math.min(4, /\.(\d+)$/.exec(`${value}`)?.[1]?.length ?? 0)))
}

function showValue({ value }: AnswerCell, places: number): string {
  if (value === null) return "(null)"
  return typeof value === "number" ? fixedNumber(value, places) : safeText(`${value}`)
}

function showInterval(
  { low, high, value }: AnswerCell,
  { places, symmetric }: { readonly places: number; readonly symmetric: boolean },
): string {
  if ((low === undefined && high === undefined) || value === null) return ""
  if (low === null && high === null) return "± unknown"
  if (symmetric && typeof low === "number" && typeof high === "number") {
    return `± ${fixedNumber((high - low) / 2, places)}`
  }
  const end = (bound: AnswerCell["low"]): string =>
    typeof bound === "number" ? fixedNumber(bound, places) : bound === null ? "?" : `${bound}`
  return `[${end(low)}, ${end(high)}]`
}

/** Whether the value is in the middle of its interval, as far as people would see. */
function isSymmetric({ value, low, high }: AnswerCell): boolean {
  if (typeof low !== "number" || typeof high !== "number" || typeof value !== "number") return true
  return Math.abs((low + high) / 2 - value) <= Math.max((high - low) / 200, 1e-12 * Math.abs(value))
}

/** Cuts the widest texts until the table fits, but none below a dozen columns. */
function fit(columns: readonly Shown[], limit: number): readonly Shown[] {
  const total = columns.reduce((sum, { width }) => sum + width + 2, -2)
  const texts = columns.filter(({ isText, width }) => isText && width > 12)
  const widest = Math.max(0, ...texts.map(({ width }) => width))
  if (total <= limit || texts.length === 0) return columns
  const cut = columns.map((column) => {
    if (!column.isText || column.width !== widest) return column
    const width = Math.max(12, widest - (total - limit))
    const short = (text: string): string => pad(shorten(text.trimEnd(), width), width, "left")
    return { ...column, head: short(column.head), cells: column.cells.map(short), width }
  })
  return fit(cut, limit)
}
