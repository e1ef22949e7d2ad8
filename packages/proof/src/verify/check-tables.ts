// Only what the catalog declares is read, and of denied columns only those that lead to the unit.

import { reject } from "../units/reject.ts"
import type { PreparedTable } from "../units/prepared-table.ts"
import type { Catalog } from "../catalog/catalog.ts"
import type { Rel } from "../algebra/rel.ts"
import { inputsOf, ownScan } from "../algebra/walk.ts"

/**
 * Checks all tables below a relation: those of the catalog, or some of its copies.
 *
 * Guarantee: nothing is read but tables and columns of the catalog (or of copies that were checked), with the
 *   units, keys and paths that it states; of denied columns those that lead to the unit.
 * Needs: copies were checked (checkPrepared); the catalog is frozen.
 * Proof: every scan is met, since scans are the only nodes that read; its table and its columns are the
 *   catalog's own objects.
 * Numerics: none.
 * Source: none.
 */
export function checkTables(rel: Rel, catalog: Catalog, copies: readonly PreparedTable[]): void {
  for (const input of inputsOf(rel)) checkTables(input, catalog, copies)
  const scan = ownScan(rel)
  if (scan === undefined) return
  const { table } = scan
  const isCopy = copies.some((copy) => copy.table === table)
  if (!isCopy && !catalog.tables.includes(table)) reject(`${table.name} is not in the catalog`)
  for (const source of scan.sources) {
    if (!table.columns.includes(source)) reject(`${table.name}.${source.name} is not in the catalog`)
    if (source.access === "denied" && !leadsToUnit(catalog, table.name, source.name)) {
      reject(`${table.name}.${source.name} is denied`)
    }
  }
}

function leadsToUnit(catalog: Catalog, table: string, column: string): boolean {
  return catalog.tables.some(({ name, unit }) => {
    if (unit.kind !== "path") return false
    const places = [
      { table: unit.hops.at(-1)?.table ?? name, column: unit.column },
      ...unit.hops.map((hop) => ({ table: hop.table, column: hop.key })),
      ...unit.hops.map((hop, index) => ({ table: unit.hops[index - 1]?.table ?? name, column: hop.column })),
    ]
    return places.some((place) => place.table === table && place.column === column)
  })
}
