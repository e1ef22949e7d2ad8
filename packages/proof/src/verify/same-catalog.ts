// Whether two catalogs describe the same dataset: what was proven with one of them is true of the other.

import type { Catalog, ConsentFacts } from "../catalog/catalog.ts"

/**
 * Whether all facts that proofs read are the same. Tables are compared as objects: two policies that happen
 * to say the same are two.
 */
export function isSameCatalog(a: Catalog, b: Catalog): boolean {
  return (
    a.dataset === b.dataset &&
    a.unitName === b.unitName &&
    a.neighbours === b.neighbours &&
    a.rowsPerUnit === b.rowsPerUnit &&
    isSameList(a.tables, b.tables) &&
    isSameConsent(a.consent, b.consent)
  )
}

// The list of those who agreed is made anew for each question, under a name that is worked out from these.
function isSameConsent(a: ConsentFacts | undefined, b: ConsentFacts | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  return (
    a.mode === b.mode &&
    a.version === b.version &&
    isSameList(a.purposes, b.purposes) &&
    isSameList(a.table.path, b.table.path)
  )
}

function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((one, index) => one === b[index])
}
