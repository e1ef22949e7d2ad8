// Several questions that were planned together, for programs: what each costs, and their answers.

import type { WorkloadAnswer } from "@dosimeter/engine"
import { priceOf, type Price } from "@dosimeter/planner/explain/price"
import type { PlannedQuestion, Workload } from "@dosimeter/planner/workload/plan-workload"
import { namedTable, type AnswerObject, type NamedTable } from "./answer-value.ts"

/** A plan as it is shown. */
export interface WorkloadObject {
  readonly questions: readonly Pick<PlannedQuestion, "sql" | "alone" | "inPlan" | "errors">[]
  readonly cost: Omit<Price, "words">
}

/** What a plan costs and gives. */
export function workloadObject({ questions, charge }: Workload): WorkloadObject {
  const { words: _words, ...cost } = priceOf(charge)
  return {
    questions: questions.map(({ sql, alone, inPlan, errors }) => ({ sql, alone, inPlan, errors })),
    cost,
  }
}

/** The answers of a plan that was released. */
export interface WorkloadAnswers extends Pick<AnswerObject, "origin" | "receipt"> {
  readonly answers: readonly NamedTable[]
}

/** The answers, rows by name. */
export function workloadAnswers({ answers, receipt, origin }: WorkloadAnswer): WorkloadAnswers {
  return {
    answers: answers.map(namedTable),
    origin,
    receipt,
  }
}
