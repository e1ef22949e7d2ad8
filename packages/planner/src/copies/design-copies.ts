// Which copies of a dataset's tables `prepare` makes: each private table once as it is read, with the place
// of every row among its unit's, and twice for each of a few keys that questions are likely to group by: with
// places, and as totals of pairs (design-pairs.ts).

import type { PreparedTable, DerivedColumn } from "@dosimeter/proof/units/prepared-table"
import { placeDomain } from "@dosimeter/proof/units/prepared-table"
import { gridOf } from "@dosimeter/language/bind/aggregates/grid"
import { cellsOf } from "@dosimeter/language/bind/aggregates/quantile-aggregates"
import type {
  Catalog,
  CatalogColumn,
  CatalogTable,
  CopyKey,
  StoredPlace,
} from "@dosimeter/proof/catalog/catalog"
import { valuesOf } from "@dosimeter/proof/catalog/values-of"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import { stepsExpr } from "@dosimeter/proof/algebra/make"
import { quantileCell } from "../aggregates/cells.ts"
import { isListed } from "../keys/key-lists.ts"
import { columnOf, columnsOfKey, cutsOf, Names, showCopyKey } from "./copy-columns.ts"
import { pairsOf } from "./design-pairs.ts"

/** How copies are designed. */
export interface DesignOptions {
  /** Where the copies are: the names before their own, such as the database and schema. */
  readonly schema: readonly string[]
  /** Keys by table, in place of those that the catalog names. */
  readonly keys?: Readonly<Record<string, readonly CopyKey[]>>
}

/** Keys of a table that get a copy without being asked for: so many columns, and so many dates. */
const defaults = { columns: 2, dates: 1 } as const
/** Whole numbers with so few values are likely codes. */
const fewValues = 100

/** The copies of all tables with a unit column of their own, and of those whose rows are units. */
export function designCopies(catalog: Catalog, options: DesignOptions): readonly PreparedTable[] {
  const names = new Names({ columns: [] })
  return catalog.tables
    .flatMap((base) => copiesOf(base, options))
    .map((copy) => {
      const name = names.free(copy.table.path.at(-1) ?? "")
      return { ...copy, table: { ...copy.table, path: [...options.schema, name] } }
    })
}

function copiesOf(base: CatalogTable, options: DesignOptions): readonly PreparedTable[] {
  const { unit } = base
  if (unit.kind === "public" || (unit.kind === "path" && unit.hops.length > 0)) return []
  const plain = copyOf(base, [], options)
  if (unit.kind === "row" || hasOneRow(base, unit.column)) return [plain]
  const keys = options.keys?.[base.name] ?? base.copyKeys ?? defaultKeys(base)
  return [
    plain,
    ...pairsOf(base, [], options),
    ...keys.flatMap((key) => [copyOf(base, key, options), ...pairsOf(base, key, options)]),
  ]
}

function hasOneRow({ keys }: CatalogTable, unit: string): boolean {
  return keys.some((key) => key.every((name) => name === unit))
}

function defaultKeys(base: CatalogTable): readonly CopyKey[] {
  const { unit, keys } = base
  const identity = new Set([...(unit.kind === "path" ? [unit.column] : []), ...keys.flat()])
  const free = base.columns.filter(
    ({ name, access, domain }) => access === "allowed" && !identity.has(name) && domain.freeText !== true,
  )
  const listed = free.filter(({ domain }) => domain.values !== undefined)
  const few = free.filter(
    ({ domain }) =>
      domain.type.kind === "integer" &&
      domain.values === undefined &&
      valuesOf(domain, fewValues) !== undefined,
  )
  const codes = free.filter(
    ({ domain, references }) => domain.values === undefined && references !== undefined,
  )
  const dates = free.filter(({ domain }) => domain.type.kind === "date" || domain.type.kind === "timestamp")
  return [
    ...[...new Set([...listed, ...codes, ...few])]
      .slice(0, defaults.columns)
      .map(({ name }) => [{ column: name }]),
    ...dates.slice(0, defaults.dates).map(({ name }) => [{ column: name, cut: "month" as const }]),
  ]
}

