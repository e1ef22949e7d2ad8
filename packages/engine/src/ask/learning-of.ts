// What a question learns first.

import type { CompileOptions } from "@dosimeter/planner/compile"
import { planLearning, type LearningPlan } from "./learn-bounds.ts"
import { planNorms, type NormLearning } from "./learn-norms.ts"

/**
 * The bounds of values, or norms. Where all that a unit adds is scaled, a norm takes the place of the number
 * of its groups.
 */
export function learningOf(
  sql: string,
  options: CompileOptions,
): { readonly norms?: NormLearning; readonly bounds?: LearningPlan } {
  const bounds = planLearning(sql, options)
  if (bounds !== undefined && bounds.values.length > 0) return { bounds }
  const norms = planNorms(sql, options)
  const isAll = norms !== undefined && norms.ladders.length === norms.trial.plan.releases.length
  if (norms !== undefined && (isAll || bounds === undefined)) return { norms }
  return bounds === undefined ? {} : { bounds }
}
