// One connection to PostgreSQL: it comes back after it was lost, except within a transaction, and its
// transactions are entered by one process at a time. What the server says stays inside.

import { createHash } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import pg from "pg"
import { fail } from "../errors.ts"
import type { PostgresAddress } from "./postgres-address.ts"
import { codeOf, isConflict, isGone, storeLost, troubleOf } from "./postgres-trouble.ts"

/** The connection was lost, or the server gave up the transaction: it may succeed when it is tried again. */
export class LostConnection extends Error {
  override readonly name = "LostConnection"
}

/** How long to wait for others, if nothing is said: longer than any queue of servers should take. */
export const patienceDefaultMs = 60_000

/** How long a server may take to accept a connection, or a statement beside its waiting for others. */
const hangMs = 120_000

/** How a connection behaves. */
export interface PostgresOptions {
  /** What transactions take turns by: those of the same name exclude each other, on all machines. */
  readonly lock: string
  /** How long to wait for others, and for a server that is starting again. */
  readonly patienceMs: number
  /** What whole numbers of 8 bytes become. */
  readonly integers: "bigint" | "number"
  /** The schema of tables without one in their names. */
  readonly schema?: string
}

/** A connection. Its methods are called one after the other. */
export class PostgresConnection {
  /** For messages. */
  readonly place: string
  readonly #url: string
  readonly #options: PostgresOptions
  #client: pg.Client | undefined
  #inTransaction = false
  #hasConnected = false
  /** Whether waiting for it has failed: then nothing waits again until it has come back. */
  #isDown = false
  #sync = "on"
  /** The locks that are kept as long as there is a connection. */
  readonly #held = new Set<string>()

  constructor(address: PostgresAddress, options: PostgresOptions) {
    this.place = address.place
    this.#url = address.url
    this.#options = options
  }

  /** Runs one statement. */
  async query(sql: string, values: readonly unknown[] = []): Promise<readonly unknown[]> {
    const { rows } = await this.#send(async (client) => client.query<object>(sql, [...values]))
    return rows
  }

  /** Runs one statement; how many rows it has changed. */
  async change(sql: string, values: readonly unknown[] = []): Promise<number> {
    const { rowCount } = await this.#send(async (client) => client.query(sql, [...values]))
    return rowCount ?? 0
  }

  /** Runs statements of ours that have no parameters. */
  async execute(sql: string): Promise<void> {
    await this.#send(async (client) => client.query(sql))
  }

  /**
   * Waits until no other transaction of the same lock is active, and keeps others out until this one ends.
   *
   * Every statement sees what was committed before it began (read committed), so those after the lock see all
   * that its earlier holders did. A process that stands still loses transaction and lock after a while; its
   * commit then fails.
   */
  async begin(): Promise<void> {
    const { lock, patienceMs } = this.#options
    if (this.#client === undefined) await this.#connect()
    this.#inTransaction = true
    await this.#send(async (client) =>
      client.query(`BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
        SET LOCAL synchronous_commit = ${this.#sync};
        SET LOCAL lock_timeout = ${patienceMs};
        SET LOCAL statement_timeout = 0;
        SET LOCAL idle_in_transaction_session_timeout = ${2 * patienceMs};
        SELECT pg_advisory_xact_lock(${lockKey(lock)})`),
    )
  }

  /** Durable when it resolves; where it throws, it may be durable all the same. */
  async commit(): Promise<void> {
    const { command } = await this.#send(async (client) => client.query("COMMIT"))
    // The server answers ROLLBACK, and no error, where a statement before has failed.
    if (command !== "COMMIT") throw new LostConnection("the transaction was given up")
    this.#inTransaction = false
  }

