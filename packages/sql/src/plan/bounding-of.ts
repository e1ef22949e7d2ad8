// How much of each unit may count in a boundary: where a declared key proves that a unit has one row or one
// group nothing needs to be bounded; elsewhere the question's bounds hold.

import { closureOf, dependenciesOf } from "../analyze/dependencies.ts"
import { ownershipOf } from "../analyze/track-unit.ts"
import { reject } from "../analyze/reject.ts"
import { fail } from "../errors.ts"
import type { ColumnId } from "../ir/expr.ts"
import type { Boundary } from "../ir/rel.ts"
import type { KeyFact } from "../ir/release-plan.ts"
import type { Bounding } from "./build-extract.ts"

/** The bounding of a boundary, why some of it is needless, and the declared keys that this rests on. */
export interface ProvenBounding {
  readonly bounding: Bounding
  readonly groupsProof: string | undefined
  readonly rowsProof: string | undefined
  readonly facts: readonly KeyFact[]
}

/** Decides what must be bounded. `wanted` is what the question allows. */
export function boundingOf(
  boundary: Boundary,
  wanted: { readonly groupsPerUnit: bigint; readonly rowsPerGroup: bigint; readonly unitName: string },
): ProvenBounding {
  const { input, keys } = boundary
  const owner = ownershipOf(input)
  if (owner.kind !== "private") return reject("a boundary without rows of people below it")
  const dependencies = dependenciesOf(input)
  const { rowsOf } = owner
  const unit = input.columns.find(({ id }) => owner.units.has(id))?.id
  const start: readonly (ColumnId | undefined)[] =
    rowsOf === undefined ? [...owner.units] : [dependencies.rowOf.get(rowsOf)]
  const from = start.filter((attribute) => attribute !== undefined)
  const alone = closureOf(dependencies, from)
  const grouped = closureOf(dependencies, [...from, ...keys])
  const oneGroup = keys.every((key) => alone.has(key))
  const oneRow = grouped.has(dependencies.row)
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
    facts: [...(oneGroup ? alone.facts : []), ...(oneRow ? grouped.facts : [])],
  }
}
