// All databases that are printed for, by name.

import type { Dialect, DialectSpelling } from "./dialect.ts"
import { duckdb } from "./duckdb.ts"
import { postgres } from "./postgres.ts"
import { trino } from "./trino.ts"

/** What each database differs in. */
export const dialects: Readonly<Record<Dialect, DialectSpelling>> = { duckdb, postgres, trino }
