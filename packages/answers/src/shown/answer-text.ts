// The text of an answer, as the ledger keeps and hashes it, and the one way to read it back.

import { readAnswerNote } from "./answer-note.ts"
import {
  boundingWords,
  type AnswerCell,
  type AnswerColumn,
  type AnswerTable,
  type AnswerValue,
  type BiasNote,
} from "./answer-table.ts"
import {
  listOf,
  objectOf,
  parsed,
  readNumberOrNull,
  readText,
  Unreadable,
  withField,
  wordOf,
} from "./read-fields.ts"

/** The text of an answer: one for one answer. */
export function writeAnswer(answer: AnswerTable): string {
  return JSON.stringify(answer)
}

/** The text of the answers to several questions under one charge. */
export function writeAnswers(answers: readonly AnswerTable[]): string {
  return JSON.stringify(answers.map(writeAnswer))
}

/** What a text of the ledger is: an answer, several under one charge, or the beginning of a series. */
export type RecordedAnswer =
  | { readonly kind: "answer"; readonly answer: AnswerTable }
  | { readonly kind: "workload"; readonly answers: readonly AnswerTable[] }
  | { readonly kind: "series" }

/** Reads a text that the ledger kept as an answer. Throws `Unreadable`. */
export function readRecordedAnswer(text: string): RecordedAnswer {
  const found = parsed(text)
  if (Array.isArray(found)) {
    const answers = listOf((item, at) => readTable(parsed(readText(item, at)), at))(found, "answers")
    return { kind: "workload", answers }
  }
  if (isSeries(found)) return { kind: "series" }
  return { kind: "answer", answer: readTable(found, "answer") }
}

/** Reads the text of one answer. Throws `Unreadable`. */
export function readAnswer(text: string): AnswerTable {
  return readTable(parsed(text), "answer")
}

// The engine reads the rest of it: packages/engine/src/series/series-record.ts.
function isSeries(found: unknown): boolean {
  return (
    typeof found === "object" && found !== null && "format" in found && found.format === "dosimeter-series/1"
  )
}

function readValue(found: unknown, at: string): AnswerValue {
  if (typeof found === "string" || typeof found === "boolean") return found
  return readNumberOrNull(found, at)
}

const readColumn = objectOf((fields): AnswerColumn => ({
  name: fields.need("name", readText),
  type: fields.need("type", readText),
  kind: fields.need("kind", wordOf("key", "noisy", "derived")),
  ...withField("mechanism", fields.may("mechanism", readText)),
  ...withField("scale", fields.may("scale", readValue)),
  ...withField("grid", fields.may("grid", readValue)),
  ...withField("sensitivity", fields.may("sensitivity", readValue)),
  ...withField("bounding", fields.may("bounding", wordOf(...boundingWords))),
}))

const readCell = objectOf((fields): AnswerCell => ({
  value: fields.need("value", readValue),
  ...withField("low", fields.may("low", readValue)),
  ...withField("high", fields.may("high", readValue)),
  ...withField("noiseLow", fields.may("noiseLow", readValue)),
  ...withField("noiseHigh", fields.may("noiseHigh", readValue)),
  ...withField("leftOut", fields.may("leftOut", readValue)),
  state: fields.need("state", wordOf("released", "below-threshold")),
}))

const readNote = objectOf((fields): BiasNote => ({
  text: fields.need("text", readText),
  value: fields.need("value", readNumberOrNull),
  low: fields.need("low", readNumberOrNull),
  high: fields.need("high", readNumberOrNull),
}))

const readTable = objectOf((fields): AnswerTable => {
  const columns = fields.need("columns", listOf(readColumn))
  const readRow = listOf(readCell)
  const rows = fields.need(
    "rows",
    listOf((found, at) => {
      const row = readRow(found, at)
      if (row.length !== columns.length) throw new Unreadable(`${at} has not a cell for each column`)
      return row
    }),
  )
  return {
    columns,
    rows,
    ...withField("notes", fields.may("notes", listOf(readAnswerNote))),
    ...withField("bias", fields.may("bias", listOf(readNote))),
  }
})
