// The groupings of a family as the draft of one release: the finest table is read once, and each of its
// columns is measured with all groupings in view.

import { multiply, rational, zero, type Rational } from "@dosimeter/core/exact"
import type { Boundary } from "@dosimeter/proof/algebra/rel"
import type { LinearMeasurement, Strategy } from "@dosimeter/proof/algebra/measurement"
import type { GroupedKeys } from "@dosimeter/proof/algebra/grouping-sums"
import type { Release } from "@dosimeter/proof/algebra/release-plan"
import type { ProvenBounding } from "../extracts/bounding-of.ts"
import type { DraftOptions, PlacedDraft } from "./draft.ts"
import { leafColumns, placeRows } from "./family-rows.ts"
import type { Amounts, ReleaseDraft } from "./plan-release.ts"
import { payersOf, weighJoint, type JointColumn } from "./weigh-joint.ts"

/** What is released together, and how. */
export interface JointRelease {
  readonly finest: Boundary
  readonly draft: ReleaseDraft
  readonly proven: ProvenBounding
  readonly keys: GroupedKeys
  /** How a column is measured under Gaussian accounting. */
  readonly strategyOf: (amounts: Amounts, muSquared: Rational) => Strategy
}

/**
 * Under pure accounting cells or leaves get the noise that they would have alone, and groupings are sums.
 * Under Gaussian accounting units are weighed where they can be, and nothing of them is dropped.
 */
export function jointDraft(
  family: readonly Boundary[],
  joint: JointRelease,
  options: DraftOptions,
): PlacedDraft {
  const { finest, draft, keys } = joint
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
        const columns = leaf.map(({ id }) => id)
        if (accounting === "pure") return { ...release, keys, columns }
        const all = release.measurements.flatMap((measurement, index): readonly JointMeasurement[] => {
          if (measurement.kind !== "linear") return []
          const part = "numerator" in parts ? parts : (parts[index] ?? zero)
          return [{ measurement, muSquared: accounting === "zcdp" ? multiply(rational(2n), part) : part }]
        })
        const weighed = weighedRelease(release, all, joint, options)
        return { ...(weighed ?? cutRelease(release, all, joint)), keys, columns }
      },
    },
    rowsOf: placeRows(family, leaf),
  }
}

interface JointMeasurement {
  readonly measurement: LinearMeasurement
  readonly muSquared: Rational
}

// Few groups of a unit count, and little in each.
function cutRelease(
  release: Release,
  all: readonly JointMeasurement[],
  { draft, strategyOf }: JointRelease,
): Release {
  const measurements = all.map(({ measurement, muSquared }) => {
    const amounts = draft.amounts(measurement.columns[0]?.id ?? -1)
    return { ...measurement, strategy: strategyOf(amounts, muSquared) }
  })
  return { ...release, measurements }
}

// All of a unit counts, by its weight; undefined where that cannot be, or all counts as it is.
function weighedRelease(
  release: Release,
  all: readonly JointMeasurement[],
  { finest, draft, proven, keys, strategyOf }: JointRelease,
  options: DraftOptions,
): Release | undefined {
  const { bounding } = proven
  const payers = payersOf(finest, release.readings, all.length)
  if (payers === undefined || bounding.oneGroup || (draft.countsAllGroups && bounding.oneRow))
    return undefined
  const columns = all.flatMap(({ measurement, muSquared }, index): readonly JointColumn[] => {
    const aggregate = payers[index]
    const amounts = draft.amounts(measurement.columns[0]?.id ?? -1)
    if (aggregate === undefined) return []
    const { lower, upper, groupsPerUnit } = amounts
    return [
      {
        aggregate,
        amounts,
        measurement,
        strategyOf: (full) =>
          strategyOf({ lower: lower * full, upper: upper * full, groupsPerUnit }, muSquared),
      },
    ]
  })
  const weighed = weighJoint(columns, { finest, keys, bounding, onPairs: draft.readsCopies }, options)
  if (weighed === undefined) return undefined
  const { extract, labels, scaled, measurements } = weighed
  return {
    ...release,
    extracts: [extract],
    prepared: labels,
    bounds: { ...release.bounds, scaled },
    measurements,
  }
}
