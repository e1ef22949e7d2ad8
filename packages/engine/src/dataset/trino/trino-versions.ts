// Which data a Trino holds. Iceberg tells: every table has a snapshot, and a file of metadata that is another
// one after any change. Of other tables the owner says it, by a word of the policy.

import { DosimeterError } from "@dosimeter/core"
import type { TrinoSource } from "@dosimeter/policy/file/policy"
import { writeName } from "@dosimeter/proof/spell/literal"
import { createHash } from "node:crypto"
import { fail } from "../../errors.ts"
import type { SeenData } from "../data-version.ts"
import { columnsOf, type ColumnLine } from "./discover.ts"
import type { TrinoQueries } from "./trino-queries.ts"

/** Looks at the data of a source. */
export async function seeData(queries: TrinoQueries, source: TrinoSource): Promise<SeenData> {
  return source.version.by === "word"
    ? seeByWord(queries, source, source.version.word)
    : seeSnapshots(queries, source)
}

/** The owner's word; and names and types stay what they were. */
async function seeByWord(queries: TrinoQueries, { schema }: TrinoSource, word: string): Promise<SeenData> {
  const current = async (): Promise<string> => JSON.stringify(await columnsOf(queries, schema))
  const first = await current()
  return { print: digest(["word", word]), isSame: async () => (await current()) === first }
}

/**
 * The version is made of the snapshots, and of names and types, which change without one. Whether it is still
 * the same is told by the files of metadata: a table that was changed and set back has another one.
 */
async function seeSnapshots(queries: TrinoQueries, { schema }: TrinoSource): Promise<SeenData> {
  const columns = await columnsOf(queries, schema)
  const files = await metadataOf(queries, columns)
  const snapshots = await snapshotsOf(queries, columns)
  return {
    print: digest([JSON.stringify(columns), ...snapshots]),
    isSame: async () => {
      const now = await columnsOf(queries, schema)
      if (JSON.stringify(now) !== JSON.stringify(columns)) return false
      return JSON.stringify(await metadataOf(queries, now)) === JSON.stringify(files)
    },
  }
}

/** The snapshot of each table. */
async function snapshotsOf(
  queries: TrinoQueries,
  columns: readonly ColumnLine[],
): Promise<readonly string[]> {
  return eachTable(
    queries,
    columns,
    (table) => `(SELECT CAST(max(snapshot_id) AS VARCHAR) FROM ${table("$refs")} WHERE name = 'main')`,
  )
}

/** The newest file of metadata of each table, and how many there were. Two may be of the same millisecond. */
async function metadataOf(queries: TrinoQueries, columns: readonly ColumnLine[]): Promise<readonly string[]> {
  return eachTable(
    queries,
    columns,
    (table) =>
      `(SELECT concat(max(file), ' ', max_by(file, timestamp), ' ', CAST(count(*) AS VARCHAR)) FROM ${table("$metadata_log_entries")})`,
  )
}

/** How many tables are asked about by one statement. */
const atOnce = 25

async function eachTable(
  queries: TrinoQueries,
  columns: readonly ColumnLine[],
  ask: (table: (part: string) => string) => string,
): Promise<readonly string[]> {
  const names = [...new Set(columns.map(([table]) => table))]
  const found: string[] = []
  for (let from = 0; from < names.length; from += atOnce) {
    const some = names.slice(from, from + atOnce)
    const items = some.map((name) => ask((part) => writeName(`${name}${part}`)))
    const rows = await queries
      .ask({ text: `SELECT ${items.join(", ")}`, parameters: [] })
      .catch((error: unknown) => untold(error, some))
    found.push(...some.map((name, index) => JSON.stringify([name, rows[0]?.[index] ?? null])))
  }
  return found
}

/** A server that is gone says so; any other failure is a table that has no snapshots. */
function untold(error: unknown, tables: readonly string[]): never {
  if (error instanceof DosimeterError && error.code === "dataset/unreachable") throw error
  return fail("dataset/no-version", { tables: tables.join(", ") })
}

function digest(parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex")
}
