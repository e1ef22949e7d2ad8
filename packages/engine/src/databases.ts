// Which database serves a source. The only file that knows them all: whoever asks knows dataset/database.ts.

import type { Source } from "@dosimeter/policy/file/policy"
import type { Database } from "./dataset/database.ts"
import { duckdb } from "./dataset/duckdb/duckdb-database.ts"

/** The database of a source. A new kind of source does not compile until it has one. */
export function databaseOf(source: Source): Database {
  switch (source.kind) {
    case "duckdb":
    case "parquet":
    case "csv":
    case "ndjson":
      return duckdb(source)
    default:
      return source satisfies never
  }
}
