// The declared keys that paths to the unit rely on: a row of order_lines belongs to the unit of its order,
// and a declared key of orders proves that there is only one such order.

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
