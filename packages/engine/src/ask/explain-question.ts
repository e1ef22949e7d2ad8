// What a question would do, cost and give, before anything is read.

import type { FilterState } from "@dosimeter/core"
import { assert } from "@dosimeter/core/errors"
import { numberNear, showParameter, type Rational } from "@dosimeter/core/exact"
import { explain, type Explanation } from "@dosimeter/planner/explain/explain"
import type { Planned } from "@dosimeter/planner/compile"
import { printPlan } from "@dosimeter/proof/print/print-plan"
import { showCharge, showExplanation } from "@dosimeter/planner/explain/show-explanation"
import type { VerifiedPlan } from "@dosimeter/proof/verify/verify"
import type { Account } from "../ledger/entries/account.ts"
import type { Ledger } from "../ledger/ledger.ts"
import { freeNote } from "../record/answer-from-record.ts"
import type { AnswerColumn, AnswerTable } from "@dosimeter/answers/shown/answer-table"
import { answerColumns } from "../answer/answer.ts"
import type { LearningPlan } from "./learn-bounds.ts"
import { planHash } from "../release/plan-hash.ts"
import type { ReuseMode } from "../record/reuse.ts"
import type { NormLearning } from "./learn-norms.ts"
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

/** What would be asked to learn bounds, one question after the other. */
export async function explainLearning(
  { bounds: learning, norms }: { readonly bounds: LearningPlan; readonly norms: NormLearning | undefined },
  walk: Walk,
  reuse?: ReuseMode,
): Promise<Explained> {
  const { groups } = learning
  const ofValues = learning.values.flatMap(({ value, rows, sizes }) => [
    { what: `how many rows ${value.label} has`, compiled: rows },
    { what: `where the values of ${value.label} lie`, compiled: sizes },
  ])
  const stages = [
    ...ofValues,
    ...(groups === undefined ? [] : [{ what: "in how many groups each unit is", compiled: groups }]),
  ]
  const parts: string[] = []
  const sql: string[] = []
  let last: Omit<Explained, "isExplain"> | undefined
  for (const { what, compiled } of stages) {
    last = await explainCompiled(compiled, walk, reuse)
    sql.push(...last.sql)
    parts.push(`stage       ${what}, to learn bounds\n${last.text}`)
  }
  for (const { ladder, share } of norms?.ladders ?? []) {
    sql.push(...printPlan(ladder.plan, walk.backend.dialect).map(({ text }) => text))
    const unit = ladder.plan.unitName
    parts.push(
      `stage       how long what each ${unit} adds is, inside these bounds: a ladder, for ${shortShare(share)} of what is left`,
    )
  }
  const left = norms?.rest.epsilon ?? learning.ask.epsilon
  const then = left === undefined ? "" : ` with about epsilon ${showParameter(left)}`
  const { plan, isExplain } = learning.trial
  const whole = `stage       then the question itself, inside the bounds${then}\ncost        ${showCharge(plan.charge)}, all stages together`
  assert(last !== undefined, "there is something to learn")
  // The answer has the columns of the question, whatever the bounds, and all of it costs what that would.
  return {
    isExplain,
    plan: last.plan,
    explanation: { ...last.explanation, charge: plan.charge },
    columns: answerColumns(plan),
    sql,
    isFree: false,
    learnsFirst: true,
    text: [...parts, whole].join("\n\n"),
  }
}

function shortShare(share: Rational): number {
  return Number(numberNear(share).toPrecision(3))
}

/** What a plan would do. */
export async function explainCompiled(
  compiled: Planned,
  walk: Walk,
  reuse: ReuseMode = "auto",
): Promise<Omit<Explained, "isExplain">> {
  const { plan } = compiled
  const { ledger, backend } = walk
  const record = await freeNote(compiled, walk, reuse)
  const explanation = explain(plan)
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
