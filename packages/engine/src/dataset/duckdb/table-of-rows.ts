// A DuckDB file of one table whose rows another database has written as CSV: for its owner's risk report.

import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api"
import type { ColumnFacts } from "@dosimeter/policy/file/source-facts"
import type { SqlType } from "@dosimeter/proof/catalog/sql-type"
import { writeName } from "@dosimeter/proof/spell/literal"
import { fail } from "../../errors.ts"

/** A table, and what its columns are. */
export interface RowsToCopy {
  readonly name: string
  readonly columns: readonly ColumnFacts[]
}

/** Makes the file from CSV without a head, in which quoted texts are values and nothing is NULL. */
export async function tableOfRows(file: string, rows: string, { name, columns }: RowsToCopy): Promise<void> {
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

/** A column in its type; as texts, which tell values apart as well, where one has no place in the type. */
async function valueOf(connection: DuckDBConnection, { name, type }: ColumnFacts): Promise<string> {
  const own = writeName(name)
  const wanted = type === undefined ? undefined : types[type.kind]
  if (wanted === undefined) return own
  const cast = `TRY_CAST(${own} AS ${wanted})`
  const reader = await connection.runAndReadAll(
    `SELECT count(*) FROM texts WHERE ${own} IS NOT NULL AND ${cast} IS NULL`,
  )
  return Number(reader.getRows()[0]?.[0]) === 0 ? `${cast} AS ${own}` : own
}
