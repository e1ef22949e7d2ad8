// The charge of a plan is the sum of the losses of all its mechanisms.

import { chargeAmount } from "@dosimeter/core/accounting"
import { add, compare, zero } from "@dosimeter/core/exact"
import { lossOf, type MechanismSpec } from "@dosimeter/core/mechanisms"
import { reject } from "../units/reject.ts"
import type { Release, ReleasePlan } from "../algebra/release-plan.ts"

/**
 * Checks the charge; rejects any other.
 *
 * Guarantee: the charge is the sum of the losses of all specs that a release draws from, in its accounting.
 * Needs: specs have the fields of their kinds (planShape).
 * Proof: specs are those of all measurements and of the selection of keys, which are all that is drawn; not
 *   the planner's own list. Amounts and deltas are added up exactly, and compared.
 * Numerics: exact.
 * Source: Dwork and Roth 2014, section 3 (composition).
 */
export function checkCharge({ releases, charge }: ReleasePlan): void {
  const parts = releases.flatMap(specsIn).map((spec) => chargeAmount(lossOf(spec), charge.accounting))
  const amount = parts.map((part) => part.amount).reduce(add, zero)
  const delta = parts.map((part) => part.delta).reduce(add, zero)
  if (compare(amount, charge.amount) !== 0 || compare(delta, charge.delta) !== 0) {
    reject("the charge is not the sum of the losses")
  }
}

// Not the planner's own list: a mechanism that it forgets to charge for is found here.
function specsIn({ keys, measurements }: Release): readonly MechanismSpec[] {
  const specs = measurements.map((one) => (one.kind === "linear" ? one.strategy.spec : one.choice.spec))
  return keys.kind === "private" || keys.kind === "top" ? [keys.spec, ...specs] : specs
}
