// PostgreSQL behind a source that is served.

import type { Constant } from "@dosimeter/proof/catalog/constant"
import type { RelColumn } from "@dosimeter/proof/algebra/rel"
import type { SqlText } from "@dosimeter/proof/print/print"
import { fail } from "../../errors.ts"
import type { ExactTable } from "../../release/secret/exact-table.ts"
import { Secret } from "../../release/secret/secret.ts"
import type { Backend, ExtractQuery } from "../backend.ts"
import { checkExtract } from "../check-extract.ts"
import { readConstant, readInteger } from "./read-value.ts"
import type { QueryOptions, RunningQueries } from "./running-queries.ts"
import type { UnitLists } from "./unit-lists.ts"

/** A backend over the queries of an opened source. */
export function postgresBackend(queries: RunningQueries, lists: UnitLists, timeoutMs: number): Backend {
  return {
    dialect: "postgres",
    run: async (query, options) => new Secret(await readExtract(queries, query, { ...options, timeoutMs })),
    unitListPath: (name) => lists.path(name),
    makeUnitList: async (list) => lists.make(list),
    dropUnitList: async (name) => lists.drop(name),
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
  return queries.read(sql, (row) =>
    columns.map(({ domain }, index) => readConstant(row[index] ?? null, domain.type)),
  )
}

async function readExtract(
  queries: RunningQueries,
  query: ExtractQuery,
  options: QueryOptions,
): Promise<ExactTable> {
  const { keyCount, columns } = query
  const keys = columns.slice(0, keyCount)
  const rows = await queries.read(
    query.sql,
    (row) => {
      if (row.length !== columns.length) return fail("backend/impossible-extract", {})
      return {
        keys: keys.map(({ domain }, index) => readConstant(row[index] ?? null, domain.type)),
        values: row.slice(keyCount).map(readInteger),
      }
    },
    { ...options, isOfVersion: true },
  )
  return checkExtract({ rows }, query)
}
