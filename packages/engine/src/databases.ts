// Which database serves a source. The only file that knows them all: whoever asks knows dataset/database.ts.

import type { Source } from "@dosimeter/policy/file/policy"
import type { Database } from "./dataset/database.ts"
import { duckdb } from "./dataset/duckdb/duckdb-database.ts"
import { postgres } from "./dataset/postgres/postgres-database.ts"
import { roleSql } from "./dataset/postgres/role-sql.ts"
import { readAddress } from "./postgres/postgres-address.ts"
import { trino } from "./dataset/trino/trino-database.ts"

/** The database of a source. A new kind of source does not compile until it has one. */
export function databaseOf(source: Source): Database {
  switch (source.kind) {
    case "duckdb":
    case "parquet":
    case "csv":
    case "ndjson":
      return duckdb(source)
    case "postgres":
      return postgres(source)
    case "trino":
      return trino(source)
    default:
      return source satisfies never
  }
}

/**
 * Statements that make a role which may read a source and nothing else, for whoever owns the tables.
 * Undefined where the source has no roles.
 */
export function roleOf(source: Source, role = "dosimeter_reader"): readonly string[] | undefined {
  if (source.kind !== "postgres") return undefined
  const { role: own = "", database = "" } = readAddress(source.url) ?? {}
  return roleSql({ source, role: own === "" ? role : own, database })
}
