// Queries of one PostgreSQL, each in a transaction of its own that only reads, so that it can be stopped by
// itself. All are stopped when the source is closed.

import type { DosimeterError } from "@dosimeter/core"
import type { SqlText } from "@dosimeter/proof/print/print"
import pg from "pg"
import { errorOf, fail } from "../../errors.ts"
import { codeOf, isConflict, isHeld } from "../../postgres/postgres-trouble.ts"
import { GivenUp, stopAt, type StopOptions, type Stoppable } from "../stop-at.ts"
import { afterConflicts } from "./after-conflicts.ts"
import type { Ask } from "./discover.ts"
import type { Sent } from "./read-value.ts"
import { seesThrough } from "./seen-through.ts"
import type { SeenRows } from "./seen-data.ts"
import { beginOn, type Session, type Sessions } from "./sessions.ts"
import { beginning, ownersTimeMs } from "./transaction.ts"
import type { UnitLists } from "./unit-lists.ts"

/** How a query is run. */
export interface QueryOptions extends StopOptions {
  /** The value of every parameter. */
  readonly secret?: string
  /** Whether the rows must be those of the version that was opened: asked where they are read. */
  readonly isOfVersion?: boolean
}

/** The server stops a query on its own this long after we should have. */
const serverGraceMs = 10_000

/** What queries run on. */
export interface QueryRoom {
  readonly sessions: Sessions
  readonly lists: UnitLists
  readonly seen: SeenRows
  /** How many processes may work on one query, beside the first. */
  readonly workers: number | undefined
}

/** The queries that run on a source. */
export class RunningQueries {
  readonly #room: QueryRoom
  readonly #givenUp = new GivenUp()
  readonly #running = new Map<AbortController, Promise<unknown>>()
  #isClosed = false

  constructor(room: QueryRoom) {
    this.#room = room
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
    { secret = "", isOfVersion = false, ...stop }: QueryOptions,
  ): Promise<readonly Row[]> {
    const timeoutMs = stop.timeoutMs === undefined ? ownersTimeMs : stop.timeoutMs + serverGraceMs
    const begin = beginning({ writes: false, timeoutMs, workers: this.#room.workers })
    const query = new OneQuery(this.#room)
    const asked = { text, values: parameters.map(() => secret), isOfVersion }
    const rows = await stopAt(query, () => query.rows(begin, asked), stop, this.#givenUp)
    // Outside of what hides the words of a driver: these are ours.
    return rows === "changed" ? fail("dataset/changed", {}) : rows.map(readRow)
  }

  /** Stops what runs, and lets go of the server once nothing does. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    for (const end of this.#running.keys()) end.abort()
    await Promise.allSettled(this.#running.values())
    this.#givenUp.whenBack(() => this.#room.sessions.close())
  }
}

interface AskedQuery extends Pick<Required<QueryOptions>, "isOfVersion"> {
  readonly text: string
  readonly values: readonly string[]
}

/** A query on a session that it takes, and gives back if all went well. */
class OneQuery implements Stoppable {
  readonly #room: QueryRoom
  #session: Session | undefined
  #pid: number | undefined
  #isStopped = false
  #isDone = false

  constructor(room: QueryRoom) {
    this.#room = room
  }

  async rows(begin: string, asked: AskedQuery): Promise<readonly (readonly Sent[])[] | "changed"> {
    return afterConflicts(
      () => this.#attempt(begin, asked),
      () => this.#isStopped,
    )
  }

  async #attempt(
    begin: string,
    { text, values, isOfVersion }: AskedQuery,
  ): Promise<readonly (readonly Sent[])[] | "changed"> {
    const { sessions, lists, seen } = this.#room
    // That of an attempt before is in a transaction that the server has given up.
    this.close()
    const session = await sessions.take(begin)
    this.#session = session
    const { client } = session
    if (!lists.areAt(session)) {
      await client.query("ROLLBACK")
      await lists.bringTo(session)
      await beginOn(session, begin)
    }
    this.#pid = session.pid
    if (this.#isStopped) throw new Error("stopped before it began")
    // In the transaction that reads: data may be another between two looks, and the same at both.
    const ask: Ask = (own, given) => readRows(client, own, given)
    const isSame = !isOfVersion || (await seen.isSameIn(ask))
    const read = isSame ? await readRows(client, text, values) : "changed"
    const rows = (await seesThrough(ask)) ? read : "changed"
    await client.query("COMMIT")
    this.#isDone = true
    return rows
  }

  interrupt(): void {
    this.#isStopped = true
    // A server that does not listen ends the query at its own limit.
    if (this.#pid !== undefined) void this.#room.sessions.interrupt(this.#pid).catch(() => undefined)
  }

  /**
   * The server's class of what it has not enough of (memory, disk, room for temporary files); and what it
   * gave up for the sake of others, again and again, or waited for in vain.
   */
  meaningOf(error: unknown): DosimeterError | undefined {
    const isTooLarge = /^53\w{3}$/.test(codeOf(error) ?? "") || isConflict(error) || isHeld(error)
    return isTooLarge ? errorOf("backend/too-large", {}) : undefined
  }

  close(): void {
    const session = this.#session
    this.#session = undefined
    this.#pid = undefined
    if (session === undefined) return
    // What was told to stop may be told so once more, when the connection is another query's.
    if (this.#isDone && !this.#isStopped) this.#room.sessions.give(session)
    else this.#room.sessions.drop(session)
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
