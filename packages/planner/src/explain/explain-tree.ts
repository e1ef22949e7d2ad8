// What a release of a tree would do, in words: how its levels share the loss and why, and how far off a group
// of each grouping may be.

import {
  add,
  maximum,
  multiply,
  numberNear,
  one,
  square,
  subtract,
  zero,
  type Rational,
} from "@dosimeter/core/exact"
import {
  bestShares,
  errorOf,
  leavesBelow,
  plainShares,
  treeDrawVariances,
  treeNodeError,
  treeVariances,
  type TreeSpec,
} from "@dosimeter/core/mechanisms"
import { treeTerms } from "@dosimeter/core/post"
import type { MarginsPlan, Release, ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import {
  treeChildren,
  treeGroupings,
  type TreeGrouping,
  type TreeKeys,
} from "@dosimeter/proof/algebra/tree-layout"
import { namesOf } from "./explain-margins.ts"
import { showNumber } from "./show-number.ts"

/** How many groupings and groups are shown. */
export function treeGroups(keys: TreeKeys): string {
  const groups = treeGroupings(keys).reduce((sum, grouping) => sum + grouping.groups.length, 0)
  return `${groups} public groups of ${keys.sets.length} groupings, all that can be, by a public tree; they add up`
}

/** The noise, and what it means for each grouping. */
export function explainTree(
  { spec, grid, extract }: MarginsPlan,
  release: Release,
  { confidence, unitName }: ReleasePlan,
): { readonly mechanism: string; readonly error: string } {
  const { keys } = release
  if (keys.kind !== "tree" || spec.kind === "margins") return { mechanism: "none", error: "" }
  const step = numberNear(grid)
  const names = namesOf(release, extract)
  const nameOf = (set: readonly number[]): string =>
    set.length === 0 ? "in all" : `by ${set.map((place) => names[place] ?? "?").join(", ")}`
  const groupings = treeGroupings(keys).slice(0, setsShown)
  const more = keys.sets.length > setsShown ? `; and ${keys.sets.length - setsShown} more` : ""
  const sure = `${showNumber(numberNear(confidence) * 100)} %`
  if (spec.kind === "laplace") {
    const { standardDeviation } = errorOf(spec, confidence)
    const widths = groupings.map((grouping, index) => {
      const summed = mostLeaves(grouping, keys)
      const width = showNumber(standardDeviation * Math.sqrt(summed) * step)
      return `${summed > 1 ? "at most " : ""}${width} ${nameOf(keys.sets[index] ?? [])}`
    })
    return {
      mechanism: `Laplace noise of scale ${showNumber(numberNear(spec.scale) * step)} in each of ${keys.rows.length} leaves; all else is their sums`,
      error: `standard deviation ${widths.join("; ")}${more}`,
    }
  }
  const variances = groupings.map((grouping) => mostVariance(spec, grouping))
  const widths = variances.map((variance, index) => {
    const { halfWidth } = treeNodeError(variance, subtract(one, confidence))
    return `± ${showNumber(Number(halfWidth) * step)} ${nameOf(keys.sets[index] ?? [])}`
  })
  const largest = -spec.lower > spec.upper ? -spec.lower : spec.upper
  return {
    mechanism: `Gaussian noise at ${spec.children.length + 1} levels of a tree, ${reason(spec, keys)}; one ${unitName} adds at most ${showNumber(Number(largest) * step)}`,
    error: `${widths.join("; ")}${more}, at ${sure}, or less`,
  }
}

/** More groupings are not shown one by one. */
const setsShown = 8

/** What each level has of the loss, and the variance in all beside that of simpler ways. */
function reason(spec: TreeSpec, keys: TreeKeys): string {
  const groupings = treeGroupings(keys)
  const wanted = keys.levels.map((_, level) => groupings.filter((one) => one.level === level).length)
  const options = { children: spec.children, wanted, groupsPerUnit: Number(spec.groupsPerUnit) }
  const { shares, total } = bestShares(options)
  const { equal, leaves } = plainShares(options)
  const shown = shares.map((share) => `${showNumber(Math.round(share * 1000) / 10)} %`).join(", ")
  const percent = (other: number): string => `${showNumber(Math.round((1 - total / other) * 100))} %`
  return `which have ${shown} of the loss, the top first: ${percent(equal.total)} less variance in all than with equal parts, ${percent(leaves.total)} less than with noise on the leaves alone`
}

/** The largest variance of a group. */
export function mostVariance(spec: TreeSpec, { level, groups }: TreeGrouping): Rational {
  if (groups.every(({ nodes }) => nodes.length === 1)) {
    return (treeVariances(spec)[level] ?? []).reduce(maximum, zero)
  }
  const termsOf = treeTerms(spec)
  const draws = treeDrawVariances(spec)
  return groups
    .map(({ nodes }) =>
      termsOf(level, nodes)
        .map((term) => multiply(square(term.factor), draws[term.level]?.[term.place] ?? zero))
        .reduce(add, zero),
    )
    .reduce(maximum, zero)
}

/** The most leaves of a group. */
export function mostLeaves({ level, groups }: TreeGrouping, keys: TreeKeys): number {
  const leaves = leavesBelow({ children: treeChildren(keys) })[level] ?? []
  const counts = groups.map(({ nodes }) => nodes.reduce((sum, node) => sum + (leaves[node] ?? 0), 0))
  return counts.reduce((a, b) => Math.max(a, b), 1)
}
