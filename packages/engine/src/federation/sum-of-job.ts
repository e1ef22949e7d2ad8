// The terms of a job's secure sum, which follow from the signed job and the plan: both ends work them out.

import { lossOfShares, reachOfSum, type ShareSpec } from "@dosimeter/core/distributed"
import { assert } from "@dosimeter/core/errors"
import { compare } from "@dosimeter/core/exact"
import { lossOf } from "@dosimeter/core"
import type { ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import { isCount } from "@dosimeter/proof/algebra/measurement"
import { fail } from "../errors.ts"
import { jobId, type JobDocument } from "./job.ts"
import type { JobPlan } from "./plan-job.ts"
import type { SumTerms } from "./sums/sum-terms.ts"

/** Of a job with one sum: its terms. */
export function sumTermsOf(document: JobDocument, planned: JobPlan): SumTerms {
  return termsOfRound(document, planned, { id: jobId(document) })
}

/** Which sum of a job: what it is called, and of a model which kind of its sums. */
export interface SumOfRound {
  readonly id: string
  readonly kind?: number
}

/** The terms of a sum; refused where those who hear the answer would learn more than is charged. */
export function termsOfRound(document: JobDocument, planned: JobPlan, { id, kind }: SumOfRound): SumTerms {
  const { sites, colluding, honest, threshold } = document
  checkLoss(document, planned)
  const shares = kind === undefined ? planned.shares : planned.shares.slice(kind, kind + 1)
  const limbs =
    kind === undefined
      ? limbsOf(planned.plan, shares, sites.length)
      : limbsOfModel(planned, kind, sites.length)
  return {
    id,
    sites: sites.map(({ name, key }) => ({ name, key: Buffer.from(key, "base64url").toString("base64") })),
    colluding,
    honest,
    threshold,
    numbers: shares.reduce((sum, share) => sum + share.numbers, 0),
    limbs,
  }
}

/**
 * Refuses a job whose answer tells a site that takes part, or `colluding` of them, more than is charged.
 *
 * Guarantee: against whoever knows or has left out the shares of max(1, colluding) sites, the sum over any
 *   survivors loses at most what the plan charges for; of a model, all of its sums together, each over
 *   survivors of its own.
 * Needs: every sum has at least `threshold` sites (sitesNamed); the others draw their shares by releaseShare.
 * Proof: at least threshold - max(1, colluding) shares are drawn by others and known to none of these.
 *   lossOfShares bounds what each measurement loses by those alone, and that is compared with the loss of its
 *   mechanism, which the plan charges for (verify); of a model, each kind of sums as often as it is made
 *   (verifyTraining), and a site makes no more (TrainingSums).
 * Numerics: fractions, rounded up by lossOfShares.
 * Source: as lossOfShares.
 */
function checkLoss({ threshold, honest, colluding }: JobDocument, { shares }: JobPlan): void {
  const unknown = threshold - Math.max(1, colluding)
  if (unknown < honest || !shares.every((share) => isWithin(share, unknown))) {
    fail("federation/not-for-us", { what: "its noise is too small once known shares are taken off" })
  }
}

function isWithin(share: ShareSpec, unknown: number): boolean {
  const [left, charged] = [lossOfShares(share, unknown), lossOf(share.of)]
  if (compare(left.zcdp.rho, charged.zcdp.rho) > 0) return false
  // Gaussian noise has no pure loss, and is charged none.
  if (left.pure === undefined || charged.pure === undefined) return left.pure === charged.pure
  return compare(left.pure.epsilon, charged.pure.epsilon) <= 0
}

// Each unit adds at most the bound of its kind, and there are fewer units than a count may be.
function limbsOfModel({ shares, model }: JobPlan, kind: number, sites: number): number {
  const [share, sum] = [shares[kind], model?.training.sums[kind]]
  assert(share !== undefined && sum !== undefined, "a model has sums of this kind")
  return limbsFor(reachOfSum(share, sites, BigInt(sites) * countMax * sum.bound))
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
  return limbsFor(most)
}

function limbsFor(most: bigint): number {
  // One bit for the sign.
  return Math.ceil((most.toString(2).length + 1) / 32)
}
