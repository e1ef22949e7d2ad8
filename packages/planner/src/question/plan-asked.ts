// A statement as it was asked: averages that share a count, filters that are measured together.

import type { Boundary } from "@dosimeter/proof/algebra/rel"
import type { ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import { centreMeans } from "./centre-means.ts"
import { pivotFilters } from "./pivot-filters.ts"
import { plan, scaledReleases, type BoundStatement, type PlanOptions, type ScaledRelease } from "./plan.ts"
import { resolveAsk } from "../loss/resolve-ask.ts"
import { boundariesOf } from "./replace-boundaries.ts"

/** A plan, and what its releases measure, in order. */
export interface AskedPlan {
  readonly plan: ReleasePlan
  readonly boundaries: readonly Boundary[]
}

/** The plan of a statement. */
export function planAsked(bound: BoundStatement, options: PlanOptions): AskedPlan {
  const statement = arranged(bound, options)
  return { plan: plan(statement, options), boundaries: boundariesOf(statement.rel) }
}

/** The releases of that plan whose units are scaled. */
export function scaledInAsked(bound: BoundStatement, options: PlanOptions): readonly ScaledRelease[] {
  return scaledReleases(arranged(bound, options), options)
}

/**
 * The statement in the form with the least noise. Filters are not pivoted where the owner hides small counts:
 * that rule looks at each column by itself.
 */
function arranged(bound: BoundStatement, { terms, ask }: PlanOptions): BoundStatement {
  const rel = centreMeans(bound.rel, terms.budget.accounting)
  const pivoted =
    terms.shownFrom === undefined ? pivotFilters(rel, resolveAsk(terms, ask).groupsPerUnit) : undefined
  if (pivoted === undefined) return { ...bound, rel }
  return { ...bound, rel: pivoted, notes: [...bound.notes, together] }
}

const together = "filters that exclude each other are measured together, for the loss of one"
