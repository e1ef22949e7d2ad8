// The keys that proofs lean on are looked at once for each version of the data. The outcome is the owner's
// business; analysts learn that a dataset is not served, and nothing else.

import { DosimeterError, type Issue } from "@dosimeter/core"
import { printKeyCheck, tableNamed, type Policy } from "@dosimeter/sql"
import { errorOf, fail } from "../errors.ts"
import type { OpenSource } from "./open-source.ts"

/** Refuses a dataset whose keys do not hold. */
export async function checkClaims({ connection }: OpenSource, { catalog, claims }: Policy): Promise<void> {
  const issues: Issue[] = []
  for (const { kind, table: name, columns } of claims) {
    const table = tableNamed(catalog, name)
    if (kind !== "unique" || table === undefined) continue
    const check = printKeyCheck(table, columns, "duckdb")
    // The driver's message may quote what it read, so it is replaced.
    const reader = await connection
      .runAndReadAll(`SELECT EXISTS (${check})`)
      .catch(() => fail("dataset/unreadable", { file: name, format: "a table" }))
    const [broken] = reader.getRows()[0] ?? []
    if (broken === false) continue
    const facts = { table: name, columns: columns.join(", "), what: "is not unique" }
    issues.push(...errorOf("dataset/claim-broken", facts).issues)
  }
  const [first, ...others] = issues
  if (first !== undefined) throw new DosimeterError("refused", [first, ...others])
}
