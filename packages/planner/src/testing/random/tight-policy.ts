// The policy of a generated dataset with so little room for each unit that joins are cut for most of them.

import type { Policy } from "@dosimeter/policy/file/policy"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import type { TestDataset } from "./random-tables.ts"

/** The policy, with the numbers of public rows and forty rows for each unit. */
export function tightPolicy({ policy: text, tables }: TestDataset): Policy {
  const policy = readPolicy(text)
  const counted = policy.catalog.tables.map((table) => {
    const rows = tables.find(({ name }) => name === table.name)?.rows
    return table.unit.kind === "public" && rows !== undefined ? { ...table, rowCount: rows.length } : table
  })
  return { ...policy, catalog: { ...policy.catalog, tables: counted, rowsPerUnit: 40 } }
}
