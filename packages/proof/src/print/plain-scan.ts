// Some columns of a table, as they are read: for queries that are about the table itself.

import { assert } from "@dosimeter/core/errors"
import { columnNamed, type CatalogTable } from "../catalog/catalog.ts"
import type { ColumnIds } from "../algebra/make.ts"
import type { Scan } from "../algebra/rel.ts"

/** A scan of these columns, which the table has. */
export function plainScan(table: CatalogTable, names: readonly string[], ids: ColumnIds): Scan {
  const sources = names.map((name) => {
    const column = columnNamed(table, name)
    assert(column !== undefined, `${table.name} has ${name}`)
    return column
  })
  const columns = sources.map(({ name, domain }) => ({ id: ids.next(), name, domain }))
  return { kind: "scan", table, sources, columns }
}
