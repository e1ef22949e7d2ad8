// The columns that copies of a table add to it: their names, and what is computed of the table's own.

import { literalDomain } from "@dosimeter/proof/catalog/literal-domain"
import type { CatalogTable, CopyKey } from "@dosimeter/proof/catalog/catalog"
import type { ColumnExpr, Expr, LiteralExpr } from "@dosimeter/proof/algebra/expr"
import { utf8Length } from "@dosimeter/language/text/source"
import { callExpr } from "@dosimeter/proof/algebra/make"
import { placeDomain, type DerivedColumn } from "@dosimeter/proof/units/prepared-table"

/** A key as people write it: ward, month(visit_start_date). */
export function showCopyKey(key: CopyKey): string {
  return key.map(({ column, cut }) => (cut === undefined ? column : `${cut}(${column})`)).join(", ")
}

/** The months and years of a key, as columns. */
export function cutsOf(base: CatalogTable, key: CopyKey, names: Names): readonly DerivedColumn[] {
  return key.flatMap(({ column, cut }) => {
    if (cut === undefined) return []
    return [{ name: names.free(`${column}_${cut}`), value: cutOf(base, column, cut) }]
  })
}

/** The names of the columns that a key is made of, given those of its months and years. */
export function columnsOfKey(key: CopyKey, cuts: readonly DerivedColumn[]): readonly string[] {
  const left = cuts.map(({ name }) => name)
  return key.map(({ column, cut }) => (cut === undefined ? column : (left.shift() ?? column)))
}

/** A column of the table, as stored expressions name it. */
export function columnOf(base: CatalogTable, name: string): ColumnExpr {
  const id = base.columns.findIndex((column) => column.name === name)
  const { domain } = base.columns[id] ?? placeColumn
  return { kind: "column", id, domain }
}

const placeColumn = { domain: placeDomain("rows") }

function cutOf(base: CatalogTable, column: string, cut: "month" | "year"): Expr {
  const value = { kind: "text", value: cut } as const
  const unit: LiteralExpr = { kind: "literal", value, domain: literalDomain(value, { kind: "text" }) }
  return callExpr("date-trunc", [unit, columnOf(base, column)])
}

/**
 * Names for what a copy adds to a table: none that a column of the table has, whether the copy holds that
 * column or nobody may see it. The database tells upper from lower case no more than this does.
 */
export class Names {
  readonly #taken: Set<string>

  constructor({ columns }: Pick<CatalogTable, "columns">) {
    this.#taken = new Set(columns.map(({ name }) => name.toLowerCase()))
  }

  /** The name, or one like it that nothing else has. */
  free(wanted: string): string {
    let name = cut(wanted)
    while (this.#taken.has(name.toLowerCase())) name = cut(`_${name}`)
    this.#taken.add(name.toLowerCase())
    return name
  }
}

/** The longest name of PostgreSQL, in bytes: it would cut what is longer itself. */
const nameMax = 63

function cut(name: string): string {
  let kept = Array.from(name)
  while (utf8Length(kept.join("")) > nameMax) kept = kept.slice(0, -1)
  return kept.join("")
}
