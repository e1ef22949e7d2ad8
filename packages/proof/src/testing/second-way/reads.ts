// Reading stored columns: whatever is stored, in whatever type, what is read lies in the declared domain.

import type { CatalogTable } from "../../catalog/catalog.ts"
import type { Rel } from "../../algebra/rel.ts"
import type { Dice } from "../dice.ts"
import type { StoredType } from "../hostile-values.ts"
import { scanOf } from "../two-databases.ts"
import { randomSlot, type SlotKind } from "./slots.ts"

const numbers: readonly StoredType[] = [
  "SMALLINT",
  "INTEGER",
  "BIGINT",
  "HUGEINT",
  "UBIGINT",
  "DOUBLE",
  "REAL",
  "DECIMAL(12,2)",
  "DECIMAL(38,10)",
]
const times: readonly StoredType[] = ["DATE", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_NS"]

/** The stored types that a column of a kind may be declared over. */
export const storedFor: Readonly<Record<Exclude<SlotKind, "modest" | "widest">, readonly StoredType[]>> = {
  boolean: ["BOOLEAN"],
  integer: numbers,
  decimal: numbers,
  float: numbers,
  text: ["VARCHAR", "VARCHAR COLLATE NOCASE"],
  date: times,
  timestamp: times,
}

/** A scan of the table of hostile values with a random declaration. */
export function randomRead(kind: keyof typeof storedFor, dice: Dice): Rel {
  const { domain } = randomSlot(kind, dice)
  // A list says which values are shown; others may be stored. NULL always may.
  const { values: _listed, calendar: _calendar, ...declared } = domain
  const table: CatalogTable = {
    name: "stored",
    path: ["stored"],
    unit: { kind: "public" },
    columns: [{ name: "x", source: "x", domain: { ...declared, nullable: true }, access: "allowed" }],
    keys: dice.chance(0.3) ? [["x"]] : [],
  }
  return scanOf(table, ["x"])
}
