// A query that says whether a declared key holds, on columns as they are read: what dependencies lean on.

import { assert } from "@dosimeter/core/errors"
import type { CatalogTable } from "../catalog/catalog.ts"
import type { Dialect } from "../dialects/dialect.ts"
import { aggregateRel, callExpr, columnExpr, ColumnIds, filterRel, integerLiteral } from "../algebra/make.ts"
import { plainScan } from "./plain-scan.ts"
import { printRel } from "./print.ts"

/** Gives the combinations that stand in more than one row: none, if the key holds. NULL equals NULL here. */
export function printKeyCheck(table: CatalogTable, names: readonly string[], dialect: Dialect): string {
  const ids = new ColumnIds(0)
  const scan = plainScan(table, names, ids)
  const keys = scan.columns.map(({ id }) => id)
  const counted = aggregateRel(scan, keys, [{ name: "rows", function: "rows", argument: undefined }], ids)
  const count = counted.columns.at(-1)
  assert(count !== undefined, "a count was added")
  return printRel(filterRel(counted, callExpr("greater", [columnExpr(count), integerLiteral(1n)])), dialect)
    .text
}
