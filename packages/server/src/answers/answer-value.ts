// An answer for programs: rows by name, the receipt, what was learnt. The same for the command line and HTTP.

import type { AnswerNote } from "@dosimeter/answers/shown/answer-note"
import type {
  AnswerCell,
  AnswerColumn,
  AnswerTable,
  AnswerValue,
} from "@dosimeter/answers/shown/answer-table"
import { csvText } from "@dosimeter/answers/shown/csv-text"
import { noteText } from "@dosimeter/answers/shown/note-words"
import type { AnyReceipt } from "@dosimeter/answers/shown/receipt"
import type { Answered, ReachedError, Recorded, WithinAnswer } from "@dosimeter/engine"

/** A question that was asked and paid on the way to the answer. */
export interface EarlierStage {
  readonly name: string
  readonly recorded: Recorded
}

/** An answer with what was asked before it. */
export type AnsweredInStages = Answered & {
  readonly earlier?: readonly EarlierStage[]
  /** Where an error was wanted: how many numbers are within it. */
  readonly reached?: ReachedError
}

const lookNames = ["first look", "second look", "third look"]

/** An answer within an error, with the looks before it. */
export function withLooks({ answer, looks, reached }: WithinAnswer): AnsweredInStages {
  const earlier = looks.map((recorded, index) => ({ name: lookNames[index] ?? "look", recorded }))
  return { ...answer, ...(earlier.length === 0 ? {} : { earlier }), ...(reached.of === 0 ? {} : { reached }) }
}

/** An answer as it leaves. */
export interface AnswerObject {
  readonly columns: readonly AnswerColumn[]
  readonly rows: readonly Readonly<Record<string, AnswerCell>>[]
  /** What the intervals cover, and what is not shown: in English, and the same as kinds with values. */
  readonly notes?: readonly string[]
  readonly noteFacts?: readonly AnswerNote[]
  readonly origin: Recorded["origin"]
  /** The positions of the charges that it was worked out from. */
  readonly from?: readonly number[]
  readonly receipt: AnyReceipt
  /** How many numbers are within the error that was wanted. */
  readonly reached?: ReachedError
  /** Bounds that were learnt first. */
  readonly bounds?: readonly { readonly label: string; readonly low: number; readonly high: number }[]
  readonly stages?: readonly {
    readonly name: string
    readonly origin: Recorded["origin"]
    readonly receipt: AnyReceipt
  }[]
}

/** A table as rows by name. */
export type NamedTable = Pick<AnswerObject, "columns" | "rows" | "notes" | "noteFacts">

/** The answer for programs. */
export function answerObject(recorded: AnsweredInStages): AnswerObject {
  const { receipt, origin, from, learnt = [], earlier = [], reached } = recorded
  const stages = earlier.map(({ name, recorded: stage }) => ({
    name,
    origin: stage.origin,
    receipt: stage.receipt,
  }))
  return {
    ...namedTable(recorded.answer),
    origin,
    ...(from === undefined ? {} : { from: from.map(Number) }),
    receipt,
    ...(learnt.length === 0 ? {} : { bounds: learnt.map(({ label, low, high }) => ({ label, low, high })) }),
    ...(reached === undefined ? {} : { reached }),
    ...(stages.length === 0 ? {} : { stages }),
  }
}

/** What was asked first to learn bounds, whatever came of it. */
export function stagesOfLearning({ learnt = [], unread = [] }: Answered): readonly EarlierStage[] {
  return [
    ...learnt.flatMap(({ label, stages }) =>
      stages.map((recorded) => ({ name: `bounds of ${label}`, recorded })),
    ),
    ...unread.map((recorded) => ({ name: "a ladder of norms, too noisy to choose one", recorded })),
  ]
}

