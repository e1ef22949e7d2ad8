// Lists of unit ids in a database of their own, in memory: who agreed to be read. They are made before a
// question and joined with it; nothing is ever read back from them.

import type { DuckDBAppender, DuckDBConnection } from "@duckdb/node-api"
import type { OpenDuckDB } from "./open-duckdb.ts"
import type { UnitList } from "../backend.ts"

/** The name under which the database of lists is attached. */
const listDatabase = "unit_lists"

/** Attaches the database of lists; before the door is shut. */
export async function attachLists(connection: DuckDBConnection): Promise<void> {
  await connection.run(`ATTACH ':memory:' AS ${listDatabase} (READ_WRITE)`)
}

/** Where a list is, as printed SQL names it. */
export function listPath(name: string): readonly string[] {
  return [listDatabase, "main", name]
}

/** Makes a list. What is not an id of its type is nobody's, and left out. */
export async function makeList(source: OpenDuckDB, { name, type, ids }: UnitList): Promise<void> {
  const connection = await source.connect()
  try {
    await connection.run("BEGIN")
    await connection.run(
      `CREATE TABLE ${listPath(name).join(".")} (unit ${type === "integer" ? "BIGINT" : "VARCHAR"})`,
    )
    const appender = await connection.createAppender(name, "main", listDatabase)
    for (const id of new Set(ids)) append(appender, id, type)
    appender.closeSync()
    await connection.run("COMMIT")
  } finally {
    connection.closeSync()
  }
}

/** Takes a list away. Queries that read it already go on. */
export async function dropList(source: OpenDuckDB, name: string): Promise<void> {
  const connection: DuckDBConnection = await source.connect()
  try {
    await connection.run(`DROP TABLE IF EXISTS ${listPath(name).join(".")}`)
  } finally {
    connection.closeSync()
  }
}

function append(appender: DuckDBAppender, id: string, type: UnitList["type"]): void {
  if (type === "text") appender.appendVarchar(id)
  else {
    const value = /^-?\d{1,19}$/.test(id) ? BigInt(id) : undefined
    if (value === undefined || BigInt.asIntN(64, value) !== value) return
    appender.appendBigInt(value)
  }
  appender.endRow()
}
