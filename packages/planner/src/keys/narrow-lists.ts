// Lists of public keys without the groups that conditions make impossible: shorter lists where what is left
// are all their combinations, and otherwise the rows that are left.

import { constantKey, type Constant } from "@dosimeter/proof/catalog/constant"
import { listedGroupsMax } from "@dosimeter/proof/catalog/values-of"
import { combinations } from "@dosimeter/proof/algebra/public-rows"
import type { PossibleGroups } from "./possible-groups.ts"
import { countOfBlocks, nested, rowsOfBlocks, type KeyBlock } from "./possible-rows.ts"

/** Public keys: a list for each, and how they combine where some combinations are impossible. */
export interface KeyLists {
  readonly lists: readonly (readonly Constant[])[]
  readonly blocks: readonly KeyBlock[] | undefined
  /** How many combinations there are. */
  readonly count: number
}

/** What is possible of some lists; undefined if that is too many groups. */
export function narrowed(
  { lists, blocks }: Omit<KeyLists, "count">,
  possible: PossibleGroups,
): KeyLists | undefined {
  const smaller = blocks?.map(({ places, tuples }) => ({
    places,
    tuples: tuples.filter((tuple) =>
      possible.mayBe(new Map(tuple.map((value, index) => [places[index] ?? 0, value]))),
    ),
  }))
  const count =
    smaller === undefined ? lists.reduce((product, list) => product * list.length, 1) : countOfBlocks(smaller)
  if (count > listedGroupsMax) return undefined
  const rows = smaller === undefined ? combinations(lists) : rowsOfBlocks(smaller)
  const left = rows.filter((row) => possible.mayBe(new Map(row.entries())))
  const shorter = lists.map((list, place) => {
    const there = new Set(left.map((row) => constantKey(row[place] ?? { kind: "null" })))
    return list.filter((value) => there.has(constantKey(value)))
  })
  if (left.length === rows.length) return { lists: shorter, blocks: smaller, count }
  const isAll = shorter.reduce((product, list) => product * list.length, 1) === left.length
  if (smaller === undefined && isAll) return { lists: shorter, blocks: undefined, count: left.length }
  // Some combinations of what is left are impossible: the rows are listed as one block.
  const joint = { places: lists.map((_, place) => place), tuples: nested(left) }
  return { lists: shorter, blocks: [joint], count: left.length }
}
