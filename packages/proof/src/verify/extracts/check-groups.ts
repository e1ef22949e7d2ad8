// The groups of a release that are public: how many there are, each once.

import { unreachable } from "@dosimeter/core/errors"
import { reject } from "../../units/reject.ts"
import type { Constant } from "../../catalog/constant.ts"
import { constantKey } from "../../catalog/constant.ts"
import type { GroupedKeys } from "../../algebra/grouping-sums.ts"
import { groupName } from "../../algebra/public-rows.ts"
import type { Release } from "../../algebra/release-plan.ts"

/**
 * How many groups are looked at, if that is public.
 *
 * Guarantee: every group of an extract is looked at once at most: what a unit adds to k groups is added to k
 *   numbers.
 * Needs: the engine looks at the combinations of the lists, or at the rows where there are some.
 * Proof: no value is listed twice for a key, so that combinations differ; no row is listed twice.
 * Numerics: none.
 * Source: none.
 */
export function groupsLookedAt({ keys, extracts }: Pick<Release, "keys" | "extracts">): bigint | undefined {
  const widths = extracts.map((extract) => extract.keys.length)
  switch (keys.kind) {
    case "none":
      if (widths.some((width) => width > 0)) return reject("groups without keys")
      return 1n
    case "public":
      return keys.rows === undefined ? combinationsOf(keys.lists, widths) : rowsOf(keys.rows, widths)
    case "private":
      return undefined
    case "top":
      return keys.lists === undefined ? undefined : combinationsOf(keys.lists, widths)
    default:
      return unreachable(keys)
  }
}

function combinationsOf(lists: readonly (readonly Constant[])[], widths: readonly number[]): bigint {
  if (widths.some((width) => width !== lists.length)) return reject("a key without a list")
  for (const list of lists) {
    if (new Set(list.map(constantKey)).size !== list.length) reject("a value is listed twice")
  }
  return lists.reduce((count, list) => count * BigInt(list.length), 1n)
}

function rowsOf(rows: readonly (readonly Constant[])[], widths: readonly number[]): bigint {
  if (rows.some((row) => widths.some((width) => width !== row.length))) return reject("a group of other keys")
  if (new Set(rows.map(groupName)).size !== rows.length) return reject("a group is listed twice")
  return BigInt(rows.length)
}

/** Checks that groupings are of keys that are there, and levels those of a tree. */
export function checkGroupings({ lists, rows, groupings }: GroupedKeys): void {
  const width = rows === undefined ? lists.length : (rows[0]?.length ?? reject("a tree without leaves"))
  for (const set of groupings.sets) if (!isGrowing(set, width)) reject("a grouping has other keys")
  const { levels } = groupings
  if ((levels === undefined) !== (rows === undefined)) reject("the leaves of a tree without its levels")
  if (levels !== undefined) checkNested(levels, width)
}

// None of the keys for the root, all for the leaves, and more from level to level.
function checkNested(levels: readonly (readonly number[])[], width: number): void {
  const isNested = levels.every((places, index) => {
    const known = new Set(places)
    const isWithin = places.every((place) => Number.isInteger(place) && place >= 0 && place < width)
    const before = levels[index - 1] ?? []
    return isWithin && known.size === places.length && before.every((place) => known.has(place))
  })
  if (!isNested || levels[0]?.length !== 0 || levels.at(-1)?.length !== width) {
    reject("the levels of a tree have other keys")
  }
}

/** Whether places are different ones, in order, below a number. */
export function isGrowing(places: readonly number[], count: number): boolean {
  return places.every(
    (place, index) => Number.isInteger(place) && place > (places[index - 1] ?? -1) && place < count,
  )
}
