// Queries of one PostgreSQL, each in a transaction of its own that only reads, so that it can be stopped by
// itself. All are stopped when the source is closed.

import type { SqlText } from "@dosimeter/proof/print/print"
import pg from "pg"
import { fail } from "../../errors.ts"
import { GivenUp, stopAt, type StopOptions } from "../stop-at.ts"
import type { Sent } from "./read-value.ts"
import type { Session, Sessions } from "./sessions.ts"
import { beginning, ownersTimeMs } from "./transaction.ts"
import type { UnitLists } from "./unit-lists.ts"

/** How a query is run. */
export interface QueryOptions extends StopOptions {
  /** The value of every parameter. */
  readonly secret?: string
}

/** The server stops a query on its own this long after we should have. */
const serverGraceMs = 10_000

/** The queries that run on a source. */
export class RunningQueries {
  readonly #sessions: Sessions
  readonly #lists: UnitLists
  readonly #workers: number | undefined
  readonly #givenUp = new GivenUp()
  readonly #running = new Map<AbortController, Promise<unknown>>()
  #isClosed = false

  constructor(sessions: Sessions, lists: UnitLists, workers: number | undefined) {
    this.#sessions = sessions
    this.#lists = lists
    this.#workers = workers
  }

  /** Reads the rows of a query one by one. Nothing of what the driver says about a failure goes on. */
  async read<Row>(
    sql: SqlText,
    readRow: (row: readonly Sent[]) => Row,
    { signal, ...options }: QueryOptions = {},
  ): Promise<readonly Row[]> {
    if (this.#isClosed) fail("backend/failed", {})
    const end = new AbortController()
    const stops = signal === undefined ? end.signal : AbortSignal.any([signal, end.signal])
    const work = this.#run(sql, readRow, { ...options, signal: stops })
    this.#running.set(end, work)
    return work.finally(() => this.#running.delete(end))
  }

  async #run<Row>(
    { text, parameters }: SqlText,
    readRow: (row: readonly Sent[]) => Row,
    { secret = "", ...stop }: QueryOptions,
  ): Promise<readonly Row[]> {
    const timeoutMs = stop.timeoutMs === undefined ? ownersTimeMs : stop.timeoutMs + serverGraceMs
    const begin = beginning({ writes: false, timeoutMs, workers: this.#workers })
    const query = new OneQuery(this.#sessions, this.#lists)
    const values = parameters.map(() => secret)
    const rows = await stopAt(query, () => query.rows(begin, text, values), stop, this.#givenUp)
    // Outside of what hides the words of a driver: these are ours.
    return rows.map(readRow)
  }

  /** Stops what runs, and lets go of the server once nothing does. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    for (const end of this.#running.keys()) end.abort()
    await Promise.allSettled(this.#running.values())
    this.#givenUp.whenBack(() => this.#sessions.close())
  }
}

/** A query on a session that it takes, and gives back if all went well. */
class OneQuery {
  readonly #sessions: Sessions
  readonly #lists: UnitLists
  #session: Session | undefined
  #pid: number | undefined
  #isStopped = false
  #isDone = false

  constructor(sessions: Sessions, lists: UnitLists) {
    this.#sessions = sessions
    this.#lists = lists
  }

  async rows(begin: string, text: string, values: readonly string[]): Promise<readonly (readonly Sent[])[]> {
    const session = await this.#sessions.take(begin)
    this.#session = session
    const { client } = session
    if (!this.#lists.areAt(session)) {
      await client.query("ROLLBACK")
      await this.#lists.bringTo(session)
      await client.query(begin)
    }
    const [row] = await readRows(client, "SELECT pg_backend_pid()", [])
    this.#pid = Number(row?.[0])
    if (this.#isStopped) throw new Error("stopped before it began")
    const rows = await readRows(client, text, values)
    await client.query("COMMIT")
    this.#isDone = true
    return rows
  }

  interrupt(): void {
    this.#isStopped = true
    // A server that does not listen ends the query at its own limit.
    if (this.#pid !== undefined) void this.#sessions.interrupt(this.#pid).catch(() => undefined)
  }

  close(): void {
    const session = this.#session
    this.#session = undefined
    if (session === undefined) return
    // What was told to stop may be told so once more, when the connection is another query's.
    if (this.#isDone && !this.#isStopped) this.#sessions.give(session)
    else this.#sessions.drop(session)
  }
}

/** All rows of a query, as the server writes them: texts. */
export function readRows(
  client: pg.Client,
  text: string,
  values: readonly unknown[],
): Promise<readonly (readonly Sent[])[]> {
  return new Promise((resolve, reject) => {
    const rows: (readonly Sent[])[] = []
    const config: pg.QueryArrayConfig = { text, values: [...values], rowMode: "array", types: asTexts }
    const query = new pg.Query(config)
    query.on("row", (row: readonly Sent[]) => rows.push(row))
    query.on("error", reject)
    query.on("end", () => resolve(rows))
    client.query(query)
  })
}

const asTexts = { getTypeParser: () => (text: string) => text }
