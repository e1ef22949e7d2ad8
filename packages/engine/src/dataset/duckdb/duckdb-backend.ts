// DuckDB in our own process, over a source that was opened and locked.

import type { DuckDBValue } from "@duckdb/node-api"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import type { RelColumn } from "@dosimeter/proof/algebra/rel"
import type { SqlText } from "@dosimeter/proof/print/print"
import { withTextsAsBytes } from "./lossless-text.ts"
import type { OpenDuckDB } from "./open-duckdb.ts"
import { fail } from "../../errors.ts"
import type { ExactTable } from "../../release/secret/exact-table.ts"
import { Secret } from "../../release/secret/secret.ts"
import type { Backend, ExtractQuery } from "../backend.ts"
import { checkExtract } from "../check-extract.ts"
import { readConstant, readInteger } from "./read-value.ts"
import { RunningQueries, type QueryOptions } from "./running-queries.ts"
import { dropList, listPath, makeList } from "./unit-lists.ts"

/** A backend over an opened source. */
export function duckdbBackend(
  source: OpenDuckDB,
  { timeoutMs }: { readonly timeoutMs?: number } = {},
): Backend {
  const queries = new RunningQueries(source)
  return {
    dialect: "duckdb",
    run: async (query, options) => new Secret(await readExtract(queries, query, { ...options, timeoutMs })),
    unitListPath: listPath,
    makeUnitList: (list) => makeList(source, list).catch(() => fail("backend/failed", {})),
    dropUnitList: (name) => dropList(source, name).catch(() => fail("backend/failed", {})),
    readPublic: (sql, columns) => readPublic(queries, sql, columns),
    close: () => queries.close(),
  }
}

/** Rows of public tables. They have no limit of time: they are small, and about nobody. */
export async function readPublic(
  queries: RunningQueries,
  sql: SqlText,
  columns: readonly Pick<RelColumn, "domain">[],
): Promise<readonly (readonly Constant[])[]> {
  const rows = await queries.ask(withTextsAsBytes(sql, columns))
  return rows.map((row) => columns.map(({ domain }, index) => constantAt(row, index, domain.type)))
}

async function readExtract(
  queries: RunningQueries,
  query: ExtractQuery,
  options: QueryOptions,
): Promise<ExactTable> {
  const rows = await queries.ask(withTextsAsBytes(query.sql, query.columns), options)
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
