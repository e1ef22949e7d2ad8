// The databases that claims are held against.

import type { Dialect } from "../../dialects/dialect.ts"
import type { RealDatabase } from "./real-database.ts"
import { realDuckdb } from "./real-duckdb.ts"
import { realPostgres } from "./real-postgres.ts"

/**
 * Opens an empty database of each dialect, typed so that none is left out. Trino is a server that another
 * program starts: claims are held against it by second-way.trino.test.ts.
 */
export const realDatabases: Readonly<Record<Dialect, (() => Promise<RealDatabase>) | "needs a server">> = {
  duckdb: realDuckdb,
  postgres: realPostgres,
  trino: "needs a server",
}

/** Those that can be opened in a test's own process, by name. */
export function openDatabases(): readonly (readonly [string, () => Promise<RealDatabase>])[] {
  return Object.entries(realDatabases).flatMap(([name, open]) =>
    open === "needs a server" ? [] : [[name, open] as const],
  )
}
