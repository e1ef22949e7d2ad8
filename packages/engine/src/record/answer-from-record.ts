// The record's part in an answer: all of it, where earlier releases are as good as a new one, or a share of a
// new one that measures the same again.

import { jointTable } from "@dosimeter/answers/reuse/joint-table"
import { publicRows } from "@dosimeter/proof/algebra/public-rows"
import type { Candidate } from "@dosimeter/answers/reuse/choose-sources"
import type { KeptTable } from "@dosimeter/answers/reuse/derived-table"
import type { VerifiedPlan } from "@dosimeter/proof/verify/verify"
import type { DataVersion } from "../dataset/data-version.ts"
import type { AnswerTable } from "@dosimeter/answers/shown/answer-table"
import type { FreeReceipt } from "@dosimeter/answers/shown/receipt"
import type { KeptText, Ledger } from "../ledger/ledger.ts"
import { answerOf } from "../answer/answer.ts"
import { freeReceipt } from "./free-receipt.ts"
import { keptTable, writeKept } from "./kept-table.ts"
import type { EarlierFacts } from "../answer/left-out-tables.ts"
import type { MeasuredTables } from "../answer/measurements.ts"
import { DrawNumbers } from "../answer/noisy-table.ts"
import { leafOf, noisyTables, postProcessTables, type PublicRows } from "../answer/post-process.ts"
import type { NoisyRow } from "../release/measurements/noisy-cell.ts"
import {
  type FoundRelease,
  findReleases,
  isEnough,
  mergedTable,
  reusedTable,
  subjectOf,
  type Found,
  type KeptSource,
  type QuestionPlan,
  type ReuseMode,
} from "./reuse.ts"

/** What the record has for a question. */
export interface RecordLookup {
  readonly found: Found
  readonly draws: DrawNumbers
}

/** What is needed of a ledger to look tables up, and to say where they are. */
export type KeptTables = Pick<Ledger, "kept" | "id">

/** An answer that cost nothing, and the positions of the charges that paid for it. */
export interface FreeAnswer {
  readonly answer: AnswerTable
  readonly receipt: FreeReceipt
  readonly from: readonly bigint[]
}

/** Looks the question's releases up; nothing is found where nothing may be used. */
export async function lookUp(
  question: QuestionPlan,
  source: KeptSource,
  mode: ReuseMode,
): Promise<RecordLookup> {
  const draws = new DrawNumbers()
  const found =
    mode === "never" ? question.meanings.map(() => undefined) : await findReleases(question, source, draws)
  return { found, draws }
}

/** The answer from earlier releases, if they are enough. */
export function answerFromRecord(
  question: QuestionPlan,
  { found, draws }: RecordLookup,
  options: {
    readonly mode: ReuseMode
    readonly publicRows: PublicRows
    readonly ledger: KeptTables
    readonly version: DataVersion
  },
): FreeAnswer | undefined {
  const { plan } = question
  if (!isEnough(question, found, options.mode)) return undefined
  const tables = noisyTables(plan, listedRows(plan), draws).map((table, index) => {
    const release = found[index]
    if (release?.chosen === undefined) return table
    return reusedTable(leafOf(plan, index), release.chosen, plan, release.wanted)
  })
  const earlier = (index: number): EarlierFacts => earlierFacts(found[index], found[index]?.chosen?.sources)
  const table = postProcessTables(plan, tables, options.publicRows, earlier)
  const answer = answerOf(table, plan, "of earlier releases")
  const from = chargesOf(found)
  return { answer, receipt: freeReceipt(question, { ...options, found, from }), from }
}

/** The answer to a question that reads nobody's rows. */
export function publicAnswer(plan: VerifiedPlan, publicRows: PublicRows): AnswerTable {
  const tables = noisyTables(plan, listedRows(plan), new DrawNumbers())
  return answerOf(postProcessTables(plan, tables, publicRows), plan)
}

function earlierFacts(
  found: FoundRelease | undefined,
  sources: readonly Pick<Candidate, "table">[] = [],
): EarlierFacts {
  const wanted = found?.wanted.facts
  return { ...(wanted === undefined ? {} : { wanted }), from: sources.map(({ table }) => table.facts) }
}

// What a new table may have been merged with. Units that are scaled to something else are never merged.
function mergeable(
  found: FoundRelease | undefined,
  fresh: FreshTable | undefined,
): readonly Pick<Candidate, "table">[] {
  const own = fresh?.table.facts.scaled
  const candidates = (found?.candidates ?? []).filter(({ table: { facts } }) => {
    return own === undefined || (facts.scaled?.bound === own.bound && facts.scaled.vector === own.vector)
  })
  return [...candidates, ...(fresh === undefined ? [] : [fresh])]
}

