// Several questions planned together, with the norms of ladders that are on record: nothing is learnt or paid
// for on the way.

import { maximum, rational } from "@dosimeter/core/exact"
import type { CompileOptions } from "@dosimeter/planner/compile"
import { planWorkload, type Workload, type WorkloadQuestion } from "@dosimeter/planner/workload/plan-workload"
import { epsilonLeast } from "@dosimeter/proof/catalog/terms"
import { Bill } from "../release/bill.ts"
import { partOf } from "./bounds-share.ts"
import { recordedNorms } from "./recorded-norms.ts"
import { billedOf, type Walk } from "./run-query.ts"

/**
 * The plan. A norm is chosen for an equal part of the loss. Where the same questions were answered without
 * these norms already, the plan is that of then, which costs nothing.
 */
export async function planTogether(
  questions: readonly WorkloadQuestion[],
  options: Omit<CompileOptions, "parameters">,
  walk: Walk,
): Promise<Workload> {
  const plain = planWorkload(questions, options)
  const { budget, question } = options.terms
  const whole = options.ask?.epsilon ?? question.epsilonDefault
  const share = rational(1n, BigInt(Math.max(1, questions.length)))
  const epsilon = maximum(epsilonLeast, partOf(whole, share, budget.accounting))
  const normed: WorkloadQuestion[] = []
  for (const one of questions)
    normed.push({ ...one, norms: await recordedNorms(one.sql, options, walk, epsilon) })
  if (normed.every(({ norms }) => norms === undefined || norms.size === 0)) return plain
  return (await isReleased(plain, walk)) ? plain : planWorkload(normed, options)
}

async function isReleased(workload: Workload, walk: Walk): Promise<boolean> {
  const found = await walk.ledger.find(Bill.ofSeveral(workload, billedOf(walk)).question)
  return found !== undefined && walk.mayUse(found.charge)
}
