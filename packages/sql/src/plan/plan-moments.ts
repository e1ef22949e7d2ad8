// The vector of a family: which coordinates, with which noise.

import {
  gaussianOfVariance,
  laplace,
  momentSensitivity,
  type MomentBasis,
  type Rational,
} from "@dosimeter/core"
import type { MomentsPlan } from "../ir/release-plan.ts"
import { rangeOf, type MomentColumns } from "./build-moments.ts"
import { varianceFor, type UnitBounds } from "./choose-mechanisms.ts"
import type { MomentFamily } from "./moment-families.ts"
import type { Allowance } from "./share-out.ts"

/** A family whose columns are built. */
export interface MomentDraft {
  readonly family: MomentFamily
  readonly columns: MomentColumns
  readonly bounds: UnitBounds
}

/** The plan of the measure that pays for a family, with a part of the loss. */
export function planMoments(draft: MomentDraft, allowance: Allowance, amount: Rational): MomentsPlan {
  const { family, columns, bounds } = draft
  const { label, grid } = family.sum
  const range = rangeOf(family)
  const law = allowance.accounting === "pure" ? "laplace" : "gaussian"
  const basis = chooseBasis(draft, law)
  const sensitivity = momentSensitivity({
    basis,
    width: range.upper - range.lower,
    groupsPerUnit: bounds.groupsPerUnit,
    rowsPerGroup: columns.rowsPerGroup,
    neighbours: bounds.neighbours,
  })
  const spec =
    law === "laplace"
      ? laplace({ sensitivity, epsilon: amount })
      : gaussianOfVariance({ sensitivity, variance: varianceFor(sensitivity, allowance, amount) })
  const { rows, sum, squares } = columns
  return {
    kind: "moments",
    label,
    reads: "sum",
    isWhole: family.sum.manner === "total",
    extract: 0,
    rows,
    sum,
    squares,
    ...range,
    grid,
    basis,
    spec,
  }
}

/**
 * The coordinates with the least noise in what is read. Of t in [0, 1] with mean m a mean gets noise in
 * proportion to the length of (1 - m, m) from the pair, whatever the law; under Gaussian noise tilted
 * coordinates have 7 % less variance over all m (and more in the number of values), and nodes up to 2.7 times
 * less in a variance than the triple.
 */
function chooseBasis({ family, columns, bounds }: MomentDraft, law: "laplace" | "gaussian"): MomentBasis {
  const mayTurn = law === "gaussian" && bounds.neighbours === "add-or-remove"
  if (family.squares !== undefined) return mayTurn && columns.areValues ? "nodes" : "triple"
  const onlyMean = [...family.readings.values()].every(({ isWhole }) => !isWhole)
  return mayTurn && onlyMean ? "tilted" : "pair"
}
