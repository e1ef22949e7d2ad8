// DuckDB in our own process, over a source that was opened and locked.

import type { DuckDBConnection, DuckDBValue } from "@duckdb/node-api"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import type { RelColumn } from "@dosimeter/proof/algebra/rel"
import type { SqlText } from "@dosimeter/proof/print/print"
import { withTextsAsBytes } from "./lossless-text.ts"
import type { OpenDuckDB } from "./open-duckdb.ts"
import { fail } from "../../errors.ts"
import type { ExactTable } from "../../release/secret/exact-table.ts"
import { Secret } from "../../release/secret/secret.ts"
import type { Backend, ExtractQuery, RunOptions } from "../backend.ts"
import { checkExtract } from "../check-extract.ts"
import { readConstant, readInteger } from "./read-value.ts"
import { GivenUp, stopAt } from "../stop-at.ts"
import { dropList, listPath, makeList } from "./unit-lists.ts"

/** A backend over an opened source. One connection a query, so that a query can be stopped by itself. */
export function duckdbBackend(
  source: OpenDuckDB,
  { timeoutMs }: { readonly timeoutMs?: number } = {},
): Backend {
  const asked: Asked = { source, givenUp: new GivenUp() }
  return {
    dialect: "duckdb",
    run: async (query, options) => {
      const limited = timeoutMs === undefined ? options : { ...options, timeoutMs }
      return new Secret(await readExtract(asked, query, limited))
    },
    unitListPath: listPath,
    makeUnitList: (list) => makeList(source, list).catch(() => fail("backend/failed", {})),
    dropUnitList: (name) => dropList(source, name).catch(() => fail("backend/failed", {})),
    readPublic: (sql, columns) => readPublic(source, sql, columns),
    close: async () => asked.givenUp.whenBack(() => source.close()),
  }
}

/** Rows of public tables. They have no limit of time: they are small, and about nobody. */
export async function readPublic(
  source: OpenDuckDB,
  sql: SqlText,
  columns: readonly Pick<RelColumn, "domain">[],
): Promise<readonly (readonly Constant[])[]> {
  const rows = await ask({ source, givenUp: new GivenUp() }, withTextsAsBytes(sql, columns), {})
  return rows.map((row) => columns.map(({ domain }, index) => constantAt(row, index, domain.type)))
}

interface Asked {
  readonly source: OpenDuckDB
  readonly givenUp: GivenUp
}

async function readExtract(asked: Asked, query: ExtractQuery, options: LimitedOptions): Promise<ExactTable> {
  const rows = await ask(asked, withTextsAsBytes(query.sql, query.columns), options)
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
  { source, givenUp }: Asked,
  { text, parameters }: SqlText,
  { secret = "", ...stop }: Partial<LimitedOptions>,
): Promise<readonly (readonly DuckDBValue[])[]> {
  const values = parameters.map(() => secret)
  const connection = await source.connect().catch(() => fail("backend/failed", {}))
  const session = { interrupt: () => connection.interrupt(), close: () => connection.closeSync() }
  return stopAt(session, () => readAll(connection, text, values), stop, givenUp)
}

async function readAll(
  connection: DuckDBConnection,
  text: string,
  values: readonly string[],
): Promise<readonly (readonly DuckDBValue[])[]> {
  const reader = await connection.runAndReadAll(text, values.length === 0 ? undefined : [...values])
  return reader.getRows()
}
