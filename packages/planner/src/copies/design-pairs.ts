// Copies of pairs: one row for each unit and group of a key, with the exact totals that questions ask for.
// Units are scaled to a norm on them, whatever the norm is.

import { gridOf } from "@dosimeter/language/bind/aggregates/grid"
import type { CatalogColumn, CatalogTable, CopyKey } from "@dosimeter/proof/catalog/catalog"
import { isExactType } from "@dosimeter/proof/catalog/sql-type"
import { callExpr, stepsExpr } from "@dosimeter/proof/algebra/make"
import {
  totalDomain,
  type DerivedColumn,
  type PreparedTable,
  type StoredTotal,
} from "@dosimeter/proof/units/prepared-table"
import { rowsWhere } from "../aggregates/only-where.ts"
import { isListed } from "../keys/key-lists.ts"
import { columnOf, columnsOfKey, cutsOf, Names, showCopyKey } from "./copy-columns.ts"

/** Totals of so many columns are kept: the first that have a range and name nothing. */
const totalsMax = 8

/** The copy of a table's pairs by a key; none where equal values of the key need not be the same. */
export function pairsOf(
  base: CatalogTable,
  key: CopyKey,
  { schema }: { readonly schema: readonly string[] },
): readonly PreparedTable[] {
  const { unit } = base
  if (unit.kind !== "path" || key.some(({ column }) => column === unit.column)) return []
  const parts = key.flatMap(({ column }) => base.columns.filter(({ name }) => name === column))
  if (!parts.every(({ domain, access }) => access === "allowed" && isExactType(domain.type))) return []
  const names = new Names(base)
  const cuts = cutsOf(base, key, names)
  const by = columnsOfKey(key, cuts)
  const own = base.columns.filter(({ name }) => name === unit.column || by.includes(name))
  const listed = own.flatMap((column): readonly DerivedColumn[] =>
    column.access === "allowed" ? listedOf(base, column, names) : [],
  )
  const totals = totalsOf(base, new Set(parts.map(({ name }) => name)), names)
  const added = [
    ...[...cuts, ...listed].map(({ name, value }) => ({ name, domain: value.domain })),
    ...totals.map((total) => ({ name: total.name, domain: totalDomain(total) })),
  ].map(({ name, domain }): CatalogColumn => ({ name, source: name, domain, access: "allowed" }))
  const label = key.length === 0 ? `totals of ${base.name}` : `totals of ${base.name} by ${showCopyKey(key)}`
  return [
    {
      label,
      base,
      table: {
        name: base.name,
        path: [...schema, `copy of ${label}`],
        unit,
        columns: [...own.map((column) => ({ ...column, source: column.name })), ...added],
        keys: [],
        prepared: {
          of: base.path,
          sources: base.columns.map(({ source }) => source),
          places: [],
          pairs: { by, tableKeys: base.keys },
        },
      },
      derived: [...cuts, ...listed],
      totals,
    },
  ]
}

function listedOf(base: CatalogTable, column: CatalogColumn, names: Names): readonly DerivedColumn[] {
  const { name, domain } = column
  return isListed({ id: base.columns.indexOf(column), name, domain }).map((value) => ({
    name: names.free(`${name}_listed`),
    value,
  }))
}

// The number of rows, and sums of columns that hold amounts: in steps, as sums of them are asked for. Of
// those that may be NULL, also how many rows have a value: averages divide by it.
function totalsOf(base: CatalogTable, key: ReadonlySet<string>, names: Names): readonly StoredTotal[] {
  const identity = new Set([...key, ...base.keys.flat()])
  const amounts = base.columns.flatMap(({ name, domain, access, references }) => {
    const isNumber = ["integer", "decimal", "float"].includes(domain.type.kind)
    if (access !== "allowed" || !isNumber || identity.has(name) || references !== undefined) return []
    const grid = gridOf(domain)
    if (grid === undefined || grid === "too-wide") return []
    return [{ name, value: columnOf(base, name), grid }]
  })
  const kept = amounts.slice(0, totalsMax)
  const sums = kept.map(({ name, value, grid }): StoredTotal => ({
    name: names.free(`${name}_total`),
    of: stepsExpr(value, grid.grid, grid),
  }))
  const counts = kept
    .filter(({ value }) => value.domain.nullable)
    .map(({ name, value }): StoredTotal => ({
      name: names.free(`${name}_count`),
      of: rowsWhere(callExpr("not", [callExpr("is-null", [value])])),
    }))
  return [{ name: names.free("_rows"), of: undefined }, ...sums, ...counts]
}
