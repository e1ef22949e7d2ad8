// The owner's own look at tables, exact and without a charge: for the risk report alone. Nothing that answers
// questions has a way to this file (tools/rules/import-policy.ts).

import type { DuckDBValue } from "@duckdb/node-api"
import { writeName } from "@dosimeter/proof/spell/literal"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { fail } from "../../errors.ts"
import type { SourceLimits } from "../database.ts"
import { findFiles } from "./find-files.ts"
import { openDuckDB, writeFile, type OpenDuckDB } from "./open-duckdb.ts"
import type { DuckDBSource } from "./source-files.ts"

/** One value: counts are numbers, everything else is asked for as a text. */
export type ExactValue = string | number | null

/** Tables of one DuckDB, to be asked in SQL that is ours. */
export interface ExactRows {
  /** The rows of a query. */
  ask(sql: string): Promise<readonly (readonly ExactValue[])[]>
  /** The tables of the source, as they are written in SQL, by name. */
  tables(): Promise<ReadonlyMap<string, string>>
  /** Opens a second source beside the first, and gives its tables. Before `shut`. */
  besides(source: DuckDBSource, folder: string): Promise<ReadonlyMap<string, string>>
  /** Shuts the door, once: no file can be reached from then on. */
  shut(): Promise<void>
  close(): void
}

/** Opens a source for its owner. What does not fit into memory is in a folder that is removed on closing. */
export async function openExactRows(
  source: DuckDBSource,
  folder: string,
  limits: SourceLimits = {},
): Promise<ExactRows> {
  const temporary = mkdtempSync(join(tmpdir(), "dosimeter-risk-"))
  const remove = (): void => rmSync(temporary, { recursive: true, force: true })
  const opened = await openDuckDB(source, folder, { ...limits, temporary }).catch((error: unknown) => {
    remove()
    throw error
  })
  const ask = (sql: string): Promise<readonly (readonly ExactValue[])[]> => askExactly(opened, sql)
  let shut: Promise<void> | undefined
  return {
    ask,
    tables: () => tablesIn(ask, "current_database()"),
    besides: (other, at) => openBesides(ask, other, at),
    shut: () => (shut ??= opened.lock()),
    close: () => {
      opened.close()
      remove()
    },
  }
}

type Ask = ExactRows["ask"]

async function askExactly(
  { connection }: OpenDuckDB,
  sql: string,
): Promise<readonly (readonly ExactValue[])[]> {
  // The driver's message may quote what it read, so it is replaced.
  const reader = await connection.runAndReadAll(sql).catch(() => fail("risk/failed", {}))
  return reader.getRows().map((row) => row.map(plainOf))
}

function plainOf(value: DuckDBValue): ExactValue {
  if (value === null || typeof value === "number") return value
  if (typeof value === "bigint" || typeof value === "boolean") return Number(value)
  return value.toString()
}

async function tablesIn(ask: Ask, database: string): Promise<ReadonlyMap<string, string>> {
  const rows = await ask(`SELECT database_name, schema_name, name FROM (
      SELECT database_name, schema_name, table_name AS name FROM duckdb_tables()
      WHERE NOT internal AND NOT temporary
      UNION ALL
      SELECT database_name, schema_name, view_name FROM duckdb_views() WHERE NOT internal AND NOT temporary)
    WHERE database_name = ${database} ORDER BY schema_name, name`)
  return new Map(
    rows.map((row) => {
      const [own, schema, name] = row.map((part) => `${part}`)
      const shown = schema === "main" ? `${name}` : `${schema}.${name}`
      return [shown, [own, schema, name].map((part) => writeName(`${part}`)).join(".")]
    }),
  )
}

async function openBesides(
  ask: Ask,
  source: DuckDBSource,
  folder: string,
): Promise<ReadonlyMap<string, string>> {
  if (source.kind === "duckdb") {
    const path = findFiles(source.file, folder)[0] ?? fail("dataset/not-found", { file: source.file })
    await ask(`ATTACH '${path.replaceAll("'", "''")}' AS besides (READ_ONLY)`).catch(() =>
      fail("dataset/unreadable", { file: source.file, format: source.kind }),
    )
    return tablesIn(ask, "'besides'")
  }
  const paths = source.globs.flatMap((glob) => findFiles(glob, folder))
  const [path, another] = paths
  if (path === undefined || another !== undefined)
    fail("dataset/no-files", { pattern: source.globs.join(" "), folder })
  return new Map([[basename(path).replace(/\..*$/, ""), writeFile(source.kind, path)]])
}
