// Proves a series: its plan is proven already, and what is released of it over all versions of the data is
// proven here.

import type { RunningTotalSpec } from "@dosimeter/core/mechanisms"
import type { Charge } from "../algebra/release-plan.ts"
import { reject } from "../units/reject.ts"
import { checkSeries, seriesTable } from "./check-series.ts"
import { isVerified, type VerifiedPlan } from "./verify.ts"

/** A series that `verifySeries` has proven: nobody else can make one, and nobody can change it. */
export type VerifiedSeries = ProvenSeries

/**
 * The plan as a series, proven; or `bug/plan-rejected`.
 *
 * Guarantee: as checkSeries, for the plan of what is returned. A `former` plan reads the same table, by the
 *   same periods.
 * Needs: as checkSeries.
 * Proof: both plans were made by `verify`, and cannot be changed; they share their extract and keys.
 * Numerics: exact.
 * Source: checkSeries.
 */
export function verifySeries(plan: VerifiedPlan, former?: VerifiedPlan): VerifiedSeries {
  if (!isVerified(plan)) reject("the plan of a series is not proven")
  checkSeries(plan)
  if (former !== undefined) checkFormer(plan, former)
  return new ProvenSeries(plan, former)
}

function checkFormer(plan: VerifiedPlan, former: VerifiedPlan): void {
  const [release, ...others] = former.releases
  const { extracts, keys } = plan.releases[0] ?? reject("a series is one table")
  const isSame = release?.extracts[0] === extracts[0] && release?.keys === keys && others.length === 0
  if (!isVerified(former) || !isSame) reject("a series was charged for as another one")
}

// As of ProvenPlan: the class stays in this file, and its private field is in no copy.
class ProvenSeries {
  readonly plan: VerifiedPlan
  /** The plan that the same series was charged for before running totals were a strategy: for its hash. */
  readonly former: VerifiedPlan | undefined
  /** What is measured, and its noise: the plan's own. */
  readonly spec: RunningTotalSpec
  /** What all steps together lose: the plan's own. */
  readonly charge: Charge
  readonly #proven = true

  constructor(plan: VerifiedPlan, former: VerifiedPlan | undefined) {
    this.plan = plan
    this.former = former
    this.spec = seriesTable(plan).measurement.strategy.spec
    this.charge = plan.charge
    Object.freeze(this)
  }

  static isOne(value: object): value is ProvenSeries {
    return #proven in value && value.#proven
  }
}

/** Whether a value was made by `verifySeries`, whatever its type says. */
export function isVerifiedSeries(value: object): value is VerifiedSeries {
  return ProvenSeries.isOne(value)
}
