// The errors of sums at the levels of a tree.

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
import { treeDrawVariances, treeNodeError, treeVariances, type TreeSpec } from "@dosimeter/core/mechanisms"
import { treeTerms } from "@dosimeter/core/post"
import { treeGroupings, treeOf, type TreeGrouping } from "@dosimeter/proof/algebra/tree-layout"
import type { StrategyErrors } from "./strategy-errors.ts"

/** Of each grouping the group with the most noise. */
export const levelsErrors: StrategyErrors<"levels"> = {
  halfWidth: () => undefined,
  step: ({ grid }) => grid,
  groupings: ({ strategy: { spec }, grid }, keys, confidence) => {
    const tree = treeOf(keys)
    if (tree === undefined) return []
    const miss = subtract(one, confidence)
    return treeGroupings(tree).map(
      (grouping) => Number(treeNodeError(mostVariance(spec, grouping), miss).halfWidth) * numberNear(grid),
    )
  },
}

/** The largest variance of a group. */
function mostVariance(spec: TreeSpec, { level, groups }: TreeGrouping): Rational {
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
