// What a plan claims of the columns of every relation in it, held against real tables in DuckDB.

import type { Rel } from "../../algebra/rel.ts"
import type { ReleasePlan } from "../../algebra/release-plan.ts"
import { inputsOf } from "../../algebra/walk.ts"
import { brokenIn } from "./ask.ts"
import type { ReadColumns } from "./real-database.ts"
import { duckdbShowing } from "./real-duckdb.ts"

/** Every relation of the extracts of a plan, each once. */
function relationsOf(plan: ReleasePlan): ReadonlySet<Rel> {
  const found = new Set<Rel>()
  const visit = (rel: Rel): void => {
    if (found.has(rel)) return
    found.add(rel)
    for (const input of inputsOf(rel)) visit(input)
  }
  for (const { extracts } of plan.releases) for (const { rel } of extracts) visit(rel)
  return found
}

/**
 * What is false. Lists are left out: an owner's list says which values are shown, and others may be stored.
 */
export async function brokenClaimsOf(plan: ReleasePlan, read: ReadColumns): Promise<readonly string[]> {
  const broken: string[] = []
  for (const rel of relationsOf(plan)) {
    const columns = rel.columns.map(({ domain: { values: _listed, ...domain }, ...column }) => ({
      ...column,
      domain,
    }))
    broken.push(...(await brokenIn(rel, columns, { showing: duckdbShowing, read })))
  }
  return broken
}
