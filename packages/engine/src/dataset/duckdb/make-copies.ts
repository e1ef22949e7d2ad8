// Makes the prepared copies of a dataset: each in one transaction, in a file that gets its name when all are
// there. A file that was begun for the same data is finished, not begun again.

import type { DuckDBConnection } from "@duckdb/node-api"
import { DosimeterError } from "@dosimeter/core"
import { assert } from "@dosimeter/core/errors"
import { printCopy } from "@dosimeter/proof/print/print-copy"
import { printPairsCheck } from "@dosimeter/proof/print/pairs-check"
import { writeName } from "@dosimeter/proof/spell/literal"
import type { PreparedTable } from "@dosimeter/proof/units/prepared-table"
import { chmodSync, closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs"
import { dirname } from "node:path"
import type { MakeOptions } from "../copies.ts"
import type { DataVersion } from "../data-version.ts"
import { fail } from "../../errors.ts"
import {
  attachFile,
  copyDigest,
  detachFile,
  matchingCopies,
  preparedDatabase,
  tablesIn,
} from "./copy-file.ts"

/** What copies are made of. */
export interface CopyFileOptions extends MakeOptions {
  readonly connection: DuckDBConnection
  /** The file that they will be in. */
  readonly path: string
  readonly head: string
  /** The data that they are made of. */
  readonly version: Pick<DataVersion, "secret" | "check">
  readonly copies: readonly PreparedTable[]
}

/** Makes all copies and puts the file in its place. The database must not be locked yet. */
export async function makeCopies(options: CopyFileOptions): Promise<void> {
  const { connection, path, copies, head, signal } = options
  const building = `${path}.building`
  const stop = (): void => connection.interrupt()
  signal?.addEventListener("abort", stop, { once: true })
  try {
    const finished = await openBuilding(connection, building, { head, copies })
    await fillBuilding(options, finished)
    await connection.run(`CHECKPOINT ${preparedDatabase}`)
    await detachFile(connection)
    await options.version.check()
  } catch {
    // The driver's message may quote cells. A file that is read while it is rewritten fails in any way.
    await detachFile(connection).catch(() => undefined)
    await dropIfChanged(options, building)
    // What is finished stays in the file, for the next try.
    return fail("dataset/not-prepared", { file: building })
  } finally {
    signal?.removeEventListener("abort", stop)
  }
  putInPlace(building, path)
}

// Throws where the data has changed, and keeps nothing that was made of it.
async function dropIfChanged({ version }: CopyFileOptions, building: string): Promise<void> {
  try {
    await version.check()
  } catch (error) {
    if (error instanceof DosimeterError && error.code === "dataset/changed") {
      rmSync(building, { force: true })
      rmSync(`${building}.wal`, { force: true })
      throw error
    }
  }
}

// The copies that an earlier try has finished, if it was for the same data.
async function openBuilding(
  connection: DuckDBConnection,
  building: string,
  { head, copies }: { readonly head: string; readonly copies: readonly PreparedTable[] },
): Promise<ReadonlySet<PreparedTable>> {
  if (existsSync(building)) {
    const found = await attachFile(connection, building, "READ_WRITE")
      .then(() => matchingCopies(connection, head, copies))
      .catch(() => [])
    if (found.length > 0) return new Set(found)
    await detachFile(connection).catch(() => undefined)
    rmSync(building, { force: true })
    rmSync(`${building}.wal`, { force: true })
  }
  await attachFile(connection, building, "READ_WRITE")
  chmodSync(building, 0o600)
  await connection.run(`CREATE TABLE ${preparedDatabase}.main.manifest (head VARCHAR)`)
  await connection.run(`CREATE TABLE ${preparedDatabase}.main.finished (label VARCHAR, digest VARCHAR)`)
  await connection.run(`INSERT INTO ${preparedDatabase}.main.manifest VALUES ($1)`, [head])
  return new Set()
}

async function fillBuilding(
  { connection, copies, version, onProgress, signal }: CopyFileOptions,
  finished: ReadonlySet<PreparedTable>,
): Promise<void> {
  const total = copies.length
  const wanted = new Set(copies.map(({ table }) => table.path.at(-1) ?? ""))
  for (const name of await tablesIn(connection)) {
    if (name === "manifest" || name === "finished" || wanted.has(name)) continue
    await connection.run(`DROP TABLE ${preparedDatabase}.main.${writeName(name)}`)
  }
  for (const [done, copy] of copies.entries()) {
    onProgress?.({ label: copy.label, done, total })
    if (finished.has(copy)) continue
    signal?.throwIfAborted()
    const name = `${preparedDatabase}.main.${writeName(copy.table.path.at(-1) ?? "")}`
    const hasPlaces = (copy.table.prepared?.places.length ?? 0) > 0
    await connection.run("BEGIN")
    const secret = hasPlaces ? "CAST($1 AS VARCHAR)" : ""
    await connection.run(
      `CREATE OR REPLACE TABLE ${name} AS ${printCopy(copy, { dialect: "duckdb", secret })}`,
      hasPlaces ? [version.secret] : undefined,
    )
    await checkPairs(connection, copy)
    // A copy of other data than that whose claims were looked at is none.
    await version.check()
    await connection.run(`INSERT INTO ${preparedDatabase}.main.finished VALUES ($1, $2)`, [
      copy.label,
      copyDigest(copy),
    ])
    await connection.run("COMMIT")
  }
  const [last] = copies.slice(-1)
  if (last !== undefined) onProgress?.({ label: last.label, done: total, total })
}

// Pairs are looked at a second way: norms are worked out from them, so a pair in two rows would be an error
// of privacy, and a total that is not the rows' one of answers.
async function checkPairs(connection: DuckDBConnection, copy: PreparedTable): Promise<void> {
  if (copy.totals === undefined) return
  const wrong = await connection.runAndReadAll(
    `SELECT count(*) FROM (${printPairsCheck(copy, "duckdb")}) AS w`,
  )
  assert(Number(wrong.getRows()[0]?.[0]) === 0, "pairs are one row each, and add up to the rows")
}

// On disk before it has its name, and the name on disk before anybody relies on it.
function putInPlace(building: string, path: string): void {
  sync(building)
  renameSync(building, path)
  rmSync(`${building}.wal`, { force: true })
  sync(dirname(path))
}

function sync(path: string): void {
  const file = openSync(path, "r")
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
