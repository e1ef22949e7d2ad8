// A CSV file of ours as Parquet, by a DuckDB that holds nothing else.

import { DuckDBInstance } from "@duckdb/node-api"

/** Writes it; an empty field that is not quoted is NULL. */
export async function csvToParquet(
  csv: string,
  parquet: string,
  types: Readonly<Record<string, string>>,
): Promise<void> {
  const instance = await DuckDBInstance.create(":memory:")
  const connection = await instance.connect()
  const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`
  const columns = Object.entries(types).map(([name, type]) => `${quoted(name)}: ${quoted(type)}`)
  try {
    const named = `columns = {${columns.join(", ")}}`
    const read = `read_csv(${quoted(csv)}, header = true, allow_quoted_nulls = false, ${named})`
    await connection.run(`COPY (SELECT * FROM ${read}) TO ${quoted(parquet)} (FORMAT parquet)`)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
