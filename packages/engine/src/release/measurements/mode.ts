// The most frequent value of each group.

import { assert } from "@dosimeter/core/errors"
import { releaseSelection } from "@dosimeter/core/mechanisms"
import type { RandomBits } from "@dosimeter/core/noise"
import type { ChoiceMeasurement } from "@dosimeter/proof/algebra/measurement"
import type { DrawnChoice } from "./drawn.ts"

/**
 * Chooses a value in each group.
 *
 * Guarantee: the loss is lossOf(spec).
 * Needs: as releaseTables; a histogram for each group, a count for each value.
 * Proof: core's release function is called once for each group, with the measurement's own spec.
 * Numerics: integers.
 * Source: core's selection.
 */
export function drawMode(
  { choice: { spec, values } }: ChoiceMeasurement<"mode">,
  histograms: Iterable<readonly bigint[]>,
  rng: RandomBits,
): DrawnChoice {
  const chosen = Array.from(histograms, (histogram) => {
    const value = values[releaseSelection(spec, histogram, rng)]
    assert(value !== undefined, "a listed value is chosen")
    return { value }
  })
  return { cells: () => chosen }
}
