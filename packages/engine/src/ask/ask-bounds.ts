// A question whose bounds are learnt, asked: the stages that learn them, then the question itself, or its
// ladders and then it.

import type { CompileOptions, Planned } from "@dosimeter/planner/compile"
import { askNorms } from "./ask-norms.ts"
import { checkRoom } from "./check-room.ts"
import { learnBounds, stagesOf, type LearningPlan, type LearntAnswer } from "./learn-bounds.ts"
import { planNorms, type NormLearning } from "./learn-norms.ts"
import { printed } from "../release/printed-plan.ts"
import { runQuery, type Asker, type Walk } from "./run-query.ts"
import type { Recorded } from "../record/recorded.ts"
import { inSlots } from "./slots.ts"
import { checkStage } from "./stage-source.ts"

/** A question, the bounds of values that are learnt first, and the norms that are learnt inside them. */
export interface BoundsQuestion {
  readonly sql: string
  readonly options: CompileOptions
  readonly bounds: LearningPlan
  readonly norms: NormLearning | undefined
}

/** Asks it. Each stage is a request of its own: sent again, all of them are answered from the record. */
export async function askBounds(question: BoundsQuestion, walk: Walk, asker: Asker): Promise<LearntAnswer> {
  const { sql, bounds: plan, norms } = question
  const { slotMs } = walk.policy.terms
  let stage = 0
  const run = async (planned: Planned): Promise<Recorded> => {
    stage += 1
    const requestId = `${asker.requestId} stage ${stage}`
    const recorded = await inSlots(slotMs, () => runQuery(planned, walk, { ...asker, requestId }))
    await checkStage(recorded, walk, asker.study)
    return recorded
  }
  // What cannot be written is refused before the first stage is charged; bounds are only constants in it.
  const ladders = norms?.ladders.map(({ ladder }) => ladder) ?? []
  for (const one of [plan.trial, ...stagesOf(plan), ...ladders]) printed(one.plan, walk.backend)
  await checkRoom({ first: stagesOf(plan)[0]?.plan, whole: plan.trial.plan }, walk, asker)
  const { compiled, learnt, options } = await learnBounds(sql, question.options, { plan, run })
  const learning = norms === undefined ? undefined : planNorms(sql, options)
  if (learning !== undefined) {
    const normed = await askNorms({ sql, options, learning }, walk, asker)
    return { ...normed, learnt: [...learnt, ...normed.learnt] }
  }
  const answer = await inSlots(slotMs, () => runQuery(compiled, walk, asker))
  return { ...answer, learnt }
}
