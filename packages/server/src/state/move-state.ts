// Copies the server's state from one store into another that is empty: all tables, all rows, all or nothing.

import { fail } from "../errors.ts"
import { stateSchema } from "./state-schema.ts"
import type { StateStore } from "./state-store.ts"

/** Copies everything; how many rows there were. */
export async function moveState(source: StateStore, target: StateStore): Promise<number> {
  // In the order in which they are made: what a row refers to comes before it.
  const tables = [...stateSchema.matchAll(/CREATE TABLE IF NOT EXISTS (\w+)/g)].map(([, name = ""]) => name)
  return target.transaction(async (access) => {
    let count = 0
    for (const table of tables) {
      const there = await access.all(`SELECT count(*) AS n FROM ${table}`)
      if (Number(there[0]?.["n"]) !== 0) fail("cli/state-not-empty", {})
      for (const row of await source.all(`SELECT * FROM ${table}`)) {
        const names = Object.keys(row)
        const places = names.map(() => "?").join(", ")
        await access.run(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${places})`, Object.values(row))
        count += 1
      }
    }
    return count
  })
}
