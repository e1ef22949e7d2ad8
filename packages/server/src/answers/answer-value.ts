// An answer for programs: rows by name, the receipt, what was learnt. The same for the command line and HTTP.

import type {
  AnswerCell,
  AnswerColumn,
  AnswerTable,
  AnswerValue,
} from "@dosimeter/answers/shown/answer-table"
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
  /** What bounding and clamping took away, where that was asked for. */
  readonly bias?: NonNullable<AnswerTable["bias"]>
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
export type NamedTable = Pick<AnswerObject, "columns" | "rows" | "bias">

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

/** What was asked first to learn bounds. */
export function stagesOfLearning({ learnt = [] }: Answered): readonly EarlierStage[] {
  return learnt.flatMap(({ label, stages }) =>
    stages.map((recorded) => ({ name: `bounds of ${label}`, recorded })),
  )
}

/** Rows by the names of their columns; equal names are made different. */
export function namedTable(table: AnswerTable): NamedTable {
  const names = uniqueNames(table.columns.map(({ name }) => name))
  return {
    columns: table.columns.map((column, index) => ({ ...column, name: names[index] ?? "" })),
    rows: table.rows.map((row) => Object.fromEntries(row.map((cell, index) => [names[index] ?? "", cell]))),
    ...(table.bias === undefined ? {} : { bias: table.bias }),
  }
}

/**
 * The answer as CSV: values, and with intervals also their ends. What is below the threshold is empty in its
 * column of numbers, and a column beside it says so where there is such a number.
 */
export function answerCsv(table: AnswerTable, intervals: boolean): string {
  const names = uniqueNames(table.columns.map(({ name }) => name))
  const isWide = table.columns.map(({ kind }) => intervals && kind !== "key")
  const hasState = names.map((_, index) => table.rows.some((row) => row[index]?.state === "below-threshold"))
  const head = names.flatMap((name, index) => [
    name,
    ...(isWide[index] === true ? [`${name}_low`, `${name}_high`] : []),
    ...(hasState[index] === true ? [`${name}_state`] : []),
  ])
  const rows = table.rows.map((row) =>
    row.flatMap(({ value, low, high, state }, index) => [
      csvValue(state === "below-threshold" ? null : value),
      ...(isWide[index] === true ? [csvValue(low ?? null), csvValue(high ?? null)] : []),
      ...(hasState[index] === true ? [state] : []),
    ]),
  )
  return [head.map(csvText), ...rows].map((cells) => `${cells.join(",")}\r\n`).join("")
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

function csvText(text: string): string {
  return /^$|[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
