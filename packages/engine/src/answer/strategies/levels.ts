// What an answer says of the levels of a tree.

import { leavesBelow, siblingSplits, treeDrawVariances, type TreeSpec } from "@dosimeter/core/mechanisms"
import { noisyNumber, type NoisyNumber, type StrategyAnswer } from "./strategy-answer.ts"

/** The total, and comparisons of siblings. */
export const levelsAnswer: StrategyAnswer<"levels"> = {
  noise: ({ strategy: { spec }, grid }) => ({ mechanism: spec.kind, grid }),
  numbers: ({ strategy: { spec } }, noisy) => ofLevels(spec, noisy),
}

/** The total, and the comparisons of siblings at each level, over the leaves below them. */
function ofLevels(spec: TreeSpec, noisy: readonly (readonly bigint[])[]): readonly NoisyNumber[] {
  const variances = treeDrawVariances(spec)
  const total = noisyNumber([null], noisy[0]?.[0], variances[0]?.[0])
  const below = leavesBelow(spec)
  const compared = spec.children.flatMap((_, level) => {
    const starts = [0]
    for (const leaves of below[level + 1] ?? []) starts.push((starts.at(-1) ?? 0) + leaves)
    const at = (node: number): number => starts[node] ?? 0
    return siblingSplits(spec, level).map(({ from, middle, to, left, right }, place) =>
      noisyNumber(
        [[at(from), at(middle), at(to), `${right}`, `${left}`]],
        noisy[level + 1]?.[place],
        variances[level + 1]?.[place],
      ),
    )
  })
  return [total, ...compared]
}
