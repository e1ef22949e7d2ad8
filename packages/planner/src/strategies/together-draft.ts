// The groupings of a family as the draft of one release: the finest table is read once, and each of its
// measures is released with all groupings in view.

import type { MechanismSpec } from "@dosimeter/core"
import { assert } from "@dosimeter/core/errors"
import { multiply, rational, zero, type Rational } from "@dosimeter/core/exact"
import type { Boundary } from "@dosimeter/proof/algebra/rel"
import type { AdditivePlan, MarginsPlan, MeasurePlan, Release } from "@dosimeter/proof/algebra/release-plan"
import type { DraftOptions, PlacedDraft } from "./draft.ts"
import { bitsFor, leafColumns, placeRows } from "./family-rows.ts"
import type { Amounts, ReleaseDraft } from "./plan-release.ts"

/** What is released together, and how. */
export interface Together {
  readonly finest: Boundary
  readonly draft: ReleaseDraft
  readonly keys: Release["keys"]
  /** The mechanism of a measure under Gaussian accounting. */
  readonly specOf: (amounts: Amounts, muSquared: Rational) => MarginsPlan["spec"]
}

/** Under pure accounting cells or leaves get the noise that they would have alone, and groupings are sums. */
export function togetherDraft(
  family: readonly Boundary[],
  { finest, draft, keys, specOf }: Together,
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
        const measured = (measure: MeasurePlan): MeasurePlan => {
          if (measure.kind !== "additive") return measure
          const part = "numerator" in parts ? parts : (left?.shift() ?? zero)
          if (accounting === "pure") return marginsOf(measure, laplaceOf(measure), options)
          const muSquared = accounting === "zcdp" ? multiply(rational(2n), part) : part
          return marginsOf(measure, specOf(draft.amounts(measure.column), muSquared), options)
        }
        return {
          ...release,
          keys,
          measures: release.measures.map(measured),
          columns: leaf.map(({ id }) => id),
        }
      },
    },
    rowsOf: placeRows(family, leaf),
  }
}

function marginsOf(measure: AdditivePlan, spec: MarginsPlan["spec"], options: DraftOptions): MarginsPlan {
  const isWhole = options.nonNegative && measure.of !== "values"
  return { ...measure, kind: "margins", bits: bitsFor(measure.grid), isWhole, spec }
}

function laplaceOf({ spec }: AdditivePlan): Extract<MechanismSpec, { readonly kind: "laplace" }> {
  assert(spec.kind === "laplace", "pure accounting has Laplace noise")
  return spec
}
