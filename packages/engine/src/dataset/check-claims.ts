// The keys that proofs lean on are looked at once for each version of the data. The outcome is the owner's
// business; analysts learn that a dataset is not served, and nothing else.

import { printKeyCheck, tableNamed, type Policy } from "@dosimeter/sql"
import { fail } from "../errors.ts"
import type { OpenSource } from "./open-source.ts"

/** Refuses a dataset whose keys do not hold. */
export async function checkClaims({ connection }: OpenSource, { catalog, claims }: Policy): Promise<void> {
  for (const { kind, table: name, columns } of claims) {
    const table = tableNamed(catalog, name)
    if (kind !== "unique" || table === undefined) continue
    const check = printKeyCheck(table, columns, "duckdb")
    const reader = await connection.runAndReadAll(`SELECT EXISTS (${check})`)
    const [broken] = reader.getRows()[0] ?? []
    if (broken !== false) {
      fail("dataset/claim-broken", { table: name, columns: columns.join(", "), what: "is not unique" })
    }
  }
}
