// What one person changes in the weights by which keys are selected, held against what is claimed.

import type { WeightedKeysSpec } from "@dosimeter/core/mechanisms"

/** What does not hold, and whether the claim was reached exactly. */
export interface WeightChange {
  readonly broken: readonly string[]
  readonly isReached: boolean
}

/** Compares the changes of all groups with the table of weights. */
export function checkWeightChange(spec: WeightedKeysSpec, changes: readonly bigint[]): WeightChange {
  const broken: string[] = []
  const sides = [changes.filter((one) => one > 0n), changes.filter((one) => one < 0n).map((one) => -one)]
  const isReplace = spec.neighbours === "replace"
  const squares = changes.reduce((sum, one) => sum + one * one, 0n)
  const longest = spec.weights
    .map(({ groups, weight }) => groups * weight * weight)
    .reduce((a, b) => (a > b ? a : b), 0n)
  const limit = isReplace ? 2n * longest : longest
  if (squares > limit) broken.push(`weights: ${squares} is more than ${limit}`)
  for (const side of sides) {
    if (BigInt(side.length) > spec.groupsPerUnit) broken.push("weights: more groups than are claimed")
    // Where one comes and one goes, a group of both changes by less than either weight.
    const [most, ...others] = side.toSorted((a, b) => (a > b ? -1 : 1))
    if (most === undefined) continue
    if (!isReplace && others.some((one) => one !== most)) broken.push("weights: not the same in all groups")
    const row = spec.weights.find(({ groups }) => BigInt(side.length) <= groups)
    if (!isReplace && (row === undefined || most > row.weight)) broken.push("weights: more than in the table")
  }
  if (!isReplace && sides.every((side) => side.length > 0)) broken.push("weights: both ways")
  return { broken, isReached: squares === limit }
}
