// The databases that claims are held against.

import type { Dialect } from "../../dialects/dialect.ts"
import type { RealDatabase } from "./real-database.ts"
import { realDuckdb } from "./real-duckdb.ts"
import { realPostgres } from "./real-postgres.ts"

/**
 * Opens an empty database of each dialect, typed so that none is left out. Trino is a cluster of servers that
 * cannot be started in a test here: what is printed for it is only parsed with its grammar
 * (print/dialects.node.test.ts), and no claim is held against it until a machine with a Trino runs this.
 */
export const realDatabases: Readonly<Record<Dialect, (() => Promise<RealDatabase>) | "cannot run here">> = {
  duckdb: realDuckdb,
  postgres: realPostgres,
  trino: "cannot run here",
}

/** Those that can be opened, by name. */
export function openDatabases(): readonly (readonly [string, () => Promise<RealDatabase>])[] {
  return Object.entries(realDatabases).flatMap(([name, open]) =>
    open === "cannot run here" ? [] : [[name, open] as const],
  )
}
