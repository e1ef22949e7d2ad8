// The exact tables of a plan, for tests that compare what databases read. They never leave a test.

import { divide, multiply, one, rational, showRational } from "@dosimeter/core/exact"
import { hasStrategy, isWeighed, type Measurement } from "@dosimeter/proof/algebra/measurement"
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

/** What each reading gives, one text a group: the reading's number, keys, integers. Sorted. */
export async function exactSums(
  plan: VerifiedPlan,
  dataset: Pick<Dataset, "backend" | "version">,
): Promise<readonly string[]> {
  const extracts = plan.releases.flatMap((release) => release.extracts)
  const tables = await exactTables(plan, dataset)
  const read = plan.releases.flatMap(({ readings, measurements }) =>
    readings.map((reading) => ({
      source: "measurement" in reading ? measurements[reading.measurement] : undefined,
      column: reading.kind === "linear" ? reading.column : 0,
    })),
  )
  return read
    .flatMap(({ source, column }, which) => {
      if (source === undefined) return []
      const { values = [] } = extracts[source.extract] ?? {}
      const columns =
        source.kind === "linear" ? [source.columns[column]?.id ?? -1] : [source.cell, source.count]
      const places = columns.map((id) => values.indexOf(id))
      return (tables[source.extract]?.rows ?? []).map((row) => {
        const numbers = places.map((place, at) => inSteps(row.values[place] ?? 0n, source, { column, at }))
        return `${which} ${[...row.keys.map(constantKey), ...numbers].join(" ")}`
      })
    })
    .toSorted()
}

/** What a number stands for, in steps of the aggregate or in rows; weighed ones may be fractions. */
function inSteps(
  number: bigint,
  source: Measurement,
  { column, at }: { readonly column: number; readonly at: number },
): string {
  // A cell is a cell; what it counts may be weights.
  if (isWeighed(source) && at === 1) return showRational(rational(number, source.choice.spec.full ?? 1n))
  if (!hasStrategy(source, "scaled")) return `${number}`
  const { worths, steps } = source.strategy
  return showRational(divide(multiply(rational(number), worths[column] ?? one), steps[column] ?? one))
}
