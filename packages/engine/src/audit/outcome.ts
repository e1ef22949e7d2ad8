// How a question ended, as every other door tells it: an answer with its receipt, or a refusal with its code.

import { DosimeterError } from "@dosimeter/core"
import type { AnswerTable } from "@dosimeter/answers/shown/answer-table"
import type { Receipt } from "@dosimeter/answers/shown/receipt"
import type { Answered } from "../ask/ask-question.ts"

/** An answer. */
export interface Answer {
  readonly kind: "answered"
  readonly answer: AnswerTable
  /** Undefined where nothing was charged: worked out from earlier answers, about public tables, EXPLAIN. */
  readonly receipt?: Receipt
  /** Whether it was paid for now, is an earlier answer of the same ledger, or cost nothing. */
  readonly origin: Answered["origin"]
}

/** A refusal, or a failure: `error.kind` tells which. */
export interface Refusal {
  readonly kind: "refused"
  readonly error: DosimeterError
}

/** How a question ended. */
export type Outcome = Answer | Refusal

/** Waits for an answer; errors of other programs go on. */
export async function outcomeOf(asked: Promise<Answered>): Promise<Outcome> {
  try {
    const { answer, receipt, origin } = await asked
    if (receipt.format !== "dosimeter-receipt/1") return { kind: "answered", answer, origin }
    return { kind: "answered", answer, receipt, origin }
  } catch (error) {
    if (error instanceof DosimeterError) return { kind: "refused", error }
    throw error
  }
}
