// The groupings of a family as the draft of one release: the finest table is read once, and each of its
// columns is measured with all groupings in view.

import { multiply, rational, zero, type Rational } from "@dosimeter/core/exact"
import type { Boundary } from "@dosimeter/proof/algebra/rel"
import type { Measurement, Strategy } from "@dosimeter/proof/algebra/measurement"
import type { PublicKeys } from "@dosimeter/proof/algebra/release-plan"
import type { DraftOptions, PlacedDraft } from "./draft.ts"
import { leafColumns, placeRows } from "./family-rows.ts"
import type { Amounts, ReleaseDraft } from "./plan-release.ts"

/** What is released together, and how. */
export interface JointRelease {
  readonly finest: Boundary
  readonly draft: ReleaseDraft
  readonly keys: PublicKeys
  /** How a column is measured under Gaussian accounting. */
  readonly strategyOf: (amounts: Amounts, muSquared: Rational) => Strategy
}

/** Under pure accounting cells or leaves get the noise that they would have alone, and groupings are sums. */
export function jointDraft(
  family: readonly Boundary[],
  { finest, draft, keys, strategyOf }: JointRelease,
  options: DraftOptions,
): PlacedDraft {
  const leaf = leafColumns(finest, family.length, options)
  return {
    answers: family,
    draft: {
      parts: draft.parts,
      partWeights: (weights) => draft.partWeights(weights),
      selectsKeys: false,
      finish: (allowance, parts) => {
        const { accounting } = allowance
        // Sums of cells have Laplace noise where epsilons are added up.
        const release = draft.finish({ ...allowance, deltaForNoise: zero }, parts)
        const left = "numerator" in parts ? undefined : [...parts]
        const measured = (measurement: Measurement): Measurement => {
          const part = "numerator" in parts ? parts : (left?.shift() ?? zero)
          if (accounting === "pure" || measurement.kind !== "linear") return measurement
          const muSquared = accounting === "zcdp" ? multiply(rational(2n), part) : part
          const amounts = draft.amounts(measurement.columns[0]?.id ?? -1)
          return { ...measurement, strategy: strategyOf(amounts, muSquared) }
        }
        return {
          ...release,
          keys,
          measurements: release.measurements.map(measured),
          columns: leaf.map(({ id }) => id),
        }
      },
    },
    rowsOf: placeRows(family, leaf),
  }
}
