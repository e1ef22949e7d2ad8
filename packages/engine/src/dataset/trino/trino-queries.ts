// Queries of one Trino: each in a read-only transaction of its own, which can be stopped by itself. All are
// stopped when the source is closed.

import type { SqlText } from "@dosimeter/proof/print/print"
import { fail } from "../../errors.ts"
import { GivenUp, stopAt, type StopOptions } from "../stop-at.ts"
import type { TrinoCell, TrinoClient } from "./trino-client.ts"

/** How a query is run. */
export interface QueryOptions extends StopOptions {
  /** The value of every parameter. */
  readonly secret?: string
}

/** How much longer than we wait a server may work on, where it was not told to stop. */
const graceSeconds = 30

/** The queries that run on a Trino. */
export class TrinoQueries {
  readonly #client: TrinoClient
  readonly #givenUp = new GivenUp()
  readonly #running = new Map<AbortController, Promise<unknown>>()
  #isClosed = false

  constructor(client: TrinoClient) {
    this.#client = client
  }

  /** The rows of a query, which can write nothing. Nothing of what the server says of a failure goes on. */
  async ask(
    { text, parameters }: SqlText,
    { secret = "", ...stop }: QueryOptions = {},
  ): Promise<readonly (readonly TrinoCell[])[]> {
    const values = parameters.map(() => writeText(secret))
    const sql = values.length === 0 ? text : `EXECUTE IMMEDIATE ${writeText(text)} USING ${values.join(", ")}`
    return this.#run((signal) => this.#reading(sql, signal, stop.timeoutMs), stop)
  }

  /** Runs a statement that writes into a schema of ours. */
  async write(sql: string, stop: StopOptions = {}): Promise<void> {
    await this.#run(async (signal) => this.#client.run(sql, { signal }), stop)
  }

  /** Stops what runs; what does not stop is dropped when it comes back. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    for (const end of this.#running.keys()) end.abort()
    await Promise.allSettled(this.#running.values())
    this.#givenUp.whenBack(() => this.#client.close())
  }

  async #run<Result>(
    work: (signal: AbortSignal) => Promise<Result>,
    { signal, timeoutMs }: StopOptions,
  ): Promise<Result> {
    if (this.#isClosed) fail("backend/failed", {})
    const end = new AbortController()
    const stops = signal === undefined ? end.signal : AbortSignal.any([signal, end.signal])
    const told = new AbortController()
    const session = { interrupt: () => told.abort(), close: () => undefined }
    const result = stopAt(session, () => work(told.signal), { signal: stops, timeoutMs }, this.#givenUp)
    this.#running.set(end, result)
    return result.finally(() => this.#running.delete(end))
  }

  async #reading(
    sql: string,
    signal: AbortSignal,
    timeoutMs: number | undefined,
  ): Promise<readonly (readonly TrinoCell[])[]> {
    const begun = await this.#client.run("START TRANSACTION READ ONLY", { signal })
    const { transaction } = begun
    // Without one, a statement could write.
    if (transaction === undefined) return fail("backend/failed", {})
    const seconds = timeoutMs === undefined ? undefined : Math.ceil(timeoutMs / 1000) + graceSeconds
    const settings = seconds === undefined ? {} : { query_max_execution_time: `${seconds}s` }
    try {
      const { rows } = await this.#client.run(sql, { signal, transaction, settings })
      return rows
    } finally {
      // Nothing was written. A transaction that is left alone ends by itself.
      await this.#client.run("ROLLBACK", { transaction }).catch(() => undefined)
    }
  }
}

/** A constant text. */
export function writeText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
