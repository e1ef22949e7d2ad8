// The server's state in PostgreSQL, beside the ledger: for several servers that share it. Writers take turns,
// on all machines, as they do with a file.

import {
  appendOnly,
  LostConnection,
  makeTables,
  patienceDefaultMs,
  postgresAddress,
  PostgresConnection,
  sayingLost,
  schemaOf,
  Turns,
} from "@dosimeter/engine"
import { positionedTables, stateSchema } from "./state-schema.ts"
import type { StateAccess, StateRow, StateStore, StateValue } from "./state-store.ts"

/** Opens the state of a dataset's servers; its tables are made if they are not there. */
export async function openPostgresState(url: string, dataset: string): Promise<StateStore> {
  const schema = schemaOf(dataset)
  const address = postgresAddress(url)
  const options = {
    lock: `state ${schema}`,
    patienceMs: patienceDefaultMs,
    integers: "number",
    schema,
  } as const
  const writer = new PostgresConnection(address, options)
  try {
    await sayingLost(async () => makeTables(writer, schema, { name: "state", sql: postgresSchema() }))
  } catch (error) {
    await writer.close()
    throw error
  }
  return new PostgresState(writer, new PostgresConnection(address, options))
}

class PostgresState implements StateStore {
  readonly #writer: PostgresConnection
  readonly #reader: PostgresConnection
  readonly #writes = new Turns()
  readonly #reads = new Turns()

  constructor(writer: PostgresConnection, reader: PostgresConnection) {
    this.#writer = writer
    this.#reader = reader
  }

  async all(sql: string, values: readonly StateValue[] = []): Promise<readonly StateRow[]> {
    const read = async (): Promise<readonly StateRow[]> => queryRows(this.#reader, sql, values)
    return this.#reads.take(async () =>
      // Reading twice does no harm.
      read().catch(async (error: unknown) => {
        if (error instanceof LostConnection) return sayingLost(read)
        throw error
      }),
    )
  }

  async run(sql: string, values: readonly StateValue[] = []): Promise<number> {
    return this.transaction(async (access) => access.run(sql, values))
  }

  async transaction<Result>(work: (access: StateAccess) => Promise<Result>): Promise<Result> {
    return this.#writes.take(async () => sayingLost(async () => this.#transact(work)))
  }

  async close(): Promise<void> {
    await this.#writes.take(async () => this.#writer.close())
    await this.#reads.take(async () => this.#reader.close())
  }

  async #transact<Result>(work: (access: StateAccess) => Promise<Result>): Promise<Result> {
    await this.#writer.begin()
    try {
      const result = await work({
        all: async (sql, values = []) => queryRows(this.#writer, sql, values),
        run: async (sql, values = []) => this.#writer.change(numbered(sql), values),
      })
      await this.#writer.commit()
      return result
    } catch (error) {
      await this.#writer.rollback()
      throw error
    }
  }
}

async function queryRows(
  connection: PostgresConnection,
  sql: string,
  values: readonly StateValue[],
): Promise<readonly StateRow[]> {
  const rows = await connection.query(numbered(sql), values)
  return rows.map((row) => {
    const entries = Object.entries(row ?? {}).map(([name, value]: [string, unknown]) => {
      const isPlain = typeof value === "string" || typeof value === "number" || typeof value === "bigint"
      return [name, isPlain ? value : null] as const
    })
    return Object.fromEntries(entries)
  })
}

/** As PostgreSQL writes it: ? becomes $1, $2, and an empty list what holds nothing; what is quoted stays. */
export function numbered(sql: string): string {
  let count = 0
  return sql.replaceAll(/'(?:[^']|'')*'|\bIN \(\)|\?/g, (part) => {
    if (part === "IN ()") return "= ANY ('{}'::text[])"
    if (part !== "?") return part
    count += 1
    return `$${count}`
  })
}

/** The same tables: text is compared by its code points, numbers are as large as SQLite's. */
function postgresSchema(): string {
  const tables = stateSchema.replaceAll(/\bTEXT\b/g, 'TEXT COLLATE "C"').replaceAll(/\bINTEGER\b/g, "BIGINT")
  const positions = positionedTables.map(
    (table) => `ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS position BIGINT;\n`,
  )
  return `${tables}${positions.join("")}${appendOnly("audit", "entries of the audit trail")}`
}
