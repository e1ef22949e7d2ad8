// DuckDB as a database of the engine: in our own process, over a file of its own or files that it reads.

import { fail } from "../../errors.ts"
import type { Database, OpenSource } from "../database.ts"
import { checkEngine } from "./check-engine.ts"
import { discover } from "./discover.ts"
import { duckdbBackend, readPublic } from "./duckdb-backend.ts"
import { copiesIn } from "./duckdb-copies.ts"
import { openDuckDB, type OpenDuckDB } from "./open-duckdb.ts"
import { RunningQueries } from "./running-queries.ts"
import { placesOf, seeFiles, type DuckDBSource } from "./source-files.ts"
import { attachLists } from "./unit-lists.ts"
import { unreadableTexts } from "./unreadable-texts.ts"

/** DuckDB over a source. */
export function duckdb(source: DuckDBSource): Database {
  return {
    dialect: "duckdb",
    places: (catalog, folder) => placesOf(source, catalog, folder),
    open: async ({ folder, limits = {} }) => {
      const seen = seeFiles(source, folder)
      return lookedAt(source, seen, await openDuckDB(source, folder, limits))
    },
  }
}

function lookedAt(source: DuckDBSource, seen: OpenSource["seen"], opened: OpenDuckDB): OpenSource {
  const { connection } = opened
  const queries = new RunningQueries(opened)
  return {
    dialect: "duckdb",
    seen,
    checkAssumptions: () => checkEngine(connection),
    discover: () => discover(connection).catch(() => fail("backend/failed", {})),
    haveRows: (queries) => haveRows(opened, queries).catch(() => fail("backend/failed", {})),
    unreadableTexts: (table, columns) => unreadableTexts(opened, source, { table, columns }),
    readPublic: (sql, columns) => readPublic(queries, sql, columns),
    copies: (place) => copiesIn(connection, place),
    lock: () => opened.lock(),
    serve: async ({ timeoutMs, unitLists }) => {
      if (unitLists) await attachLists(connection)
      await opened.lock()
      return duckdbBackend(opened, { timeoutMs })
    },
    close: async () => opened.close(),
  }
}

async function haveRows({ connection }: OpenDuckDB, queries: readonly string[]): Promise<readonly boolean[]> {
  if (queries.length === 0) return []
  const tests = queries.map((query) => `EXISTS (${query})`)
  const reader = await connection.runAndReadAll(`SELECT ${tests.join(", ")}`)
  const row = reader.getRows()[0] ?? []
  // What is not a plain "no" counts as found.
  return queries.map((_, index) => row[index] !== false)
}
