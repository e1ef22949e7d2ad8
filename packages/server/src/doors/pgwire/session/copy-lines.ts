// Rows of an answer as COPY writes them: one line each, text with backslashes or CSV with quotes.

import type { AnswerValue } from "@dosimeter/engine"
import type { CopyFormat } from "../commands/read-copy.ts"
import type { ResultColumn } from "../wire/wire-result.ts"
import { encodeValue } from "../wire/wire-types.ts"

/** The line of one row, with its end. */
export function copyLine(
  row: readonly AnswerValue[],
  columns: readonly ResultColumn[],
  format: CopyFormat,
): string {
  const cells = columns.map(({ name, type }, index) => {
    const text = encodeValue(row[index] ?? null, type, "text")?.toString()
    if (text === undefined) return format.null
    const forced = format.forceQuote === "all" || format.forceQuote.includes(name)
    return format.format === "csv"
      ? csvCell(text, format, forced || (columns.length === 1 && text === "\\."))
      : textCell(text, format)
  })
  return `${cells.join(format.delimiter)}\n`
}

/** The line of names. */
export function copyHeader(columns: readonly ResultColumn[], format: CopyFormat): string {
  const names = columns.map(({ name }) =>
    format.format === "csv" ? csvCell(name, format, false) : textCell(name, format),
  )
  return `${names.join(format.delimiter)}\n`
}

function csvCell(
  text: string,
  { delimiter, quote, escape, null: nothing }: CopyFormat,
  forced: boolean,
): string {
  const needs = forced || text === nothing || [delimiter, quote, "\n", "\r"].some((one) => text.includes(one))
  if (!needs) return text
  const doubled = text.replaceAll(escape, () => `${escape}${escape}`)
  const inside = quote === escape ? doubled : doubled.replaceAll(quote, () => `${escape}${quote}`)
  return `${quote}${inside}${quote}`
}

function textCell(text: string, { delimiter }: CopyFormat): string {
  const escaped = text.replace(/[\\\b\f\n\r\t\v]/g, (one) => escapes.get(one) ?? one)
  return escapes.has(delimiter) ? escaped : escaped.replaceAll(delimiter, () => `\\${delimiter}`)
}

const escapes: ReadonlyMap<string, string> = new Map([
  ["\\", "\\\\"],
  ["\b", "\\b"],
  ["\f", "\\f"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\v", "\\v"],
])