// What reads nothing is a list of keys.
function listedRows({ releases }: VerifiedPlan): readonly (readonly NoisyRow[])[] {
  return releases.map(({ keys, extracts }) =>
    extracts.length > 0 || keys.kind === "private"
      ? []
      : publicRows(keys).map((row) => ({ keys: row, cells: [] })),
  )
}

/** The charges behind an answer from the record, in order. */
export function chargesOf(found: Found): readonly bigint[] {
  const charges = found.flatMap((release) => release?.chosen?.sources.map(({ charge }) => charge) ?? [])
  return [...new Set(charges)].toSorted((a, b) => (a < b ? -1 : 1))
}

/** What the record can do for a question: whether it is answered free, and the same in words. */
export interface FreeNote {
  readonly isFree: boolean
  readonly lines: readonly string[]
}

/** What the record can do for a question. */
export async function freeNote(
  question: QuestionPlan,
  source: KeptSource,
  mode: ReuseMode,
): Promise<FreeNote> {
  const { found } = await lookUp(question, source, mode)
  if (!isEnough(question, found, "always")) return { isFree: false, lines: [] }
  const charges = chargesOf(found)
  const entries = `${charges.length === 1 ? "entry" : "entries"} ${charges.join(", ")}`
  if (isEnough(question, found, mode)) {
    return { isFree: true, lines: [`answered from earlier releases (${entries}), free`] }
  }
  const chosen = found.flatMap((release) => release?.chosen ?? [])
  const ratio = Math.max(...chosen.map((one) => one.ratio))
  const reasons = [
    ...(ratio > 1 ? [`the error would be ${ratio.toPrecision(2)} times as large`] : []),
    ...new Set(chosen.flatMap(({ differences }) => differences)),
  ]
  const line = `earlier releases (${entries}) answer it free with reuse always: ${reasons.join("; ")}`
  return { isFree: false, lines: [line] }
}

/** A released table, and its text for the ledger. */
export interface FreshTable extends KeptText {
  readonly table: KeptTable
}

/** The noisy rows of a plan's releases, and what was measured together behind them. */
export interface NoisyRelease {
  readonly noisy: readonly (readonly NoisyRow[])[]
  readonly measured: MeasuredTables
}

/** The tables of new releases that can be used again; undefined for others. */
export function freshTables(
  { plan, meanings }: QuestionPlan,
  { noisy, measured }: NoisyRelease,
  version: DataVersion,
): readonly (FreshTable | undefined)[] {
  return plan.releases.map((release, index) => {
    const meaning = meanings[index]
    if (meaning === undefined || release.extracts.length === 0) return undefined
    const table = meaning.isFamily
      ? jointTable({ release, meaning }, measured.drawn(release), plan.confidence)
      : keptTable({ release, meaning }, noisy[index] ?? [], plan.confidence)
    return table && { table, subject: subjectOf(version.name, meaning), text: writeKept(table) }
  })
}

/** A paid answer: merged with what the record has of the same, and with the tables to be kept. */
export function paidAnswer(
  question: QuestionPlan,
  released: NoisyRelease,
  options: {
    readonly record: RecordLookup
    readonly charge: bigint
    readonly publicRows: PublicRows
    readonly version: DataVersion
  },
): { readonly answer: AnswerTable; readonly kept: readonly KeptText[] } {
  const { plan } = question
  const { charge, publicRows, version } = options
  const { found, draws } = options.record
  const fresh = freshTables(question, released, version)
  const paid = noisyTables(plan, released.noisy, draws)
  const tables = paid.map((table, index) => {
    const [own, earlier] = [fresh[index], found[index]]
    if (own === undefined || earlier === undefined) return table
    const numbers = new Map<string, number>()
    const drawOf: Candidate["drawOf"] = (draw, row) => {
      const number = numbers.get(`${draw} ${row}`) ?? draws.next()
      numbers.set(`${draw} ${row}`, number)
      return number
    }
    return mergedTable(table, earlier, { fresh: { table: own.table, charge, drawOf }, plan })
  })
  const isMerged = tables.map((table, index) => table !== paid[index])
  const earlier = (index: number): EarlierFacts =>
    isMerged[index] === true
      ? earlierFacts(found[index], mergeable(found[index], fresh[index]))
      : { from: [] }
  const answer = answerOf(
    postProcessTables(plan, tables, publicRows, earlier),
    plan,
    isMerged.includes(true) ? "of earlier releases" : "its own",
  )
  return {
    answer,
    kept: fresh.flatMap((one) => (one === undefined ? [] : [textOf(one)])),
  }
}

function textOf({ subject, text }: FreshTable): KeptText {
  return { subject, text }
}
