// A query that gives the leaves of a tree that a public table has, on columns as they are read.

import { assert } from "@dosimeter/core/errors"
import type { CatalogTable } from "../catalog/catalog.ts"
import type { Dialect } from "../dialects/dialect.ts"
import { aggregateRel, ColumnIds } from "../algebra/make.ts"
import { plainScan } from "./plain-scan.ts"
import { printRel } from "./print.ts"

/** Gives every combination of the columns once. The table is public. */
export function printTreeRows(table: CatalogTable, names: readonly string[], dialect: Dialect): string {
  assert(table.unit.kind === "public", "a tree is read from a table that is about nobody")
  const ids = new ColumnIds(0)
  const scan = plainScan(table, names, ids)
  const keys = scan.columns.map(({ id }) => id)
  return printRel(aggregateRel(scan, keys, [], ids), dialect).text
}
