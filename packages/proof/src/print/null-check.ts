// A query that says whether a column is ever NULL, as it is read: what a policy claims of it.

import { assert } from "@dosimeter/core/errors"
import { columnNamed, type CatalogTable } from "../catalog/catalog.ts"
import type { Dialect } from "../dialects/dialect.ts"
import { callExpr, columnExpr, ColumnIds, filterRel } from "../algebra/make.ts"
import type { Scan } from "../algebra/rel.ts"
import { printRel } from "./print.ts"

/** Gives the rows in which the column is NULL: none, if it never is. */
export function printNullCheck(table: CatalogTable, name: string, dialect: Dialect): string {
  const source = columnNamed(table, name)
  assert(source !== undefined, `${table.name} has ${name}`)
  const column = { id: new ColumnIds(0).next(), name, domain: { ...source.domain, nullable: true } }
  const scan: Scan = { kind: "scan", table, sources: [source], columns: [column] }
  return printRel(filterRel(scan, callExpr("is-null", [columnExpr(column)])), dialect).text
}
