// The groups of several groupings, as sums of rows of the finest.

import { rational } from "@dosimeter/core"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import { groupName, publicRows } from "@dosimeter/proof/algebra/public-rows"
import type { KeyPlan } from "@dosimeter/proof/algebra/release-plan"

/** Keys of several groupings. */
export type FamilyKeys = Extract<KeyPlan, { readonly kind: "margins" | "tree" }>

/** A group of a grouping: its keys, NULL for those that the grouping has not, its number, and its rows. */
export interface FamilySum {
  readonly keys: readonly Constant[]
  readonly rows: readonly number[]
}

/** The groups of each grouping, in the order in which they are released. */
export function familySums(keys: FamilyKeys): readonly (readonly FamilySum[])[] {
  const rows = publicRows(keys)
  return keys.sets.map((set, number) => {
    const groups = new Map<string, { readonly keys: readonly Constant[]; readonly rows: number[] }>()
    for (const [row, values] of rows.entries()) {
      const shown = values.map((value, place): Constant => (set.includes(place) ? value : { kind: "null" }))
      const name = groupName(shown)
      const known = groups.get(name)
      const grouping: Constant = { kind: "number", value: rational(BigInt(number)) }
      if (known === undefined) groups.set(name, { keys: [...shown, grouping], rows: [row] })
      else known.rows.push(row)
    }
    return [...groups.values()]
  })
}
