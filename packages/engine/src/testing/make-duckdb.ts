// A file of DuckDB with the tables of a test.

import { DuckDBInstance } from "@duckdb/node-api"

/** Makes the file, runs the statements in it, and closes it. */
export async function makeDuckdb(path: string, sql: string): Promise<void> {
  const instance = await DuckDBInstance.create(path)
  const connection = await instance.connect()
  await connection.run(sql)
  connection.closeSync()
  instance.closeSync()
}
