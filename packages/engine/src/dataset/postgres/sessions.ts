// A few connections to PostgreSQL that are used one query at a time. Whoever takes one gives it back, or
// gives it up: then the server ends what it was doing.

import pg from "pg"
import { errorOf } from "../../errors.ts"
import { isGone } from "../../postgres/postgres-trouble.ts"
import { unreachable } from "./trouble.ts"

/** How long a server may take to accept a connection. */
const connectMs = 30_000

/** How many connections there are at most. Others wait. */
const sessionsMax = 4

/** A connection that somebody has taken. */
export interface Session {
  readonly client: pg.Client
  /** The process of the server that serves it, for as long as it lasts. */
  readonly pid: number
  /** The lists of units that are there, by the number of their making. */
  readonly lists: Map<string, number>
}

/** The connections. */
export class Sessions {
  readonly #config: pg.ClientConfig
  readonly #idle: Session[] = []
  readonly #waiting: (() => void)[] = []
  #open = 0
  #isClosed = false

  constructor(config: pg.ClientConfig) {
    this.#config = {
      ...config,
      application_name: "dosimeter",
      keepAlive: true,
      connectionTimeoutMillis: connectMs,
    }
  }

  /**
   * Takes a connection and begins on it with `begin`. One that was idle may have been lost meanwhile, and
   * nothing was asked on it yet: then another one is opened.
   */
  async take(begin: string): Promise<Session> {
    while (this.#open >= sessionsMax && this.#idle.length === 0) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve)
      })
    }
    for (let session = this.#idle.pop(); session !== undefined; session = this.#idle.pop()) {
      const began = await beginOn(session, begin).catch((error: unknown) => error)
      if (began === undefined) return session
      this.drop(session)
      if (!isGone(began)) throw unreachable(began)
    }
    const session = await this.#connect()
    const failed = await beginOn(session, begin).catch((error: unknown) => error)
    if (failed === undefined) return session
    this.drop(session)
    throw unreachable(failed)
  }

  /** Gives back a connection on which nothing is under way. */
  give(session: Session): void {
    // An idle connection keeps the process alive, and nobody is left to end it.
    if (this.#isClosed) return this.drop(session)
    this.#idle.push(session)
    this.#waiting.shift()?.()
  }

  /** Gives up a connection. */
  drop({ client }: Session): void {
    this.#open -= 1
    void client.end().catch(() => undefined)
    this.#waiting.shift()?.()
  }

  /** Tells the server to stop what a connection does: over another one, which is as private as the first. */
  async interrupt(pid: number): Promise<void> {
    const client = new pg.Client(this.#config)
    client.on("error", () => undefined)
    await client.connect()
    try {
      await client.query("SELECT pg_catalog.pg_cancel_backend($1)", [pid])
    } finally {
      await client.end()
    }
  }

  /** Ends what is idle. What is taken ends when it comes back. */
  close(): void {
    this.#isClosed = true
    for (let session = this.#idle.pop(); session !== undefined; session = this.#idle.pop()) this.drop(session)
  }

  async #connect(): Promise<Session> {
    this.#open += 1
    let client: pg.Client | undefined
    try {
      client = new pg.Client(this.#config)
      // A connection that is lost says so at its next use.
      client.on("error", () => undefined)
      await client.connect()
      return { client, pid: await pidOf(client), lists: new Map() }
    } catch (error) {
      this.#open -= 1
      void client?.end().catch(() => undefined)
      this.#waiting.shift()?.()
      throw unreachable(error)
    }
  }
}

/**
 * Begins a transaction. Lists of people and locks stay in a session of the server: where something gives the
 * transactions of one connection to several, what a query finds there may be another's.
 */
export async function beginOn({ client, pid }: Session, begin: string): Promise<undefined> {
  await client.query(begin)
  if ((await pidOf(client)) === pid) return
  const what = "a pooler of transactions stands before it, and sessions are needed"
  throw errorOf("dataset/unsafe-server", { what })
}

async function pidOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ readonly pid: number }>("SELECT pg_catalog.pg_backend_pid() AS pid")
  return rows[0]?.pid ?? 0
}
