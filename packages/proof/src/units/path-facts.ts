// The declared keys behind paths to the unit. A line of an order belongs to the person of that order, if the
// key of orders holds: each such key is a fact that the proof relies on.

import type { KeyFact } from "../algebra/release-plan.ts"
import type { Rel } from "../algebra/rel.ts"
import { inputsOf, ownScan } from "../algebra/walk.ts"

/** The keys that the paths of all tables in a relation lead to. */
export function pathFacts(rel: Rel): readonly KeyFact[] {
  const unit = ownScan(rel)?.table.unit
  const own = unit?.kind === "path" ? unit.hops.map(({ table, key }) => ({ table, columns: [key] })) : []
  return [...own, ...inputsOf(rel).flatMap(pathFacts)]
}

/** Facts without repetitions, in a fixed order. */
export function distinctFacts(facts: readonly KeyFact[]): readonly KeyFact[] {
  const byName = new Map(facts.map((fact) => [`${fact.table}(${fact.columns.join(", ")})`, fact]))
  return [...byName].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, fact]) => fact)
}
