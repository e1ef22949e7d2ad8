// The tree that the leaves of a release make: how many children each node has, and the nodes that each group
// of a grouping is the sum of.

import type { Constant } from "../catalog/constant.ts"
import { groupName } from "./public-rows.ts"
import type { PublicKeys } from "./release-plan.ts"

/** Groups that are the leaves of a tree. */
export interface TreeKeys {
  readonly rows: readonly (readonly Constant[])[]
  readonly levels: readonly (readonly number[])[]
  readonly sets: readonly (readonly number[])[]
}

/** The tree of some keys, if they have one. */
export function treeOf({ rows, groupings }: PublicKeys): TreeKeys | undefined {
  if (rows === undefined || groupings?.levels === undefined) return undefined
  return { rows, levels: groupings.levels, sets: groupings.sets }
}

/** One grouping of a tree. */
export interface TreeGrouping {
  /** The level whose nodes its groups are sums of: the highest that has all of its keys. */
  readonly level: number
  /** A value for each key of the tree, NULL for those that the grouping has not; and the nodes. */
  readonly groups: readonly { readonly keys: readonly Constant[]; readonly nodes: readonly number[] }[]
}

/** How many children each node has, level by level from the root. */
export function treeChildren({
  rows,
  levels,
}: Pick<TreeKeys, "rows" | "levels">): readonly (readonly number[])[] {
  const starts = levels.map((places) => startsOf(rows, places))
  return starts.slice(1).map((own, index) => {
    const counts: number[] = []
    let next = 0
    for (const [node] of (starts[index] ?? []).entries()) {
      const end = starts[index]?.[node + 1] ?? rows.length
      const first = next
      while (next < own.length && (own[next] ?? end) < end) next += 1
      counts.push(next - first)
    }
    return counts
  })
}

/** The groups of each grouping. */
export function treeGroupings({ rows, levels, sets }: TreeKeys): readonly TreeGrouping[] {
  return sets.map((set) => {
    const level = levels.findIndex((places) => set.every((place) => places.includes(place)))
    const starts = startsOf(rows, levels[level] ?? [])
    const groups = new Map<string, { readonly keys: readonly Constant[]; readonly nodes: number[] }>()
    for (const [node, start] of starts.entries()) {
      const keys = (rows[start] ?? []).map((value, place): Constant =>
        set.includes(place) ? value : { kind: "null" },
      )
      const name = groupName(keys)
      const known = groups.get(name)
      if (known === undefined) groups.set(name, { keys, nodes: [node] })
      else known.nodes.push(node)
    }
    return { level, groups: [...groups.values()] }
  })
}

/** Where the nodes of a level begin: rows that differ from the one before in one of its keys. */
function startsOf(rows: readonly (readonly Constant[])[], places: readonly number[]): readonly number[] {
  let before: string | undefined
  return rows.flatMap((row, index) => {
    const name = groupName(places.map((place) => row[place] ?? { kind: "null" }))
    const isNew = name !== before
    before = name
    return isNew ? [index] : []
  })
}
