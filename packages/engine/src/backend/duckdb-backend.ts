// DuckDB in our own process, over a source that was opened and locked.

import type { DuckDBConnection, DuckDBValue } from "@duckdb/node-api"
import { DosimeterError } from "@dosimeter/core"
import type { Constant, RelColumn, SqlText } from "@dosimeter/sql"
import { withTextsAsBytes } from "../dataset/lossless-text.ts"
import type { OpenSource } from "../dataset/open-source.ts"
import { fail } from "../errors.ts"
import type { ExactTable } from "../exact/exact-table.ts"
import { Secret } from "../exact/secret.ts"
import type { Backend, ExtractQuery, RunOptions } from "./backend.ts"
import { checkExtract } from "./check-extract.ts"
import { readConstant, readInteger } from "./read-value.ts"
import { dropList, listPath, makeList } from "./unit-lists.ts"

/** A backend over an opened source. One connection a query, so that a query can be stopped by itself. */
export function duckdbBackend(
  source: OpenSource,
  { timeoutMs }: { readonly timeoutMs?: number } = {},
): Backend {
  return {
    dialect: "duckdb",
    run: async (query, options) => {
      const limited = timeoutMs === undefined ? options : { ...options, timeoutMs }
      return new Secret(await readExtract(source, query, limited))
    },
    unitListPath: listPath,
    makeUnitList: (list) => makeList(source, list).catch(() => fail("backend/failed", {})),
    dropUnitList: (name) => dropList(source, name).catch(() => fail("backend/failed", {})),
    readPublic: async (sql, columns) => {
      const rows = await ask(source, withTextsAsBytes(sql, columns), {})
      return rows.map((row) => columns.map(({ domain }, index) => constantAt(row, index, domain.type)))
    },
    close: () => source.close(),
  }
}

async function readExtract(
  source: OpenSource,
  query: ExtractQuery,
  options: LimitedOptions,
): Promise<ExactTable> {
  const rows = await ask(source, withTextsAsBytes(query.sql, query.columns), options)
  const keys = query.columns.slice(0, query.keyCount)
  const table = {
    rows: rows.map((row) => ({
      keys: keys.map(({ domain }, index) => constantAt(row, index, domain.type)),
      values: row.slice(query.keyCount).map(readInteger),
    })),
  }
  return checkExtract(table, query)
}

function constantAt(row: readonly DuckDBValue[], index: number, type: RelColumn["domain"]["type"]): Constant {
  return readConstant(row[index] ?? null, type)
}

interface LimitedOptions extends RunOptions {
  readonly timeoutMs?: number
}

async function ask(
  source: OpenSource,
  { text, parameters }: SqlText,
  { secret = "", signal, timeoutMs }: Partial<LimitedOptions>,
): Promise<readonly (readonly DuckDBValue[])[]> {
  const connection = await source.connect()
  const stop = (): void => connection.interrupt()
  const tooSlow = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)
  const signals = [signal, tooSlow].filter((one) => one !== undefined)
  for (const one of signals) one.addEventListener("abort", stop, { once: true })
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
    if (signal?.aborted === true) return fail("backend/cancelled", {})
    if (tooSlow?.aborted === true) {
      return fail("backend/too-slow", { seconds: `${(timeoutMs ?? 0) / 1000}` })
    }
    return fail("backend/failed", {})
  } finally {
    for (const one of signals) one.removeEventListener("abort", stop)
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