function copyOf(base: CatalogTable, key: CopyKey, { schema }: DesignOptions): PreparedTable {
  const own = base.columns.filter(
    ({ name, access }) => access === "allowed" || (base.unit.kind === "path" && base.unit.column === name),
  )
  const names = new Names(base)
  const cuts = cutsOf(base, key, names)
  const steps = own.flatMap((column): readonly DerivedColumn[] => {
    const value = stepsOf(base, column)
    return value === undefined ? [] : [{ name: names.free(`${column.name}_steps`), value }]
  })
  const allowed = own.filter(({ access }) => access === "allowed")
  const listed = allowed.flatMap((column) =>
    isListed({ id: base.columns.indexOf(column), name: column.name, domain: column.domain }).map((value) => ({
      name: names.free(`${column.name}_listed`),
      value,
    })),
  )
  const cells = own.flatMap((column): readonly DerivedColumn[] => {
    const value = cellOf(base, column)
    return value === undefined ? [] : [{ name: names.free(`${column.name}_cell`), value }]
  })
  const derived = [...cuts, ...steps, ...cells, ...listed]
  const places = placesOf(base, { key, cuts, names })
  const added = [
    ...derived.map(({ name, value }): CatalogColumn => ({
      name,
      source: name,
      domain: value.domain,
      access: "allowed",
    })),
    ...places.map(({ column, counts }): CatalogColumn => ({
      name: column,
      source: column,
      domain: placeDomain(counts),
      access: "allowed",
    })),
  ]
  const label = key.length === 0 ? base.name : `${base.name} by ${showCopyKey(key)}`
  const { name, unit, keys } = base
  const columns = [...own.map((column) => ({ ...column, source: column.name })), ...added]
  const prepared = { of: base.path, sources: base.columns.map(({ source }) => source), places }
  return {
    label,
    base,
    table: { name, path: [...schema, `copy of ${label}`], unit, columns, keys, prepared },
    derived,
  }
}

function placesOf(
  base: CatalogTable,
  options: { readonly key: CopyKey; readonly cuts: readonly DerivedColumn[]; readonly names: Names },
): readonly StoredPlace[] {
  const { key, cuts, names } = options
  if (base.unit.kind !== "path" || hasOneRow(base, base.unit.column)) return []
  if (key.length === 0) {
    return [
      { column: names.free("_r"), counts: "rows", by: [] },
      { column: names.free("_m"), counts: "all-rows", by: [] },
    ]
  }
  const by = columnsOfKey(key, cuts)
  return [
    { column: names.free("_g"), counts: "groups", by },
    { column: names.free("_i"), counts: "rows", by },
    { column: names.free("_n"), counts: "all-groups", by },
    { column: names.free("_m"), counts: "all-rows", by },
  ]
}

// A column in steps of the grid that sums of it use; whole numbers are their own steps.
function stepsOf(base: CatalogTable, { name, domain, access }: CatalogColumn): Expr | undefined {
  if (access !== "allowed" || (domain.type.kind !== "float" && domain.type.kind !== "decimal"))
    return undefined
  const grid = gridOf(domain)
  return grid === undefined || grid === "too-wide"
    ? undefined
    : stepsExpr(columnOf(base, name), grid.grid, grid)
}

// The cell of a column in the histogram that its quantiles use.
function cellOf(base: CatalogTable, { name, domain, access }: CatalogColumn): Expr | undefined {
  const isNumber = ["integer", "decimal", "float"].includes(domain.type.kind)
  const cells = access === "allowed" && isNumber ? cellsOf(domain) : undefined
  return cells === undefined ? undefined : quantileCell({ ...cells, value: columnOf(base, name) })
}
