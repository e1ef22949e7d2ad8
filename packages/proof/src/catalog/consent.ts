// Whose rows may be read at all, where that is the people's own decision: a relation of unit ids, which is
// filled before each question from the decisions that hold.

import type { CatalogTable, ConsentFacts, ConsentMode } from "./catalog.ts"

/** Before a question names its purposes: enough to explain it, with a relation that no database has. */
export function consentBefore(mode: ConsentMode, tables: readonly CatalogTable[]): ConsentFacts | undefined {
  const table = consentTable(tables, ["consent"])
  return table === undefined ? undefined : { mode, table, purposes: [], version: "none" }
}

/** The relation of a path in the database; undefined where units are rows and have no id. */
export function consentTable(
  tables: readonly CatalogTable[],
  path: readonly string[],
): CatalogTable | undefined {
  for (const { unit, columns } of tables) {
    if (unit.kind !== "path" || unit.hops.length > 0) continue
    const own = columns.find(({ name }) => name === unit.column)
    if (own === undefined) continue
    const domain = { ...own.domain, nullable: false }
    return {
      name: "consent",
      path,
      unit: { kind: "path", hops: [], column: "unit" },
      columns: [{ name: "unit", source: "unit", access: "denied", domain }],
      keys: [["unit"]],
    }
  }
  return undefined
}
