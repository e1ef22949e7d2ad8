// What a question would do whose bounds are learnt first: the stages that learn them, and what they leave.

import { assert } from "@dosimeter/core/errors"
import { numberNear, showParameter, type Rational } from "@dosimeter/core/exact"
import { showCharge } from "@dosimeter/planner/explain/show-explanation"
import { printPlan } from "@dosimeter/proof/print/print-plan"
import { answerColumns } from "../answer/answer.ts"
import type { ReuseMode } from "../record/reuse.ts"
import type { BoundsQuestion } from "./ask-bounds.ts"
import { explainCompiled, type Explained } from "./explain-question.ts"
import type { Walk } from "./run-query.ts"

/** What would be asked to learn bounds, one question after the other. */
export async function explainBounds(
  { bounds: learning, norms }: Pick<BoundsQuestion, "bounds" | "norms">,
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
    last = await explainCompiled(compiled, walk, { reuse })
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
