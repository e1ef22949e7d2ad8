// A statement as it was asked: averages that share a count, and estimates beside the answer.

import type { Boundary } from "../ir/rel.ts"
import type { ReleasePlan } from "../ir/release-plan.ts"
import { centreMeans } from "./centre-means.ts"
import { planWithBias } from "./plan-bias.ts"
import { plan, type BoundStatement, type PlanOptions } from "./plan.ts"
import { boundariesOf } from "./replace-boundaries.ts"

/** A plan, and what its releases measure, in order. Estimates of what is left out come after those. */
export interface AskedPlan {
  readonly plan: ReleasePlan
  readonly boundaries: readonly Boundary[]
}

/** The plan of a statement, with what was asked for beside it. */
export function planAsked(bound: BoundStatement, options: PlanOptions): AskedPlan {
  const { bias } = options.ask
  const statement = { ...bound, rel: centreMeans(bound.rel, options.terms.budget.accounting) }
  return {
    plan: bias === undefined ? plan(statement, options) : planWithBias(statement, options, bias),
    boundaries: boundariesOf(statement.rel),
  }
}
