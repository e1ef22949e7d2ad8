// The terms of a job's secure sum, which follow from the signed job and the plan: both ends work them out.

import { reachOfSum, type ShareSpec } from "@dosimeter/core/distributed"
import type { ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import { isCount } from "@dosimeter/proof/algebra/measurement"
import { jobId, type JobDocument } from "./job.ts"
import type { JobPlan } from "./plan-job.ts"
import type { SumTerms } from "./sums/sum-terms.ts"

/** The terms of the sum. */
export function sumTermsOf(document: JobDocument, { plan, shares }: JobPlan): SumTerms {
  const { sites, colluding, honest, threshold } = document
  return {
    id: jobId(document),
    sites: sites.map(({ name, key }) => ({ name, key: Buffer.from(key, "base64url").toString("base64") })),
    colluding,
    honest,
    threshold,
    numbers: shares.reduce((sum, share) => sum + share.numbers, 0),
    limbs: limbsOf(plan, shares, sites.length),
  }
}

/** Counts of one group are below this; all other combinations of what a database gives below the other. */
const countMax = 1n << 48n
const anyMax = 1n << 240n

// So wide that no sum wraps: what would, would be wrong, not less private.
function limbsOf(plan: ReleasePlan, shares: readonly ShareSpec[], sites: number): number {
  const measurements = plan.releases.flatMap((release) => release.measurements)
  const reach = shares.map((share, index) => {
    const measurement = measurements[index]
    const counts =
      measurement?.kind === "linear" &&
      measurement.strategy.kind === "identity" &&
      measurement.columns.every(isCount)
    return reachOfSum(share, sites, BigInt(sites) * (counts ? countMax : anyMax))
  })
  const most = reach.reduce((a, b) => (a > b ? a : b), 1n)
  // One bit for the sign.
  return Math.ceil((most.toString(2).length + 1) / 32)
}
