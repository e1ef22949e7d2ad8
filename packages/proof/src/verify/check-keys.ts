// The selection of keys that come from the data covers what was proven of the extract that it reads.

import { compare, one, zero } from "@dosimeter/core/exact"
import type { AnyKeySpec } from "@dosimeter/core/mechanisms"
import { reject } from "../units/reject.ts"
import { checkWeights } from "./check-weights.ts"
import type { MeasurementContext } from "./measurements/context.ts"

/**
 * Checks the selection, if there is one.
 *
 * Guarantee: the selection loses no more than lossOf(spec) on the extract.
 * Needs: each group of the extract has a count of at least 1 (releaseKeys looks); what check-weights needs,
 *   where units are weighed.
 * Proof: the column that keys are selected by gets from a unit a whole number from 0 to `upper` in each of at
 *   most groupsPerUnit groups (proveExtract), and upper is no more than the spec says: 1 for optimal keep
 *   probabilities, rowsPerGroup for thresholds. That is what releaseKeys needs of its caller.
 * Numerics: exact.
 * Source: none.
 */
export function checkKeys({ release, neighbours, prove }: MeasurementContext): void {
  if (release.keys.kind !== "private") return
  const { spec, units } = release.keys
  const proven = prove(0)
  if (spec.kind === "keys-weighted") {
    checkWeights({ spec, column: units }, { extract: release.extracts[0], proven, neighbours })
    return
  }
  const counted = proven.contributions.get(units)
  const most = spec.kind === "keys-optimal" ? 1n : spec.rowsPerGroup
  if (counted === undefined || counted.lower !== 0n || counted.upper < 1n || counted.upper > most) {
    reject("keys count more of a unit than is stated")
  }
  if (spec.groupsPerUnit < proven.groupsPerUnit) reject("key selection expects fewer groups of a unit")
  if (spec.neighbours !== neighbours) reject("key selection has other neighbours")
  const noise =
    spec.kind === "keys-optimal"
      ? spec.epsilonPerKey
      : spec.kind === "keys-laplace"
        ? spec.scale
        : spec.variance
  if (noise.numerator <= 0n) reject("key selection without noise")
  if (spec.kind !== "keys-optimal") {
    const { lowerChance } = spec
    const isChance = compare(lowerChance, zero) >= 0 && compare(lowerChance, one) < 0
    if (!isChance) reject("a threshold is lower with a chance that is none")
  }
  if (spec.kind === "keys-gaussian" && spec.epsilon !== undefined && spec.epsilon.numerator <= 0n) {
    reject("key selection at no epsilon")
  }
}

/** Whether a selection releases the count of each group that it shows. */
export function givesCounts({ kind }: AnyKeySpec): boolean {
  return kind === "keys-laplace" || kind === "keys-gaussian"
}
