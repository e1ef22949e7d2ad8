// A query that gives the leaves of a tree that a public table has, on columns as they are read.

import { assert } from "@dosimeter/core"
import { columnNamed, type CatalogTable } from "../catalog/catalog.ts"
import type { Dialect } from "../catalog/functions/definition.ts"
import { aggregateRel, ColumnIds } from "../ir/make.ts"
import type { Scan } from "../ir/rel.ts"
import { printRel } from "./print.ts"

/** Gives every combination of the columns once. The table is public. */
export function printTreeRows(table: CatalogTable, names: readonly string[], dialect: Dialect): string {
  assert(table.unit.kind === "public", "a tree is read from a table that is about nobody")
  const ids = new ColumnIds(0)
  const sources = names.map((name) => {
    const column = columnNamed(table, name)
    assert(column !== undefined, `${table.name} has ${name}`)
    return column
  })
  const columns = sources.map(({ name, domain }) => ({ id: ids.next(), name, domain }))
  const scan: Scan = { kind: "scan", table, sources, columns }
  const keys = columns.map(({ id }) => id)
  return printRel(aggregateRel(scan, keys, [], ids), dialect).text
}
