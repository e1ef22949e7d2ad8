// Prepared copies of a made-up dataset: of everyone's rows, and of the rows of all but one unit.

import { quotedName } from "@dosimeter/proof/testing/hostile-values"
import { printCopy } from "@dosimeter/proof/print/print-copy"
import type { PreparedTable } from "@dosimeter/proof/units/prepared-table"
import type { DesignOptions } from "../../copies/design-copies.ts"
import type { TestDataset } from "../random/random-tables.ts"
import type { LoadedDataset } from "./remove-each-unit.ts"
import { everyone, replaced, without, type TestDatabase } from "./test-database.ts"

/** Makes copies in all versions of a dataset; `change` spoils the query that makes them. */
export async function makeCopies(
  { dataset, ordered, shuffled }: LoadedDataset,
  copies: readonly PreparedTable[],
  change = (text: string): string => text,
): Promise<void> {
  const isReplace = dataset.neighbours === "replace"
  const versions = dataset.owners.flatMap((owner) => [
    without(owner),
    ...(isReplace ? [replaced(owner)] : []),
  ])
  const make = async (database: TestDatabase, version: string): Promise<void> => {
    const tables = copies.map(
      (copy) =>
        `CREATE TABLE ${quotedName(copy.table.path.at(-1) ?? "")} AS ${change(printCopy(copy, { dialect: "duckdb", secret: "'secret'" }))}`,
    )
    await database.execute(tables.join(";\n"), version)
  }
  if (copies.length === 0) return
  for (const version of [everyone, ...versions]) await make(ordered, version)
  await make(shuffled, everyone)
}

/** Copies for all columns that can be grouped by. */
export function keysOf(dataset: TestDataset): NonNullable<DesignOptions["keys"]> {
  return Object.fromEntries(
    dataset.tables.map(({ name, columns }) => [
      name,
      columns
        .filter(({ role }) => role === "data" || role === "code" || role === "link")
        .map(({ name: column, kind }) => [kind === "date" ? { column, cut: "month" as const } : { column }]),
    ]),
  )
}
