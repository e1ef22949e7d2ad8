// Running totals, drawn step by step.

import { assert } from "@dosimeter/core/errors"
import { releaseMeasurement } from "@dosimeter/core/mechanisms"
import type { RandomBits } from "@dosimeter/core/noise"
import type { LinearMeasurement } from "@dosimeter/proof/algebra/measurement"

/** From the step after the last one that was drawn, through the last one that is over. */
export interface Steps {
  readonly after: bigint
  readonly through: bigint
}

/**
 * Draws what is measured at some steps, from the amounts of all steps so far.
 *
 * Guarantee: as releaseMeasurement; all of a series together lose lossOf(spec).
 * Needs: a step that was drawn before is not drawn again (the ledger sees to it); `amounts` has the one
 *   column of the measurement, a number for each step.
 * Proof: amounts are those of the listed periods, in their order, up to the step; each goes through
 *   releaseMeasurement once, with the measurement's own spec.
 * Numerics: integers.
 * Source: core's running totals.
 */
export function drawSteps(
  { strategy: { spec } }: LinearMeasurement<"totals">,
  amounts: readonly bigint[],
  { after, through }: Steps,
  rng: RandomBits,
): readonly bigint[] {
  return Array.from({ length: Number(through - after) }, (_, index) =>
    releaseMeasurement(spec, amounts.slice(0, Number(after) + index + 1), rng),
  )
}

/** Not at once: later steps wait for their data. Nobody can pay for that (Bill). */
export function drawnByStep(): never {
  assert(false, "running totals are drawn step by step")
}
