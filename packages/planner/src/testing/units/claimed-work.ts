// What is claimed of one unit's rows, for every relation of an extract.

import { workOf, type UnitWork } from "@dosimeter/proof/work/unit-work"
import { workLimitsOf } from "@dosimeter/proof/work/work-limits"
import type { Catalog } from "@dosimeter/proof/catalog/catalog"
import type { Rel } from "@dosimeter/proof/algebra/rel"
import { inputsOf } from "@dosimeter/proof/algebra/walk"

/** A relation, and what is claimed of it. */
export interface ClaimedWork {
  readonly rel: Rel
  readonly work: UnitWork
}

/** The claims about a relation and all below it; its own is the last. */
export function claimedWork(rel: Rel, catalog: Catalog): readonly ClaimedWork[] {
  const below = inputsOf(rel).map((input) => claimedWork(input, catalog))
  const works = below.flatMap((list) => list.slice(-1)).map(({ work }) => work)
  const work = workOf(rel, works, workLimitsOf(catalog))
  if (work.kind === "excess") throw new Error(`too much: ${work.what}`)
  return [...below.flat(), { rel, work }]
}
