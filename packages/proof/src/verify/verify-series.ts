// Proves a series: its plan is proven already, and what is released of it over all versions of the data is
// proven here.

import { checkSeries, type SeriesClaim } from "./check-series.ts"
import { freezeData } from "./freeze-data.ts"
import { chargeShape } from "./shapes/plan-shape.ts"
import { runningTotalShape } from "./shapes/spec-shape.ts"
import { isVerified, type VerifiedPlan } from "./verify.ts"
import { reject } from "../units/reject.ts"

/** A series that `verifySeries` has proven: nobody else can make one, and nobody can change it. */
export type VerifiedSeries = ProvenSeries

/**
 * The same series, proven and unchangeable; or `bug/plan-rejected`.
 *
 * Guarantee: as checkSeries, for the plan, the spec and the charge of what is returned.
 * Needs: as checkSeries.
 * Proof: the plan was made by `verify`; spec and charge are frozen before they are looked at, and have no
 *   other kinds and fields than the checks know (runningTotalShape, chargeShape).
 * Numerics: exact.
 * Source: checkSeries.
 */
export function verifySeries({
  plan,
  spec,
  charge,
}: SeriesClaim & { readonly plan: VerifiedPlan }): VerifiedSeries {
  if (!isVerified(plan)) reject("the plan of a series is not proven")
  freezeData(spec)
  freezeData(charge)
  runningTotalShape.check(spec, "the spec of a series")
  chargeShape.check(charge, "the charge of a series")
  checkSeries({ plan, spec, charge })
  return new ProvenSeries(plan, { spec, charge })
}

// As of ProvenPlan: the class stays in this file, and its private field is in no copy.
class ProvenSeries {
  readonly plan: VerifiedPlan
  readonly spec: SeriesClaim["spec"]
  readonly charge: SeriesClaim["charge"]
  readonly #proven = true

  constructor(plan: VerifiedPlan, { spec, charge }: Pick<SeriesClaim, "spec" | "charge">) {
    this.plan = plan
    this.spec = spec
    this.charge = charge
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
