// The tables that a relation reads, and those of which a unit may have several rows.

import { closureOf, dependenciesOf } from "@dosimeter/proof/units/dependencies"
import { ownershipOf } from "@dosimeter/proof/units/track-unit"
import type { ColumnId } from "@dosimeter/proof/algebra/expr"
import type { Rel, Scan } from "@dosimeter/proof/algebra/rel"

/** Every scan, if rows are only kept, dropped, computed or joined. */
export function scansIn(rel: Rel): readonly Scan[] | undefined {
  switch (rel.kind) {
    case "scan":
      return [rel]
    case "values":
      return []
    case "filter":
    case "project":
      return scansIn(rel.input)
    case "join": {
      const [left, right] = [scansIn(rel.left), scansIn(rel.right)]
      return left === undefined || right === undefined ? undefined : [...left, ...right]
    }
    default:
      return undefined
  }
}

/** The private scans of which a unit may have more than one row. */
export function severalRows(rel: Rel, scans: readonly Scan[]): readonly Scan[] {
  const dependencies = dependenciesOf(rel)
  const ofUnit = closureOf(dependencies, unitsOf(rel))
  return scans.filter((scan) => {
    const row = dependencies.rowOf.get(scan)
    return scan.table.unit.kind !== "public" && (row === undefined || !ofUnit.has(row))
  })
}

/** The columns that hold the unit of each row. */
export function unitsOf(rel: Rel): readonly ColumnId[] {
  const owner = ownershipOf(rel)
  return owner.kind === "private" ? [...owner.units] : []
}
