// What a question would do, cost and give, before anything is read.

import type { FilterState } from "@dosimeter/core"
import { explain, type Explanation } from "@dosimeter/planner/explain/explain"
import type { Planned } from "@dosimeter/planner/compile"
import { printPlan } from "@dosimeter/proof/print/print-plan"
import { showExplanation } from "@dosimeter/planner/explain/show-explanation"
import type { VerifiedPlan } from "@dosimeter/proof/verify/verify"
import type { Account } from "../ledger/entries/account.ts"
import type { Ledger } from "../ledger/ledger.ts"
import { freeNote } from "../record/answer-from-record.ts"
import type { AnswerColumn, AnswerTable } from "@dosimeter/answers/shown/answer-table"
import { answerColumns } from "../answer/answer.ts"
import { sizeNotes } from "./group-sizes.ts"
import { planHash } from "../release/plan-hash.ts"
import type { ReuseMode } from "../record/reuse.ts"
import type { KnownNorms } from "./recorded-norms.ts"
import type { Walk } from "./run-query.ts"
import type { Recorded } from "../record/recorded.ts"

/** What would happen, at no cost. */
export interface Explained {
  /** Whether EXPLAIN stood before the question. */
  readonly isExplain: boolean
  readonly plan: VerifiedPlan
  readonly explanation: Explanation
  /** The columns of the answer. */
  readonly columns: readonly AnswerColumn[]
  /** What would be sent to the database. */
  readonly sql: readonly string[]
  /** Whether the record answers it as it stands, so that it would cost nothing now. */
  readonly isFree: boolean
  /** The norms that it was explained with, where they were known beforehand. */
  readonly norms?: KnownNorms
  /** Whether other questions are asked and paid for first, to learn bounds or a norm. */
  readonly learnsFirst?: true
  /** All but the SQL, in lines. */
  readonly text: string
}

/** How a plan is explained. */
export interface ExplainOptions {
  readonly reuse?: ReuseMode | undefined
  /** What else is known of it. */
  readonly notes?: readonly string[]
}

/** What a plan would do. */
export async function explainCompiled(
  compiled: Planned,
  walk: Walk,
  { reuse = "auto", notes = [] }: ExplainOptions = {},
): Promise<Omit<Explained, "isExplain">> {
  const { plan } = compiled
  const { ledger, backend } = walk
  const record = await freeNote(compiled, walk, reuse)
  const told = explain(plan)
  const sizes = await sizeNotes(compiled, walk)
  const explanation = { ...told, notes: [...notes, ...sizes, ...told.notes] }
  const sql = printPlan(plan, backend.dialect).map(({ text }) => text)
  const account: FilterState = await datasetAccount(ledger)
  const columns = answerColumns(plan)
  const isFree = record.isFree || (await isRecorded(plan, walk))
  const text = showExplanation(explanation, { account, record: record.lines })
  return { plan, explanation, columns, sql, isFree, text }
}

/** Whether the record answers a question, so that it costs nothing now. */
export async function isAnswered(compiled: Planned, walk: Walk, reuse: ReuseMode = "auto"): Promise<boolean> {
  if (reuse === "never") return false
  return (await freeNote(compiled, walk, reuse)).isFree || isRecorded(compiled.plan, walk)
}

/** Whether just this was released already, and may be used. */
async function isRecorded(plan: VerifiedPlan, { ledger, version, mayUse }: Walk): Promise<boolean> {
  const found = await ledger.find({ planHash: planHash(plan), dataVersion: version.name })
  return found !== undefined && (mayUse === undefined || (await mayUse(found.charge)))
}

/** The columns of EXPLAIN as an answer. */
export const explanationColumns: readonly AnswerColumn[] = [
  { name: "explanation", type: "text", kind: "derived" },
]

/** EXPLAIN as an answer: its lines. Nothing is read and nothing charged. */
export function recordOfExplanation({ text }: Explained): Recorded {
  const answer: AnswerTable = {
    columns: explanationColumns,
    rows: text.split("\n").map((value) => [{ value, state: "released" }]),
  }
  return { answer, receipt: {}, origin: "explained" }
}

/** The dataset's account. */
export async function datasetAccount(ledger: Ledger): Promise<Account> {
  const accounts = await ledger.accounts()
  const found = accounts.find(({ name }) => name === "dataset")
  // A ledger that is refused may have none.
  return found ?? Promise.reject((await ledger.trouble()) ?? new Error("a ledger has the dataset's account"))
}
