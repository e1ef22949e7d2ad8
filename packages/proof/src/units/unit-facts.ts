// What keys prove about units and groups of a relation: is a unit in one group, has it one row in a group?

import type { ColumnId } from "../algebra/expr.ts"
import type { Rel } from "../algebra/rel.ts"
import type { KeyFact } from "../algebra/release-plan.ts"
import { closureOf, dependenciesOf, groupClosure } from "./dependencies.ts"
import { reject } from "./reject.ts"
import { ownershipOf, type PrivateRows } from "./track-unit.ts"

/** What was proven without looking at any bounding. */
export interface UnitFacts {
  readonly owner: PrivateRows
  /** The unit decides the keys. */
  readonly oneGroup: boolean
  /** Unit and keys decide the row. */
  readonly oneRow: boolean
  /** The declared keys that the two rest on. */
  readonly facts: readonly KeyFact[]
}

/** The facts of unit-local rows that are grouped by `keys`. */
export function unitFacts(rel: Rel, keys: readonly ColumnId[]): UnitFacts {
  const owner = ownershipOf(rel)
  if (owner.kind !== "private") return reject("people are added up where there are none")
  const dependencies = dependenciesOf(rel)
  const row = owner.rowsOf === undefined ? undefined : dependencies.rowOf.get(owner.rowsOf)
  const from = owner.rowsOf === undefined ? [...owner.units] : row === undefined ? [] : [row]
  if (from.length === 0) return reject("nothing tells the unit of a row")
  const alone = closureOf(dependencies, from)
  const grouped = groupClosure(dependencies, from, { rel, keys })
  const oneGroup = keys.every((key) => alone.has(key))
  const oneRow = grouped.has(dependencies.row)
  const facts = [...(oneGroup ? alone.facts : []), ...(oneRow ? grouped.facts : [])]
  return { owner, oneGroup, oneRow, facts }
}
