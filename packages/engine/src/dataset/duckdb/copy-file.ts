// The file of prepared copies, and whether it may be read: it says which version of the data it was made of,
// under which secret, by which DuckDB and by which queries. What does not match is not served.

import type { DuckDBConnection } from "@duckdb/node-api"
import { printCopy } from "@dosimeter/proof/print/print-copy"
import type { PreparedTable } from "@dosimeter/proof/units/prepared-table"
import { createHash, createHmac } from "node:crypto"
import { join } from "node:path"
import type { DataVersion } from "../data-version.ts"

/** The name under which the file is attached. */
export const preparedDatabase = "prepared"

/** Where copies are, as printed SQL names them. */
export const preparedSchema: readonly string[] = [preparedDatabase, "main"]

const format = "dosimeter prepared 1"

/** The file of a dataset, in the folder of its state. */
export function preparedFile(state: string, dataset: string): string {
  return join(state, `${dataset}.prepared`)
}

/**
 * What all copies of a file have in common: equal for the same data, secret and database, and for no others.
 */
export async function manifestHead(connection: DuckDBConnection, version: DataVersion): Promise<string> {
  const reader = await connection.runAndReadAll("SELECT version()")
  const [database] = reader.getRows()[0] ?? []
  const marker = createHmac("sha256", version.secret).update(format).digest("hex")
  return [format, `data ${version.name}`, `secret ${marker}`, `duckdb ${String(database)}`].join("\n")
}

/** Stands for the query that a copy is made by: reading rules, columns, places and order. */
export function copyDigest(copy: PreparedTable): string {
  return createHash("sha256")
    .update(printCopy(copy, { dialect: "duckdb", secret: "secret" }))
    .digest("hex")
}

/** Attaches a file. Paths are ours, and quoted. */
export async function attachFile(
  connection: DuckDBConnection,
  path: string,
  mode: "READ_ONLY" | "READ_WRITE",
): Promise<void> {
  await connection.run(`ATTACH '${path.replaceAll("'", "''")}' AS ${preparedDatabase} (${mode})`)
}

/** Takes it away again. */
export async function detachFile(connection: DuckDBConnection): Promise<void> {
  await connection.run(`DETACH ${preparedDatabase}`)
}

/** The copies that an attached file holds and that may be read; none, if it is not of this version. */
export async function matchingCopies(
  connection: DuckDBConnection,
  head: string,
  copies: readonly PreparedTable[],
): Promise<readonly PreparedTable[]> {
  const known = await tablesIn(connection)
  if (!known.includes("manifest") || !known.includes("finished")) return []
  const heads = await connection.runAndReadAll(`SELECT head FROM ${preparedDatabase}.main.manifest`)
  const rows = heads.getRows()
  if (rows.length !== 1 || rows[0]?.[0] !== head) return []
  const finished = await connection.runAndReadAll(
    `SELECT label || chr(10) || digest FROM ${preparedDatabase}.main.finished`,
  )
  const held = new Set(finished.getRows().map(([text]) => text))
  return copies.filter(
    (copy) => held.has(`${copy.label}\n${copyDigest(copy)}`) && known.includes(copy.table.path.at(-1) ?? ""),
  )
}

/** The names of the tables in an attached file. */
export async function tablesIn(connection: DuckDBConnection): Promise<readonly string[]> {
  const reader = await connection.runAndReadAll(
    `SELECT table_name FROM duckdb_tables() WHERE database_name = '${preparedDatabase}'`,
  )
  return reader.getRows().map(([name]) => String(name))
}
