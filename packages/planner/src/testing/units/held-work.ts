// What is claimed of one unit's rows, against what a database has of them.

import { charactersOf } from "@dosimeter/proof/work/work-limits"
import { ownershipOf } from "@dosimeter/proof/units/track-unit"
import type { Catalog } from "@dosimeter/proof/catalog/catalog"
import type { ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import { printRel, type SqlText } from "@dosimeter/proof/print/print"
import { claimedWork, type ClaimedWork } from "./claimed-work.ts"

/** What the rows of a plan's relations are, in fact. */
export interface HeldWork {
  /** Claims that do not hold, in words. */
  readonly broken: readonly string[]
  /** The most rows that a unit has in any relation. */
  readonly largest: number
}

/**
 * Counts each unit's rows, and the characters of their texts, in every relation of a plan that may add any.
 * `run` gives the first row of an answer; `storedMost` is the most rows that a unit has in a table.
 */
export async function heldWork(
  plan: ReleasePlan,
  catalog: Catalog,
  data: {
    readonly run: (sql: SqlText) => Promise<readonly unknown[]>
    readonly storedMost: number
  },
): Promise<HeldWork> {
  const broken: string[] = []
  let largest = 0
  for (const { rel } of plan.releases.flatMap(({ extracts }) => extracts)) {
    for (const claim of claimedWork(rel, catalog).slice(0, -1)) {
      const sql = countsOf(claim)
      if (sql === undefined) continue
      const { kind } = claim.rel
      const { rows, sizes } = claim.work
      const [count = 0, ...texts] = (await data.run(sql)).map(Number)
      largest = Math.max(largest, count)
      const most = rows.times * data.storedMost + rows.most
      if (count > most) broken.push(`${kind}: ${count} rows of a unit, and ${most} are claimed`)
      for (const [index, size] of [...sizes.values()].entries()) {
        const length = texts[index] ?? 0
        if (length > charactersOf(size)) broken.push(`${kind}: a text of ${length} characters`)
      }
    }
  }
  return { broken, largest }
}

/** The most rows of a unit, then the longest text of each column that holds text. */
function countsOf({ rel, work }: ClaimedWork): SqlText | undefined {
  if (!["join", "mark", "union", "window", "aggregate"].includes(rel.kind)) return undefined
  const owner = ownershipOf(rel)
  const [unit] = owner.kind === "private" ? owner.units : []
  if (unit === undefined) return undefined
  const { text, parameters } = printRel(rel, "duckdb")
  // The items of an aggregate have the size of what they look at.
  const ofText = new Set(rel.columns.filter(({ domain }) => domain.type.kind === "text").map(({ id }) => id))
  const lengths = [...work.sizes.keys()].map((id, index) => ({
    own: `${ofText.has(id) ? `coalesce(max(length(c${id})), 0)` : "0"} AS l${index}`,
    all: `max(l${index})`,
  }))
  const counts = ["COUNT(*) AS n", ...lengths.map(({ own }) => own)].join(", ")
  const most = ["max(n)", ...lengths.map(({ all }) => all)].join(", ")
  return { text: `SELECT ${most} FROM (SELECT ${counts} FROM (${text}) AS t GROUP BY c${unit})`, parameters }
}
