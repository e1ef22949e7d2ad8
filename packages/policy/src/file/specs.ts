// What a pack or a site writes about tables and columns, before it is put together with the source's facts.
// A site's line overrides the pack's line of the same name.

import type { Span } from "@dosimeter/core"

/** A word or text with its place. */
export interface Written {
  readonly text: string
  readonly quoted: boolean
  readonly at: Span
}

/** Who says it. `implied`: a column that a path or a key names, and no line describes. */
export type Origin = "pack" | "site" | "implied"

/** What is written about a table. */
export interface TableSpec {
  readonly name: string
  readonly at: Span
  readonly origin: Origin
  /** Its name in the database, if it has another; a schema before it. */
  readonly source?: readonly string[]
  readonly unit?: UnitSpec
  readonly keys: readonly KeySpec[]
  /** Whether the line `keys:` is there: it then stands in place of the pack's, also if it is empty. */
  readonly saysKeys?: true
  /** Keys that prepared copies are wanted for: columns, or `month(column)`. */
  readonly prepare?: readonly KeySpec[]
  readonly columns: readonly ColumnSpec[]
  /** Why the pack keeps it back, unless the site says whose its rows are. */
  readonly withheld?: string
}

/** Columns that no two rows share. */
export interface KeySpec {
  readonly columns: readonly Written[]
  readonly at: Span
}

/** Whose the rows are, as written. A path that ends at another table goes on with that table's. */
export type UnitSpec =
  | { readonly kind: "public" | "row"; readonly at: Span }
  | {
      readonly kind: "path"
      readonly text: string
      readonly at: Span
      readonly steps: readonly StepSpec[]
      readonly column: string | undefined
    }

/** From a column to the key of another table. */
export interface StepSpec {
  readonly column: string
  readonly table: string
  readonly key: string
}

/** What is written about a column. */
export interface ColumnSpec {
  readonly name: string
  readonly at: Span
  readonly origin: Origin
  readonly source?: Written
  readonly type?: Written
  readonly min?: Written
  readonly max?: Written
  /** `auto`: a question that needs bounds learns them. */
  readonly bounds?: Written
  readonly grid?: Written
  readonly values?: readonly Written[]
  /** The level of a tree whose values it has, such as site.ward. */
  readonly tree?: Written
  readonly nullable?: boolean
  readonly key?: boolean
  readonly references?: Written
  readonly text?: "free" | "code"
  readonly access?: "allowed" | "denied"
  /** Something about it could not be read, and was reported. */
  readonly broken?: true
}

/** The pack's tables with the site's lines over them; tables and columns that only the site has come last. */
export function mergeTables(pack: readonly TableSpec[], site: readonly TableSpec[]): readonly TableSpec[] {
  const merged = pack.map((table) => {
    const own = site.find(({ name }) => name === table.name)
    return own === undefined ? table : mergeTable(table, own)
  })
  return [...merged, ...site.filter(({ name }) => !pack.some((table) => table.name === name))]
}

function mergeTable(pack: TableSpec, site: TableSpec): TableSpec {
  const { withheld, ...known } = pack
  const columns = pack.columns.map((column) => {
    const own = site.columns.find(({ name }) => name === column.name)
    return own === undefined ? column : mergeColumn(column, own)
  })
  const added = site.columns.filter(({ name }) => !pack.columns.some((column) => column.name === name))
  return {
    ...known,
    ...site,
    ...(withheld === undefined || site.unit !== undefined ? {} : { withheld }),
    keys: site.saysKeys === true ? site.keys : pack.keys,
    columns: [...columns, ...added],
  }
}

/** With another type, the pack's bounds mean nothing any more. */
function mergeColumn(pack: ColumnSpec, site: ColumnSpec): ColumnSpec {
  const { min: _min, max: _max, ...unbounded } = pack
  if (site.type === undefined)
    return site.bounds === undefined ? { ...pack, ...site } : { ...unbounded, ...site }
  const { grid: _grid, values: _values, tree: _tree, ...rest } = unbounded
  return { ...rest, ...site }
}

/** Reads `public`, `row`, a column, or a path such as `order_id -> orders.id -> patient_id`. */
export function parseUnit(written: Written): UnitSpec | undefined {
  const { text, at } = written
  if (text === "public" || text === "row") return { kind: text, at }
  const parts = text.split("->").map((part) => part.trim())
  if (parts.some((part) => part === "")) return undefined
  const steps: StepSpec[] = []
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const [column = "", target = ""] = [parts[index], parts[index + 1]]
    const place = parseTarget(target)
    if (place === undefined || column.includes(".")) return undefined
    steps.push({ column, table: place.table, key: place.column })
  }
  const last = parts.length % 2 === 1 ? parts.at(-1) : undefined
  if (last?.includes(".") === true) return undefined
  return { kind: "path", text, at, steps, column: last }
}

/** Reads `table.column`. */
export function parseTarget(text: string): { readonly table: string; readonly column: string } | undefined {
  const [table = "", column = "", ...more] = text.split(".").map((part) => part.trim())
  return table === "" || column === "" || more.length > 0 ? undefined : { table, column }
}

/** What is called by a name: as it was written, or in lower case, as unquoted names are. */
export function findNamed<T extends { readonly name: string }>(
  all: readonly T[],
  name: string,
): T | undefined {
  return all.find((one) => one.name === name) ?? all.find((one) => one.name === name.toLowerCase())
}
