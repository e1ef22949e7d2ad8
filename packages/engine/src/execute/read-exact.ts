// Runs the extracts of a plan, one after the other.

import { printPlan, printRel, type Rel, type VerifiedPlan } from "@dosimeter/sql"
import type { Backend } from "../backend/backend.ts"
import type { DataVersion } from "../dataset/data-version.ts"
import { fail } from "../errors.ts"
import type { ExactTable } from "../exact/exact-table.ts"
import type { Secret } from "../exact/secret.ts"

/** The exact tables of each release. */
export async function readExact(
  plan: VerifiedPlan,
  { backend, version }: { readonly backend: Backend; readonly version: DataVersion },
  signal: AbortSignal | undefined,
): Promise<readonly (readonly Secret<ExactTable>[])[]> {
  const texts = printPlan(plan, backend.dialect)[Symbol.iterator]()
  const releases: Secret<ExactTable>[][] = []
  for (const { extracts } of plan.releases) {
    const tables: Secret<ExactTable>[] = []
    for (const { rel, keys } of extracts) {
      const sql = texts.next().value ?? fail("backend/failed", {})
      const groupCount = rel.kind === "aggregate" ? rel.keys.length : keys.length
      const query = { sql, columns: rel.columns, keyCount: keys.length, groupCount }
      const options = { secret: version.secret, ...(signal === undefined ? {} : { signal }) }
      tables.push(await backend.run(query, options))
    }
    releases.push(tables)
  }
  // Read from the source whose claims were looked at, to the last row.
  version.check()
  return releases
}

/** The rows below an extract: keys first, then integers, one row for each combination of keys. */
export async function readRows(
  { rel, keyCount }: { readonly rel: Rel; readonly keyCount: number },
  { backend, version }: { readonly backend: Backend; readonly version: DataVersion },
  signal: AbortSignal | undefined,
): Promise<Secret<ExactTable>> {
  const sql = printRel(rel, backend.dialect)
  const query = { sql, columns: rel.columns, keyCount, groupCount: keyCount }
  const rows = await backend.run(query, {
    secret: version.secret,
    ...(signal === undefined ? {} : { signal }),
  })
  version.check()
  return rows
}
