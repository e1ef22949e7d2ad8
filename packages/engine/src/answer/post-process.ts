// Post-processing: the released zone of a plan over noisy and public rows. It sees nothing exact.

import { assert } from "@dosimeter/core/errors"
import { evaluate } from "@dosimeter/answers/evaluate/evaluate"
import { inputsOf } from "@dosimeter/proof/algebra/walk"
import { printRel } from "@dosimeter/proof/print/print"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import type { Rel, Released, Scan } from "@dosimeter/proof/algebra/rel"
import type { Table } from "@dosimeter/answers/cells/table"
import type { ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import type { Backend } from "../dataset/backend.ts"
import { looking } from "../dataset/looking.ts"
import { nothingEarlier, tablesWithLeftOut, type EarlierTables } from "./left-out-tables.ts"
import { noisyTable, type DrawNumbers } from "./noisy-table.ts"
import { shownTables } from "./shown-table.ts"
import type { NoisyRow } from "../release/measurements/noisy-cell.ts"

/** The rows of the public tables that post-processing needs. */
export type PublicRows = ReadonlyMap<Scan, readonly (readonly Constant[])[]>

/** Reads them, before anything is charged. They are public, so nothing depends on when. */
export async function readPublic(plan: ReleasePlan, backend: Backend): Promise<PublicRows> {
  const found = new Map<Scan, readonly (readonly Constant[])[]>()
  for (const scan of leavesOf(plan.post).filter((leaf) => leaf.kind === "scan")) {
    const rows = backend.readPublic(printRel(scan, backend.dialect), scan.columns)
    found.set(scan, await looking(rows, "it does not give the rows of a public table"))
  }
  return found
}

/** The noisy rows of every release as tables, each draw by a number of its own. */
export function noisyTables(
  plan: ReleasePlan,
  noisy: readonly (readonly NoisyRow[])[],
  draws: DrawNumbers,
): readonly Table[] {
  return plan.releases.map((release, index) =>
    noisyTable(leafOf(plan, index), noisy[index] ?? [], { release, shownFrom: plan.shownFrom, draws }),
  )
}

/** The leaf of post-processing that reads a release. */
export function leafOf(plan: ReleasePlan, index: number): Released {
  const leaves = leavesOf(plan.post).filter((leaf) => leaf.kind === "released")
  const leaf = leaves.find((one) => one.release === index)
  assert(leaf !== undefined, "every release is used")
  return leaf
}

/**
 * The answer's rows, with what is known of the noise in each cell, over a table for each release as it was
 * measured: nothing that is shown or worked out sees a negative count, unless raw values are asked for, and
 * each number knows what bounding may have left out of it.
 */
export function postProcessTables(
  plan: ReleasePlan,
  tables: readonly Table[],
  publicRows: PublicRows,
  earlier: EarlierTables = nothingEarlier,
): Table {
  const shown = tablesWithLeftOut(plan, shownTables(plan, tables), earlier)
  const tableAt = (index: number): Table => {
    const table = shown[index]
    assert(table !== undefined, "post-processing reads a release of the plan")
    return table
  }
  return evaluate(plan.post, { released: tableAt, scan: (scan) => publicRows.get(scan) ?? [] })
}

function leavesOf(rel: Rel): readonly Rel[] {
  const inputs = inputsOf(rel)
  return inputs.length === 0 ? [rel] : inputs.flatMap(leavesOf)
}
