// The server's state in an SQLite file: for one machine, any number of processes on it.

import { DatabaseSync } from "@photostructure/sqlite"
import { closeSync, existsSync, openSync } from "node:fs"
import type { StateAccess, StateRow, StateStore, StateValue } from "./state-store.ts"
import { positionedTables, stateSchema } from "./state-schema.ts"

/** Opens the store, which is made if it is not there. */
export function openSqliteState(path: string): StateStore {
  // Only the operator's account may read it.
  if (path !== ":memory:" && !existsSync(path)) closeSync(openSync(path, "a", 0o600))
  return new SqliteState(new DatabaseSync(path, { readBigInts: false, timeout: 60_000, defensive: true }))
}

class SqliteState implements StateStore {
  readonly #database: InstanceType<typeof DatabaseSync>
  /** Transactions of one process wait for each other here. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(database: InstanceType<typeof DatabaseSync>) {
    this.#database = database
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON")
    database.exec(`BEGIN IMMEDIATE; ${stateSchema}`)
    for (const table of positionedTables) addPosition(database, table)
    database.exec("COMMIT")
  }

  async all(sql: string, values: readonly StateValue[] = []): Promise<readonly StateRow[]> {
    return this.#all(sql, values)
  }

  async run(sql: string, values: readonly StateValue[] = []): Promise<number> {
    return this.#run(sql, values)
  }

  async transaction<Result>(work: (access: StateAccess) => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(async () => this.#transact(work))
    this.#last = turn.catch(() => undefined)
    return turn
  }

  async close(): Promise<void> {
    await this.#last
    this.#database.close()
  }

  async #transact<Result>(work: (access: StateAccess) => Promise<Result>): Promise<Result> {
    this.#database.exec("BEGIN IMMEDIATE")
    try {
      const result = await work({
        all: async (sql, values = []) => this.#all(sql, values),
        run: async (sql, values = []) => this.#run(sql, values),
      })
      this.#database.exec("COMMIT")
      return result
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK")
      throw error
    }
  }

  #all(sql: string, values: readonly StateValue[]): readonly StateRow[] {
    const rows: readonly unknown[] = this.#database.prepare(sql).all(...values)
    return rows.map((row) => readRow(row))
  }

  #run(sql: string, values: readonly StateValue[]): number {
    return Number(this.#database.prepare(sql).run(...values).changes)
  }
}

function addPosition(database: InstanceType<typeof DatabaseSync>, table: string): void {
  const columns = database.prepare("SELECT name FROM pragma_table_info(?) WHERE name = 'position'").all(table)
  if (columns.length === 0) database.exec(`ALTER TABLE ${table} ADD COLUMN position INTEGER`)
}

function readRow(row: unknown): StateRow {
  const entries = Object.entries(row ?? {}).map(([name, value]: [string, unknown]) => {
    const isPlain = typeof value === "string" || typeof value === "number" || typeof value === "bigint"
    return [name, isPlain ? value : null] as const
  })
  return Object.fromEntries(entries)
}
