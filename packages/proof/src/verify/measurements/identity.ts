// Noise on each group by itself covers what was proven of the column.

import { boundedSensitivity } from "@dosimeter/core/mechanisms"
import { reject } from "../../units/reject.ts"
import type { LinearMeasurement } from "../../algebra/measurement.ts"
import { isSameSensitivity } from "../extracts/same-sensitivity.ts"
import type { MeasurementContext } from "./context.ts"
import { provenColumn } from "./only-column.ts"

/**
 * Checks the mechanism.
 *
 * Guarantee: what releaseLaplace or releaseGaussian gives for the column loses no more than lossOf(spec).
 * Needs: each group of the extract is looked at once at most (groupsLookedAt), and stands for 0 where it has
 *   no row.
 * Proof: the spec's sensitivity is that of what proveExtract proved: so many groups of a unit, amounts in
 *   each between these bounds, for these neighbours; and there is noise. Several groupings are sums of the
 *   noisy groups, and depend on no data otherwise.
 * Numerics: integers and exact fractions.
 * Source: core's laplaceLoss and gaussianLoss.
 */
export function checkIdentity(measurement: LinearMeasurement<"identity">, context: MeasurementContext): void {
  const { spec } = measurement.strategy
  const { neighbours, groupsInAll } = context
  const expected = boundedSensitivity({
    ...provenColumn(measurement, context),
    neighbours,
    ...(groupsInAll === undefined ? {} : { groupsInAll }),
  })
  if (!isSameSensitivity(spec.sensitivity, expected)) reject("a mechanism has another sensitivity")
  const noise = spec.kind === "laplace" ? spec.scale : spec.variance
  if (noise.numerator <= 0n) reject("a measurement without noise")
  if (spec.kind === "gaussian" && spec.epsilon !== undefined && spec.epsilon.numerator <= 0n) {
    reject("a measurement at no epsilon")
  }
}
