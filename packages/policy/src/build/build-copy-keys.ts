// The keys that an owner wants prepared copies for: columns of the table, or months and years of its dates.

import { columnNamed, type CatalogTable, type CopyKeyPart } from "@dosimeter/proof/catalog/catalog"
import { suggest } from "../file/closest.ts"
import type { Report } from "../file/report.ts"
import type { TableSpec, Written } from "../file/specs.ts"

/** The table with the keys of its line `prepare`, if it has one. */
export function withCopyKeys(table: CatalogTable, specs: readonly TableSpec[], report: Report): CatalogTable {
  const wanted = specs.find(({ name }) => name === table.name)?.prepare
  if (wanted === undefined) return table
  const { unit } = table
  if (unit.kind !== "path" || unit.hops.length > 0) {
    const expected = "nothing: only tables with the unit's id in a column of their own have copies by key"
    const [first] = wanted
    if (first === undefined) return table
    report.add("policy/wrong-value", { where: `prepare of ${table.name}`, got: "a key", expected }, first.at)
    return table
  }
  return {
    ...table,
    copyKeys: wanted.map(({ columns }) => columns.flatMap((written) => partOf(written, table, report) ?? [])),
  }
}

function partOf(written: Written, table: CatalogTable, report: Report): CopyKeyPart | undefined {
  const [, cut, inside] = /^(month|year)\s*\(\s*(.+?)\s*\)$/i.exec(written.text) ?? []
  const name = inside ?? written.text
  const column = columnNamed(table, name)
  if (column?.access !== "allowed") {
    const allowed = table.columns.filter(({ access }) => access === "allowed")
    const known = suggest(
      name,
      allowed.map((one) => one.name),
    )
    report.add("policy/unknown-column", { table: table.name, column: name, known }, written.at)
    return undefined
  }
  if (cut === undefined) return { column: name }
  const { kind } = column.domain.type
  if (kind !== "date" && kind !== "timestamp") {
    const where = `${written.text} in prepare of ${table.name}`
    report.add("policy/wrong-value", { where, got: `a column of ${kind}`, expected: "a date" }, written.at)
    return undefined
  }
  return { column: name, cut: cut.toLowerCase() === "month" ? "month" : "year" }
}