/** Rows by the names of their columns; equal names are made different. */
export function namedTable(table: AnswerTable): NamedTable {
  const names = uniqueNames(table.columns.map(({ name }) => name))
  return {
    columns: table.columns.map((column, index) => ({ ...column, name: names[index] ?? "" })),
    rows: table.rows.map((row) => Object.fromEntries(row.map((cell, index) => [names[index] ?? "", cell]))),
    ...withNotes(table),
  }
}

/** The notes of an answer; of one that an earlier version recorded, what it said of bounding. */
export function notesOf(table: AnswerTable): readonly string[] {
  return factsOf(table).map((note) => noteText(note))
}

function factsOf({ notes = [], bias = [] }: AnswerTable): readonly AnswerNote[] {
  return [
    ...notes,
    ...bias.map(({ text }) => ({ kind: "text" as const, text: `said when it was released: ${text}` })),
  ]
}

function withNotes(table: AnswerTable): Pick<AnswerObject, "notes" | "noteFacts"> {
  const noteFacts = factsOf(table)
  return noteFacts.length === 0 ? {} : { notes: noteFacts.map((note) => noteText(note)), noteFacts }
}

/**
 * The answer as CSV: values, and with intervals also their ends, those of the noise alone where they are
 * others, what is left out, and what the intervals say of bounding. What is below the threshold is empty in
 * its column of numbers, and a column beside it says so where there is such a number.
 */
export function answerCsv(table: AnswerTable, intervals: boolean): string {
  const names = uniqueNames(table.columns.map(({ name }) => name))
  const isWide = table.columns.map(({ kind }) => intervals && kind !== "key")
  const isSaid = table.columns.map(({ bounding }) => intervals && bounding !== undefined)
  const hasParts = table.columns.map(({ bounding }) => intervals && hasNoiseApart(bounding))
  const hasLeftOut = names.map(
    (_, index) => intervals && table.rows.some((row) => row[index]?.leftOut !== undefined),
  )
  const hasState = names.map((_, index) => table.rows.some((row) => row[index]?.state === "below-threshold"))
  const head = names.flatMap((name, index) => [
    name,
    ...(isWide[index] === true ? [`${name}_low`, `${name}_high`] : []),
    ...(hasParts[index] === true ? [`${name}_noise_low`, `${name}_noise_high`] : []),
    ...(hasLeftOut[index] === true ? [`${name}_left_out`] : []),
    ...(isSaid[index] === true ? [`${name}_bounding`] : []),
    ...(hasState[index] === true ? [`${name}_state`] : []),
  ])
  const rows = table.rows.map((row) =>
    row.flatMap(({ value, low, high, noiseLow, noiseHigh, leftOut, state }, index) => [
      csvValue(state === "below-threshold" ? null : value),
      ...(isWide[index] === true ? [csvValue(low ?? null), csvValue(high ?? null)] : []),
      ...(hasParts[index] === true ? [csvValue(noiseLow ?? null), csvValue(noiseHigh ?? null)] : []),
      ...(hasLeftOut[index] === true ? [csvValue(leftOut ?? null)] : []),
      ...(isSaid[index] === true ? [table.columns[index]?.bounding ?? ""] : []),
      ...(hasState[index] === true ? [state] : []),
    ]),
  )
  return [head.map(csvText), ...rows].map((cells) => `${cells.join(",")}\r\n`).join("")
}

/** Whether what bounding left out is in the intervals, so that those of the noise are others. */
function hasNoiseApart(bounding: AnswerColumn["bounding"]): boolean {
  return bounding === "proven" || bounding === "estimate" || bounding === "too-much"
}

/** Names that are all different, as JSON and CSV need them: the second `n` is `n_2`. */
export function uniqueNames(names: readonly string[]): readonly string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    let free = name
    for (let next = 2; taken.has(free); next += 1) free = `${name}_${next}`
    taken.add(free)
    return free
  })
}

function csvValue(value: AnswerValue): string {
  if (value === null) return ""
  return typeof value === "string" ? csvText(value) : `${value}`
}
