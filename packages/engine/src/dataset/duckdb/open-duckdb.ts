// Opens the data of a policy in a DuckDB of our own: a database file read-only, or one view for each file.
// Then the door is shut: nothing else on the disk or the network can be reached, and no setting changed back.

import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api"
import { writeName } from "@dosimeter/proof/spell/literal"
import { existsSync } from "node:fs"
import { basename, resolve } from "node:path"
import { fail } from "../../errors.ts"
import type { SourceLimits } from "../database.ts"
import { findFiles } from "./find-files.ts"
import type { DuckDBSource } from "./source-files.ts"

/** A DuckDB over a source. Its door is open, and a file of ours may be attached, until it is locked. */
export interface OpenDuckDB {
  readonly connection: DuckDBConnection
  /** One more connection, for a query that may be stopped by itself. */
  connect(): Promise<DuckDBConnection>
  /** Shuts the door: nothing but the source, and what was attached, can be reached from then on. */
  lock(): Promise<void>
  close(): void
}

type FileSource = Exclude<DuckDBSource, { readonly kind: "duckdb" }>

const memoryDefaultMb = 2000
const settings = {
  autoinstall_known_extensions: "false",
  autoload_known_extensions: "false",
  allow_community_extensions: "false",
  allow_persistent_secrets: "false",
  // Aggregation by small whole numbers is an array up to this many bits of them.
  perfect_ht_threshold: "20",
}

/** Opens a source; relative paths begin at `folder`, which is the policy's. */
export async function openDuckDB(
  source: DuckDBSource,
  folder: string,
  limits: SourceLimits = {},
): Promise<OpenDuckDB> {
  if (source.kind === "duckdb") return openDatabase(resolve(folder, source.file), source.file, limits)
  const tables = tablesOf(source, folder)
  const instance = await DuckDBInstance.create(":memory:", settingsOf(limits))
  const opened = await connect(instance, [...tables.values()])
  for (const [name, path] of tables) await createView(opened, { name, path, kind: source.kind })
  return opened
}

function settingsOf({
  memoryMb = memoryDefaultMb,
  threads,
  temporary = "",
}: SourceLimits): Record<string, string> {
  return {
    ...settings,
    memory_limit: `${memoryMb}MB`,
    temp_directory: temporary,
    ...(threads === undefined ? {} : { threads: `${threads}` }),
  }
}

async function openDatabase(path: string, shown: string, limits: SourceLimits): Promise<OpenDuckDB> {
  if (!existsSync(path)) fail("dataset/not-found", { file: shown })
  const options = { ...settingsOf(limits), access_mode: "READ_ONLY" }
  // The driver's message may quote what it read, so it is replaced.
  const instance = await DuckDBInstance.create(path, options).catch(() =>
    fail("dataset/unreadable", { file: shown, format: "duckdb" }),
  )
  return connect(instance, [])
}

async function connect(instance: DuckDBInstance, paths: readonly string[]): Promise<OpenDuckDB> {
  const connection = await instance.connect()
  return {
    connection,
    connect: () => instance.connect(),
    lock: () => shutDoor(connection, paths),
    close: () => {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

/** Each file with the table that it is: named after the file, without its endings. */
function tablesOf(source: FileSource, folder: string): ReadonlyMap<string, string> {
  const tables = new Map<string, string>()
  for (const pattern of source.globs) {
    const paths = findFiles(pattern, folder)
    if (paths.length === 0) fail("dataset/no-files", { pattern, folder })
    for (const path of paths) {
      if (/[*?[\]]/.test(path)) fail("dataset/bad-path", { file: path })
      const name = basename(path).replace(/\.(parquet|pq|csv|tsv|txt|ndjson|jsonl|json)(\.(gz|zst))?$/i, "")
      const other = [...tables].find(([known]) => known.toLowerCase() === name.toLowerCase())?.[1]
      if (other !== undefined && other !== path) {
        fail("dataset/same-name", { table: name, first: basename(other), second: basename(path) })
      }
      tables.set(name, path)
    }
  }
  return tables
}

const readers: Readonly<Record<FileSource["kind"], (path: string) => string>> = {
  parquet: (path) => `read_parquet(${path})`,
  // All lines are looked at for the types, so that none of them can be read otherwise later.
  csv: (path) => `read_csv(${path}, header = true, sample_size = -1)`,
  ndjson: (path) => `read_ndjson(${path}, sample_size = -1)`,
}

/** A file as it stands in FROM. */
export function writeFile(kind: FileSource["kind"], path: string): string {
  return readers[kind](`'${path.replaceAll("'", "''")}'`)
}

async function createView(
  opened: OpenDuckDB,
  file: { readonly name: string; readonly path: string; readonly kind: FileSource["kind"] },
): Promise<void> {
  const { name, path, kind } = file
  const from = writeFile(kind, path)
  // The driver's message may quote what it read, so it is replaced.
  await opened.connection.run(`CREATE VIEW ${writeName(name)} AS SELECT * FROM ${from}`).catch(() => {
    opened.close()
    return fail("dataset/unreadable", { file: basename(path), format: kind })
  })
}

async function shutDoor(connection: DuckDBConnection, paths: readonly string[]): Promise<void> {
  const list = paths.map((path) => `'${path.replaceAll("'", "''")}'`).join(", ")
  if (paths.length > 0) await connection.run(`SET allowed_paths = [${list}]`)
  await connection.run("SET enable_external_access = false")
  await connection.run("SET lock_configuration = true")
}
