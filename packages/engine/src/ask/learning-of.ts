// What a question learns first.

import type { CompileOptions } from "@dosimeter/planner/compile"
import { planLearning, type LearningPlan } from "./learn-bounds.ts"
import { planNorms, type NormLearning } from "./learn-norms.ts"

/**
 * The bounds of values, or norms, or both: then norms are learnt inside the bounds, from what these leave.
 * Where all that a unit adds is scaled, a norm takes the place of the number of its groups.
 */
export function learningOf(
  sql: string,
  options: CompileOptions,
): { readonly norms?: NormLearning; readonly bounds?: LearningPlan } {
  const bounds = planLearning(sql, options)
  if (bounds !== undefined && bounds.values.length > 0) return inBounds(sql, options, bounds)
  const norms = planNorms(sql, options)
  if (norms !== undefined && (isOfAll(norms) || bounds === undefined)) return { norms }
  return bounds === undefined ? {} : { bounds }
}

// The norms are planned inside the bounds of the trial: they tell what is asked, not with which numbers.
function inBounds(
  sql: string,
  options: CompileOptions,
  bounds: LearningPlan,
): { readonly norms?: NormLearning; readonly bounds: LearningPlan } {
  const first = planNorms(sql, bounds.rest)
  if (first === undefined || (bounds.groups !== undefined && !isOfAll(first))) return { bounds }
  const both = planLearning(
    sql,
    { ...options, ask: { ...options.ask, autoGroups: false } },
    { ladders: first.ladders.length },
  )
  const norms = both && planNorms(sql, both.rest)
  return both === undefined || norms === undefined ? { bounds } : { bounds: both, norms }
}

function isOfAll({ ladders, trial }: NormLearning): boolean {
  return ladders.length === trial.plan.releases.length
}
