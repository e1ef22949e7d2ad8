// A table of a PostgreSQL as a DuckDB file of the report's own: copied into a folder that is removed when the
// report is made.

import type { PostgresSource } from "@dosimeter/policy/file/policy"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { exportRows } from "../../dataset/postgres/export-rows.ts"
import type { DuckDBSource } from "../../dataset/duckdb/source-files.ts"
import { tableOfRows } from "../../dataset/duckdb/table-of-rows.ts"

/** Which table of which server, and what is done with its copy. */
export interface CopyOptions<Result> {
  readonly folder: string
  readonly table: string | undefined
  readonly work: (copy: DuckDBSource) => Promise<Result>
}

/** Works on a copy of one table. */
export async function onCopiedTable<Result>(
  source: PostgresSource,
  { folder, table, work }: CopyOptions<Result>,
): Promise<Result> {
  const place = mkdtempSync(join(tmpdir(), "dosimeter-risk-copy-"))
  try {
    const [rows, file] = [join(place, "rows.csv"), join(place, "rows.duckdb")]
    const exported = await exportRows(source, { folder, table, to: rows })
    await tableOfRows(file, rows, exported)
    rmSync(rows)
    return await work({ kind: "duckdb", file })
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}
