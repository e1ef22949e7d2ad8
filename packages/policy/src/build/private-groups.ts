// Whether a question can have groups that only the data knows. Where none can, no delta is kept for selecting
// keys.

import type { CatalogColumn, CatalogTable } from "@dosimeter/proof/catalog/catalog"
import { listedGroupsMax, valuesOf } from "@dosimeter/proof/catalog/values-of"

/**
 * Whether columns that may be asked about have groups that are not public: one whose values are not listed
 * and follow from no range, or several that have too many combinations together. Text that people type
 * makes no groups, and groups by the unit's id are a unit's own. What is computed from columns is not looked
 * at: where this says no, such groups are refused (privacy/no-delta-for-keys), and the owner may allow them.
 */
export function hasPrivateGroups(tables: readonly CatalogTable[]): boolean {
  let combinations = 1
  for (const table of tables) {
    for (const column of table.columns) {
      if (!makesGroups(table, column)) continue
      const { domain } = column
      const values = valuesOf(domain, listedGroupsMax)
      if (values === undefined) return true
      combinations *= values.length + (domain.nullable ? 1 : 0)
      if (combinations > listedGroupsMax) return true
    }
  }
  return false
}

function makesGroups({ unit }: CatalogTable, { name, domain, access }: CatalogColumn): boolean {
  const isUnitId = unit.kind === "path" && unit.hops.length === 0 && unit.column === name
  return access === "allowed" && domain.freeText !== true && !isUnitId
}
