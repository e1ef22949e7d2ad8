// Several questions that were planned together, for programs: what each costs, and their answers.

import { numberNear } from "@dosimeter/core/exact"
import type { WorkloadAnswer } from "@dosimeter/engine"
import type { PlannedQuestion, Workload } from "@dosimeter/planner/workload/plan-workload"
import { namedTable, tableIn, type AnswerObject, type NamedTable } from "./answer-value.ts"

/** A plan as it is shown. */
export interface WorkloadObject {
  readonly questions: readonly Pick<PlannedQuestion, "sql" | "alone" | "inPlan" | "errors">[]
  readonly cost: {
    readonly accounting: Workload["charge"]["accounting"]
    readonly amount: number
    readonly delta: number
    readonly epsilon: number | null
  }
}

/** What a plan costs and gives. */
export function workloadObject({ questions, charge }: Workload): WorkloadObject {
  const { shown } = charge
  return {
    questions: questions.map(({ sql, alone, inPlan, errors }) => ({ sql, alone, inPlan, errors })),
    cost: {
      accounting: charge.accounting,
      amount: numberNear(charge.amount),
      delta: numberNear(charge.delta),
      epsilon: "epsilon" in shown ? numberNear(shown.epsilon) : null,
    },
  }
}

/** The answers of a plan that was released. */
export interface WorkloadAnswers extends Pick<AnswerObject, "origin" | "receipt"> {
  readonly answers: readonly NamedTable[]
}

/** The answers, rows by name. */
export function workloadAnswers({ answers, receipt, origin }: WorkloadAnswer): WorkloadAnswers {
  return {
    answers: answers.map((text) => namedTable(tableIn(text))),
    origin,
    receipt: JSON.parse(receipt) as unknown,
  }
}
