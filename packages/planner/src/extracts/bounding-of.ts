// How much of each unit may count in a boundary: where a declared key proves that a unit has one row or one
// group nothing needs to be bounded; elsewhere the question's bounds hold.

import { unitFacts } from "@dosimeter/proof/units/unit-facts"
import { fail } from "../errors.ts"
import type { Boundary } from "@dosimeter/proof/algebra/rel"
import type { Bounding } from "./build-extract.ts"
import { refuseEstimates } from "./refuse-estimates.ts"

/** The bounding of a boundary, and why some of it is needless. */
export interface ProvenBounding {
  readonly bounding: Bounding
  readonly groupsProof: string | undefined
  readonly rowsProof: string | undefined
}

/** Decides what must be bounded. `wanted` is what the question allows. */
export function boundingOf(
  boundary: Boundary,
  wanted: { readonly groupsPerUnit: bigint; readonly rowsPerGroup: bigint; readonly unitName: string },
): ProvenBounding {
  const { input, keys } = boundary
  refuseEstimates(input)
  const { owner, oneGroup, oneRow } = unitFacts(input, keys)
  const { rowsOf } = owner
  const unit = input.columns.find(({ id }) => owner.units.has(id))?.id
  if (rowsOf !== undefined && !(oneRow && oneGroup)) {
    return fail("privacy/rows-multiplied", { table: rowsOf.table.name }, boundary.at)
  }
  const name = wanted.unitName
  return {
    bounding: {
      unit: rowsOf === undefined ? unit : undefined,
      oneRow,
      oneGroup,
      groupsPerUnit: oneGroup ? 1n : wanted.groupsPerUnit,
      rowsPerGroup: oneRow ? 1n : wanted.rowsPerGroup,
    },
    groupsProof: !oneGroup
      ? undefined
      : keys.length === 0
        ? "there is one group"
        : `the group is decided by the ${name}`,
    rowsProof: oneRow ? `a ${name} has one row in a group` : undefined,
  }
}

/**
 * Nobody can be in more groups than there are. Where the largest of listed groups are chosen, all of a unit's
 * groups may count: only those that are shown matter.
 */
export function boundingWithin(
  bounding: Bounding,
  groupsInAll: bigint | undefined,
  choosesTop: boolean,
): Bounding {
  const { groupsPerUnit, oneGroup } = bounding
  if (oneGroup || groupsInAll === undefined) return bounding
  if (groupsPerUnit < groupsInAll && !choosesTop) return bounding
  return { ...bounding, groupsPerUnit: groupsInAll, oneGroup: true }
}
