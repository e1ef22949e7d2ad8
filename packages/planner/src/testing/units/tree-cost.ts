// What a change of the leaves costs in a release of a tree, worked out from sums alone.

import { add, divide, rational, subtract, type Rational } from "@dosimeter/core/exact"
import { sumsByLevel, type TreeSpec } from "@dosimeter/core/mechanisms"

/**
 * The square of the total's change over its noise; and for each node what its children changed, squared and
 * over their weights, less what they changed together, over its noise.
 */
export function treeCost(spec: TreeSpec, change: readonly bigint[]): Rational {
  const sums = sumsByLevel(spec, change)
  let cost = divide(rational((sums[0]?.[0] ?? 0n) ** 2n), spec.total)
  for (const [level, counts] of spec.children.entries()) {
    let first = 0
    for (const [node, count] of counts.entries()) {
      const weights = spec.weights[level]?.slice(first, first + count) ?? []
      const own = sums[level + 1]?.slice(first, first + count) ?? []
      first += count
      const whole = weights.reduce((sum, weight) => sum + weight, 0n)
      const apart = own.map((value, index) => rational(value * value, weights[index] ?? 1n)).reduce(add)
      const moved = subtract(apart, rational((sums[level]?.[node] ?? 0n) ** 2n, whole))
      cost = add(cost, divide(moved, spec.variances[level]?.[node] ?? rational(1n)))
    }
  }
  return cost
}
