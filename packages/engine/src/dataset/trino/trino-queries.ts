// Queries of one Trino: each in a read-only transaction of its own, which can be stopped by itself. All are
// stopped when the source is closed.

import type { DosimeterError } from "@dosimeter/core"
import type { SqlText } from "@dosimeter/proof/print/print"
import { errorOf, fail } from "../../errors.ts"
import { GivenUp, stopAt, type StopOptions, type Stoppable } from "../stop-at.ts"
import { TrinoFailure, wordsOfDoor, type TrinoCell, type TrinoClient } from "./trino-client.ts"

/** How a query is run. */
export interface QueryOptions extends StopOptions {
  /** The value of every parameter. */
  readonly secret?: string
  /** Whether somebody paid for it: then a server that is gone is a question that failed. */
  readonly isPaid?: boolean
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
    { secret = "", isPaid = false, ...stop }: QueryOptions = {},
  ): Promise<readonly (readonly TrinoCell[])[]> {
    const values = parameters.map(() => writeText(secret))
    const sql = values.length === 0 ? text : `EXECUTE IMMEDIATE ${writeText(text)} USING ${values.join(", ")}`
    return this.#run((signal) => this.#reading(sql, signal, stop.timeoutMs), stop, isPaid)
  }

  /** Runs a statement that writes into a schema of ours. */
  async write(sql: string, stop: StopOptions = {}): Promise<void> {
    await this.#run(async (signal) => this.#client.run(sql, { signal }), stop, false)
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
    isPaid: boolean,
  ): Promise<Result> {
    if (this.#isClosed) fail("backend/failed", {})
    const end = new AbortController()
    const stops = signal === undefined ? end.signal : AbortSignal.any([signal, end.signal])
    const told = new AbortController()
    const session: Stoppable = {
      interrupt: () => told.abort(),
      close: () => undefined,
      meaningOf: (error) => meaningOf(error, isPaid),
    }
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
      await this.#client.run("ROLLBACK", { transaction, isHasty: true }).catch(() => undefined)
    }
  }
}

/** What a failure means, by its kind alone. */
function meaningOf(error: unknown, isPaid: boolean): DosimeterError | undefined {
  if (!(error instanceof TrinoFailure)) return undefined
  if (tooLarge.includes(error.kind)) return errorOf("backend/too-large", {})
  const what = isPaid ? undefined : wordsOfDoor.get(error.kind)
  return what === undefined ? undefined : errorOf("dataset/unreachable", { what })
}

/** What a cluster says where a query is more than it has, or may give. */
const tooLarge: readonly string[] = [
  "EXCEEDED_GLOBAL_MEMORY_LIMIT",
  "EXCEEDED_LOCAL_MEMORY_LIMIT",
  "CLUSTER_OUT_OF_MEMORY",
  "EXCEEDED_SPILL_LIMIT",
  "OUT_OF_SPILL_SPACE",
  "EXCEEDED_CPU_LIMIT",
  "EXCEEDED_SCAN_LIMIT",
  "EXCEEDED_TIME_LIMIT",
  "QUERY_QUEUE_FULL",
]

/** A constant text. */
export function writeText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
