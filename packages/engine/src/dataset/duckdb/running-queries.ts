// Queries of one DuckDB: each on a connection of its own, so that it can be stopped by itself. All are
// stopped when the database is closed.

import type { DuckDBConnection, DuckDBValue } from "@duckdb/node-api"
import type { SqlText } from "@dosimeter/proof/print/print"
import { errorOf, fail } from "../../errors.ts"
import { GivenUp, stopAt, type StopOptions, type Stoppable } from "../stop-at.ts"
import type { OpenDuckDB } from "./open-duckdb.ts"

/** How a query is run. */
export interface QueryOptions extends StopOptions {
  /** The value of every parameter. */
  readonly secret?: string
}

/** The queries that run on a database. */
export class RunningQueries {
  readonly #source: OpenDuckDB
  readonly #givenUp = new GivenUp()
  readonly #running = new Map<AbortController, Promise<unknown>>()
  #isClosed = false

  constructor(source: OpenDuckDB) {
    this.#source = source
  }

  /** The rows of a query. Nothing of what the driver says about a failure goes on. */
  async ask(
    sql: SqlText,
    { signal, ...options }: QueryOptions = {},
  ): Promise<readonly (readonly DuckDBValue[])[]> {
    if (this.#isClosed) fail("backend/failed", {})
    const end = new AbortController()
    const stops = signal === undefined ? end.signal : AbortSignal.any([signal, end.signal])
    const work = this.#run(sql, { ...options, signal: stops })
    this.#running.set(end, work)
    return work.finally(() => this.#running.delete(end))
  }

  async #run(
    { text, parameters }: SqlText,
    { secret = "", ...stop }: QueryOptions,
  ): Promise<readonly (readonly DuckDBValue[])[]> {
    const values = parameters.map(() => secret)
    const connection = await this.#source.connect().catch(() => fail("backend/failed", {}))
    const session: Stoppable = {
      interrupt: () => connection.interrupt(),
      close: () => connection.closeSync(),
      meaningOf: (error) => (isOfMemory(error) ? errorOf("backend/too-large", {}) : undefined),
    }
    return stopAt(session, () => readAll(connection, text, values), stop, this.#givenUp)
  }

  /** Stops what runs, and closes the database once nothing does. Closing itself would wait for a query. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    for (const end of this.#running.keys()) end.abort()
    await Promise.allSettled(this.#running.values())
    this.#givenUp.whenBack(() => this.#source.close())
  }
}

/** The driver has no code for it, and begins its message with the kind of error. */
function isOfMemory(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("Out of Memory Error")
}

async function readAll(
  connection: DuckDBConnection,
  text: string,
  values: readonly string[],
): Promise<readonly (readonly DuckDBValue[])[]> {
  const reader = await connection.runAndReadAll(text, values.length === 0 ? undefined : [...values])
  return reader.getRows()
}