  /** Leaves the transaction, if there is one; a connection on which that fails is given up. */
  async rollback(): Promise<void> {
    if (!this.#inTransaction) return
    this.#inTransaction = false
    await this.#client?.query("ROLLBACK").catch(() => this.#drop())
  }

  /** Keeps a lock until the connection ends; one that comes back takes it again. */
  async hold(name: string): Promise<void> {
    await this.query(`SELECT ${sharedLock(name)}`)
    this.#held.add(name)
  }

  /** Whether a connection keeps a lock; outside of transactions. */
  async isHeld(name: string): Promise<boolean> {
    if (this.#held.has(name)) return true
    const sql = `SELECT pg_try_advisory_xact_lock(${lockKey(name)}) AS free`
    const { rows } = await this.#send(async (client) => client.query<{ readonly free: boolean }>(sql))
    return rows[0]?.free !== true
  }

  async close(): Promise<void> {
    const client = this.#client
    this.#client = undefined
    // A server that is gone cannot be taken leave of.
    await client?.end().catch(() => undefined)
  }

  async #send<Result>(ask: (client: pg.Client) => Promise<Result>): Promise<Result> {
    if (this.#client === undefined && this.#inTransaction) throw new LostConnection("within a transaction")
    const client = this.#client ?? (await this.#connect())
    try {
      return await ask(client)
    } catch (error) {
      const isLost = isGone(error) || this.#client !== client
      // Nothing more is said on it: what it was doing, the server ends or has ended.
      if (isLost) this.#drop()
      if (isLost || isConflict(error)) throw new LostConnection("the connection was lost", { cause: error })
      if (codeOf(error) === "42501") fail("store/no-rights", { path: this.place })
      throw error
    }
  }

  #drop(): void {
    const client = this.#client
    this.#client = undefined
    void client?.end().catch(() => undefined)
  }

  /** Waits for a server that was there before, or is starting; another that does not answer is an error. */
  async #connect(): Promise<pg.Client> {
    const deadline = performance.now() + this.#options.patienceMs
    for (let pause = 25; ; pause = Math.min(2 * pause, 400)) {
      try {
        return await this.#connectOnce()
      } catch (error) {
        const mayCome = isGone(error) && (this.#hasConnected || codeOf(error) === "57P03")
        if (!mayCome || this.#isDown || performance.now() + pause > deadline) {
          this.#isDown = this.#hasConnected
          throw troubleOf(error)
        }
        await setTimeout(pause)
      }
    }
  }

  async #connectOnce(): Promise<pg.Client> {
    const { patienceMs, integers } = this.#options
    const types = new pg.TypeOverrides()
    types.setTypeParser(pg.types.builtins.INT8, (text) =>
      integers === "bigint" ? BigInt(text) : Number(text),
    )
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: "dosimeter",
      keepAlive: true,
      connectionTimeoutMillis: hangMs,
      query_timeout: hangMs + patienceMs,
      types,
    })
    const lost = (): void => {
      if (this.#client === client) this.#client = undefined
    }
    client.on("error", lost)
    client.on("end", lost)
    try {
      await client.connect()
      this.#sync = await this.#checkServer(client)
      for (const name of this.#held) await client.query(`SELECT ${sharedLock(name)}`)
    } catch (error) {
      void client.end().catch(() => undefined)
      throw error
    }
    this.#client = client
    this.#hasConnected = true
    this.#isDown = false
    return client
  }

  /** Refuses a server that may lose what it has acknowledged; gives how a commit is made durable. */
  async #checkServer(client: pg.Client): Promise<string> {
    const names = ["fsync", "full_page_writes", "synchronous_commit", "server_encoding", "server_version_num"]
    const list = names.map((name) => `current_setting('${name}') AS ${name}`).join(", ")
    const found = await client.query<Record<string, string>>(
      `SELECT ${list}, pg_is_in_recovery()::text AS standby`,
    )
    const [row = {}] = found.rows
    const wrong = (what: string): never => fail("store/unsafe", { path: this.place, what })
    for (const name of ["fsync", "full_page_writes"]) {
      if (row[name] !== "on") wrong(`${name} is ${row[name] ?? "not said"}`)
    }
    if (row["server_encoding"] !== "UTF8") wrong(`its encoding is ${row["server_encoding"] ?? "not said"}`)
    if (row["standby"] !== "false") wrong("it is a standby, which only reads")
    if (!(Number(row["server_version_num"]) >= 130_000)) wrong("it is older than PostgreSQL 13")
    const { schema } = this.#options
    // Its own functions first: nobody puts others in their place.
    await client.query(`SET search_path = pg_catalog${schema === undefined ? "" : `, ${schema}`}`)
    // Waiting for standbys to apply it is more than we need, and not ours to take away.
    return row["synchronous_commit"] === "remote_apply" ? "remote_apply" : "on"
  }
}

/** Runs something on a connection; that it was lost on the way is said in words of ours. */
export async function sayingLost<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof LostConnection) throw storeLost()
    throw error
  }
}

/** Shared, so that a connection need not wait for one of its own that the server has not yet given up. */
function sharedLock(name: string): string {
  return `pg_advisory_lock_shared(${lockKey(name)})`
}

/** The lock of a name: eight bytes of its hash. */
function lockKey(name: string): bigint {
  return createHash("sha256").update(`dosimeter/lock/${name}`, "utf8").digest().readBigInt64BE()
}
