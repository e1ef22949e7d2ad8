// An answer with what stands beside it, as values; and as the texts that the ledger keeps and hashes.

import type { AnswerTable } from "@dosimeter/answers/shown/answer-table"
import { writeAnswer, writeAnswers } from "@dosimeter/answers/shown/answer-text"
import type { AnyReceipt } from "@dosimeter/answers/shown/receipt"
import { writeReceipt } from "@dosimeter/answers/shown/receipt-text"
import type { RecordedRelease, ReleaseText } from "../ledger/ledger.ts"
import { answerOfRelease, receiptOfRelease, unknownForm } from "./read-release.ts"

/** An answer, and what stands beside it. */
export interface Recorded {
  readonly answer: AnswerTable
  readonly receipt: AnyReceipt
  /**
   * Whether it was paid for now, is the record of an earlier answer, was worked out from earlier releases,
   * depends on nobody, or is an explanation that EXPLAIN asked for.
   */
  readonly origin: "released" | "recorded" | "reused" | "public" | "explained"
  /** The positions of the charges that it was worked out from. */
  readonly from?: readonly bigint[]
  /** The position of its own charge, if it was paid for, now or earlier. */
  readonly charge?: bigint
}

/** The answers to a workload, in the order of its questions, and their one receipt. */
export interface WorkloadAnswer {
  readonly answers: readonly AnswerTable[]
  readonly receipt: AnyReceipt
  readonly origin: "released" | "recorded" | "public"
  /** The position of its charge, if it was paid for, now or earlier. */
  readonly charge?: bigint
  /** The positions of the other charges that it was worked out from. */
  readonly from?: readonly bigint[]
}

/** The texts of a release, but for what is kept of it. */
export type AnswerTexts = Omit<ReleaseText, "kept">

/** The texts of an answer. */
export function textsOfAnswer(answer: AnswerTable, receipt: AnyReceipt): AnswerTexts {
  return { answer: writeAnswer(answer), receipt: writeReceipt(receipt) }
}

/** The texts of a workload's answers. */
export function textsOfAnswers(answers: readonly AnswerTable[], receipt: AnyReceipt): AnswerTexts {
  return { answer: writeAnswers(answers), receipt: writeReceipt(receipt) }
}

/** The answer of the record. The noisy tables behind it stay in the ledger. */
export function recordedAnswer(found: RecordedRelease): Recorded {
  const { charge } = found
  const recorded = answerOfRelease(found)
  if (recorded.kind !== "answer") return unknownForm(charge, "it is not the answer to one question")
  return { answer: recorded.answer, receipt: receiptOfRelease(found), origin: "recorded", charge }
}

/** The answers of the record to a workload. */
export function recordedAnswers(found: RecordedRelease): WorkloadAnswer {
  const { charge } = found
  const recorded = answerOfRelease(found)
  if (recorded.kind !== "workload") return unknownForm(charge, "it is not the answer to several questions")
  return { answers: recorded.answers, receipt: receiptOfRelease(found), origin: "recorded", charge }
}
