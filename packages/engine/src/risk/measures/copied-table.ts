// A table of a PostgreSQL as a DuckDB file of the report's own: copied into a folder that is removed when the
// report is made.

import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api"
import type { PostgresSource } from "@dosimeter/policy/file/policy"
import type { SqlType } from "@dosimeter/proof/catalog/sql-type"
import { writeName } from "@dosimeter/proof/spell/literal"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { exportRows, type ExportedTable } from "../../dataset/postgres/export-rows.ts"
import type { DuckDBSource } from "../../dataset/duckdb/source-files.ts"
import { fail } from "../../errors.ts"

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
    await writeCopy(file, rows, exported)
    rmSync(rows)
    return await work({ kind: "duckdb", file })
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

async function writeCopy(file: string, rows: string, { name, columns }: ExportedTable): Promise<void> {
  const instance = await DuckDBInstance.create(file)
  const connection = await instance.connect()
  try {
    const texts = columns.map((column) => `'${column.name.replaceAll("'", "''")}': 'VARCHAR'`).join(", ")
    // The driver's message may quote what it read, so it is replaced.
    await connection
      .run(
        `CREATE TEMP TABLE texts AS SELECT * FROM read_csv('${rows.replaceAll("'", "''")}', header = false,
         auto_detect = false, delim = ',', quote = '"', escape = '"', nullstr = '', allow_quoted_nulls = false,
         max_line_size = 100000000, columns = {${texts}})`,
      )
      .catch(() => fail("risk/failed", {}))
    const values: string[] = []
    for (const column of columns) values.push(await valueOf(connection, column))
    await connection.run(`CREATE TABLE ${writeName(name)} AS SELECT ${values.join(", ")} FROM texts`)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

const types: Readonly<Partial<Record<SqlType["kind"], string>>> = {
  boolean: "BOOLEAN",
  integer: "BIGINT",
  decimal: "DOUBLE",
  float: "DOUBLE",
  date: "DATE",
  timestamp: "TIMESTAMP",
}

/** A column in its type; as texts, which are classes just as well, where one value has no place in the type. */
async function valueOf(
  connection: DuckDBConnection,
  { name, type }: ExportedTable["columns"][number],
): Promise<string> {
  const own = writeName(name)
  const wanted = type === undefined ? undefined : types[type.kind]
  if (wanted === undefined) return own
  const cast = `TRY_CAST(${own} AS ${wanted})`
  const reader = await connection.runAndReadAll(
    `SELECT count(*) FROM texts WHERE ${own} IS NOT NULL AND ${cast} IS NULL`,
  )
  return Number(reader.getRows()[0]?.[0]) === 0 ? `${cast} AS ${own}` : own
}
