// A site's views before any job is offered: each is planned as a question of its own, so that one that does
// not keep people apart, or that names what is not there, is refused when it is written.

import { inputsOf } from "@dosimeter/proof/algebra/walk"
import type { Rel } from "@dosimeter/proof/algebra/rel"
import type { Policy } from "@dosimeter/policy/file/policy"
import { exactly, showRational, type Rational } from "@dosimeter/core/exact"
import { fail } from "../errors.ts"
import type { JobAsk } from "./job.ts"
import { planJob, type PlanningAt } from "./plan-job.ts"
import { withViews, type Views } from "./views.ts"

/** Refuses the first view that no question over several sites could be asked of. */
export function checkViews(views: Views, at: PlanningAt): void {
  for (const name of Object.keys(views)) {
    const { plan } = planJob(
      withViews(`SELECT COUNT(*) AS n FROM ${name}`, views),
      usualAsk(at.policy),
      1,
      at,
    )
    // What adds up people is counted after the release: one row, whatever is in it.
    if (addsUp(plan.post)) fail("federation/bad-view", { view: name, what: "adds up people" })
  }
}

function addsUp(rel: Rel): boolean {
  return rel.kind === "aggregate" || inputsOf(rel).some(addsUp)
}

/** What a policy asks of a question where nothing else is said; `epsilon` as it is typed. */
export function usualAsk({ terms }: Pick<Policy, "terms">, epsilon?: string): JobAsk {
  const { question, bounding, shownFrom } = terms
  const amount: Rational = epsilon === undefined ? question.epsilonDefault : exactly(epsilon, "--epsilon")
  return {
    epsilon: showRational(amount),
    delta: showRational(question.delta),
    confidence: showRational(question.confidence),
    groupsPerUnit: `${bounding.groupsPerUnit}`,
    rowsPerGroup: `${bounding.rowsPerGroup}`,
    shownFrom: `${shownFrom ?? 0n}`,
  }
}
