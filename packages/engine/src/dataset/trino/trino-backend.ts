// A Trino that is served: printed SQL goes in, exact tables come out.

import type { Constant } from "@dosimeter/proof/catalog/constant"
import type { RelColumn } from "@dosimeter/proof/algebra/rel"
import type { SqlText } from "@dosimeter/proof/print/print"
import { fail } from "../../errors.ts"
import type { ExactTable } from "../../release/secret/exact-table.ts"
import { Secret } from "../../release/secret/secret.ts"
import type { Backend, ExtractQuery } from "../backend.ts"
import { checkExtract } from "../check-extract.ts"
import { readConstant, readInteger, withExactCells } from "./read-value.ts"
import type { QueryOptions, TrinoQueries } from "./trino-queries.ts"
import type { TrinoLists } from "./unit-lists.ts"

/** A backend over an opened source. */
export function trinoBackend(
  queries: TrinoQueries,
  { timeoutMs, lists }: { readonly timeoutMs: number; readonly lists: TrinoLists | undefined },
): Backend {
  const listed = (): TrinoLists => lists ?? fail("backend/failed", {})
  return {
    dialect: "trino",
    run: async (query, options) =>
      new Secret(await readExtract(queries, query, { ...options, timeoutMs, isPaid: true })),
    unitListPath: (name) => listed().path(name),
    makeUnitList: async (list) => listed().make(list),
    dropUnitList: async (name) => listed().drop(name),
    readPublic: (sql, columns) => readPublic(queries, sql, columns),
    close: async () => {
      await lists?.dropAll()
      await queries.close()
    },
  }
}

/** Rows of public tables. They have no limit of time: they are small, and about nobody. */
export async function readPublic(
  queries: TrinoQueries,
  sql: SqlText,
  columns: readonly Pick<RelColumn, "domain">[],
): Promise<readonly (readonly Constant[])[]> {
  const rows = await queries.ask(withExactCells(sql, columns))
  return rows.map((row) => columns.map(({ domain }, index) => readConstant(row[index] ?? null, domain.type)))
}

async function readExtract(
  queries: TrinoQueries,
  query: ExtractQuery,
  options: QueryOptions,
): Promise<ExactTable> {
  const rows = await queries.ask(withExactCells(query.sql, query.columns), options)
  const keys = query.columns.slice(0, query.keyCount)
  const table = {
    rows: rows.map((row) => ({
      keys: keys.map(({ domain }, index) => readConstant(row[index] ?? null, domain.type)),
      values: row.slice(query.keyCount).map(readInteger),
    })),
  }
  return checkExtract(table, query)
}
