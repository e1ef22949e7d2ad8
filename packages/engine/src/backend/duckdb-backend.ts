// DuckDB in our own process, over a source that was opened and locked.

import type { DuckDBConnection, DuckDBValue } from "@duckdb/node-api"
import { DosimeterError } from "@dosimeter/core"
import type { Constant, RelColumn, SqlText } from "@dosimeter/sql"
import type { OpenSource } from "../dataset/open-source.ts"
import { fail } from "../errors.ts"
import type { ExactTable } from "../exact/exact-table.ts"
import { Secret } from "../exact/secret.ts"
import type { Backend, ExtractQuery, RunOptions } from "./backend.ts"
import { readConstant, readInteger } from "./read-value.ts"

/** A backend over an opened source. One connection a query, so that a query can be stopped by itself. */
export function duckdbBackend(source: OpenSource): Backend {
  return {
    dialect: "duckdb",
    run: async (query, options) => new Secret(await readExtract(source, query, options)),
    readPublic: async (sql, columns) => {
      const rows = await ask(source, sql, {})
      return rows.map((row) => columns.map(({ domain }, index) => constantAt(row, index, domain.type)))
    },
    close: () => source.close(),
  }
}

async function readExtract(
  source: OpenSource,
  query: ExtractQuery,
  options: RunOptions,
): Promise<ExactTable> {
  const rows = await ask(source, query.sql, options)
  const keys = query.columns.slice(0, query.keyCount)
  return {
    rows: rows.map((row) => ({
      keys: keys.map(({ domain }, index) => constantAt(row, index, domain.type)),
      values: row.slice(query.keyCount).map(readInteger),
    })),
  }
}

function constantAt(row: readonly DuckDBValue[], index: number, type: RelColumn["domain"]["type"]): Constant {
  return readConstant(row[index] ?? null, type)
}

async function ask(
  source: OpenSource,
  { text, parameters }: SqlText,
  { secret = "", signal }: Partial<RunOptions>,
): Promise<readonly (readonly DuckDBValue[])[]> {
  const connection = await source.connect()
  const stop = (): void => connection.interrupt()
  signal?.addEventListener("abort", stop, { once: true })
  try {
    if (signal?.aborted === true) fail("backend/cancelled", {})
    return await readAll(
      connection,
      text,
      parameters.map(() => secret),
    )
  } catch (error) {
    // The driver's message may quote cells, so nothing of it goes on.
    if (error instanceof DosimeterError) throw error
    return fail(signal?.aborted === true ? "backend/cancelled" : "backend/failed", {})
  } finally {
    signal?.removeEventListener("abort", stop)
    connection.closeSync()
  }
}

async function readAll(
  connection: DuckDBConnection,
  text: string,
  values: readonly string[],
): Promise<readonly (readonly DuckDBValue[])[]> {
  const reader = await connection.runAndReadAll(text, values.length === 0 ? undefined : [...values])
  return reader.getRows()
}
