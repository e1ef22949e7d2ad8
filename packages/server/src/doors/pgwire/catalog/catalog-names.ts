// What the tables and the macros of the catalogs share: types, and tables in words.

import type { CatalogTable } from "@dosimeter/proof/catalog/catalog"

/** A text constant of SQL. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** A type as the catalogs list it. */
export interface TypeRow {
  readonly oid: number
  readonly name: string
  readonly size: number
  readonly category: string
  /** The type of lists of it, or 0; the type of its elements, or 0. */
  readonly list: number
  readonly element: number
}

/** Every type, each with that of its lists. */
export const typeRows: readonly TypeRow[] = (
  [
    [16, "bool", 1, "B", 1000],
    [18, "char", 1, "Z", 1002],
    [19, "name", 64, "S", 1003],
    [20, "int8", 8, "N", 1016],
    [21, "int2", 2, "N", 1005],
    [23, "int4", 4, "N", 1007],
    [25, "text", -1, "S", 1009],
    [26, "oid", 4, "N", 1028],
    [700, "float4", 4, "N", 1021],
    [701, "float8", 8, "N", 1022],
    [1043, "varchar", -1, "S", 1015],
    [1082, "date", 4, "D", 1182],
    [1114, "timestamp", 8, "D", 1115],
    [1700, "numeric", -1, "N", 1231],
  ] as const
).flatMap(([oid, name, size, category, list]) => [
  { oid, name, size, category, list, element: 0 },
  { oid: list, name: `_${name}`, size: -1, category: "A", list: 0, element: oid },
])

/** Whose data a table holds. */
export function describeTable({ unit }: CatalogTable): string {
  switch (unit.kind) {
    case "public":
      return "public: nobody's data"
    case "row":
      return "private: every row is a unit"
    case "path":
      return "private: answers about groups only"
    default:
      return unit satisfies never
  }
}
