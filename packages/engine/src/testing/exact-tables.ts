// The exact tables of a plan, for tests that compare what databases read. They never leave a test.

import { constantKey } from "@dosimeter/proof/catalog/constant"
import type { VerifiedPlan } from "@dosimeter/proof/verify/verify"
import type { Dataset } from "../prepare/open-dataset.ts"
import { releaseKey } from "../release/key/release-key.ts"
import type { ExactTable } from "../release/secret/exact-table.ts"
import type { Secret } from "../release/secret/secret.ts"
import { openPaid, readPaid } from "./read-paid.ts"

/** What is inside of a table that no plan was paid for: of tests' own queries. */
export function openTable(table: Secret<ExactTable>): ExactTable {
  return table.open(releaseKey)
}

/** What a plan reads of a dataset, one table an extract. */
export async function exactTables(
  plan: VerifiedPlan,
  { backend, version }: Pick<Dataset, "backend" | "version">,
): Promise<readonly ExactTable[]> {
  return openPaid(await readPaid(plan, { backend, version }))
}

/** What each measure gives, one text a group: the measure's number, keys, integers. Sorted. */
export async function exactSums(
  plan: VerifiedPlan,
  dataset: Pick<Dataset, "backend" | "version">,
): Promise<readonly string[]> {
  const extracts = plan.releases.flatMap((release) => release.extracts)
  const tables = await exactTables(plan, dataset)
  const measures = plan.releases.flatMap((release) => release.measures)
  const resolved = measures.map((measure) => ({
    measure: "measure" in measure ? measures[measure.measure] : measure,
    reads: "reads" in measure ? measure.reads : "rows",
  }))
  return resolved
    .flatMap(({ measure, reads }, which) => {
      if (measure === undefined || !("extract" in measure)) return []
      const { values = [] } = extracts[measure.extract] ?? {}
      const columns =
        "column" in measure
          ? [measure.column]
          : measure.kind === "moments"
            ? [measure[reads] ?? -1]
            : [measure.cell, measure.count]
      const places = columns.map((id) => values.indexOf(id))
      return (tables[measure.extract]?.rows ?? []).map(
        (row) =>
          `${which} ${[...row.keys.map(constantKey), ...places.map((place) => String(row.values[place]))].join(" ")}`,
      )
    })
    .toSorted()
}
