// Several groupings of one table, in words.

import { groupingSizes, type GroupedKeys } from "@dosimeter/proof/algebra/grouping-sums"
import { columnIn } from "@dosimeter/proof/algebra/make"
import type { Release } from "@dosimeter/proof/algebra/release-plan"
import { showNumber } from "./show-number.ts"

/** How many groupings and groups are shown. */
export function groupingWords(keys: GroupedKeys): string {
  const groups = groupingSizes(keys).reduce((sum, size) => sum + size.groups, 0)
  const which = keys.rows === undefined ? "all shown" : "all that can be"
  return `${groups} public groups of ${keys.groupings.sets.length} groupings, ${which}; they add up`
}

/** The names of the groupings, by the keys of an extract: "by sex, ward". */
export function groupingNames(
  { groupings }: GroupedKeys,
  { extracts }: Release,
  index: number,
): readonly string[] {
  const extract = extracts[index]
  const names = extract === undefined ? [] : extract.keys.map((key) => columnIn(extract.rel, key).name)
  return groupings.sets.map((set) =>
    set.length === 0 ? "in all" : `by ${set.map((place) => names[place] ?? "?").join(", ")}`,
  )
}

/** The first groupings, each with its error; more are only counted. */
export function eachGrouping(
  keys: GroupedKeys,
  release: Release,
  { extract, errors }: { readonly extract: number; readonly errors: readonly string[] },
): string {
  const shown = groupingNames(keys, release, extract)
    .slice(0, shownMost)
    .map((name, index) => `${errors[index] ?? ""} ${name}`)
  const left = keys.groupings.sets.length - shownMost
  return `${shown.join("; ")}${left > 0 ? `; and ${left} more` : ""}`
}

/** What one unit adds to a number at most, where that is bounded; else nothing. */
export function mostWords({ bounds }: Release, unitName: string, most: number): string {
  return bounds.scaled === undefined ? `; one ${unitName} adds at most ${showNumber(most)}` : ""
}

/** More groupings are not shown one by one. */
const shownMost = 8
