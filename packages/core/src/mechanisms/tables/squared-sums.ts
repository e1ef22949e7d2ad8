// What a change of a table costs, as squares of its sums: for whoever keeps a unit's sums small in place of
// its cells. With d the change and D_h its sum over the group h of a grouping, the cost is at most the sum
// over groupings of factor times the squares of all D_h.

import { assert } from "../../errors/assert.ts"
import { add, divide, maximum, multiply, one, rational, subtract, zero } from "../../exact/rational.ts"
import type { Rational } from "../../exact/rational.ts"
import { childStarts, leavesBelow } from "../../exact/weighted-tree.ts"
import { productOf, sizeAt } from "./margin-parts.ts"
import type { MarginsSpec } from "./margins.ts"
import type { TreeSpec } from "./tree.ts"

/** The sums of one grouping. */
export interface SquaredSums {
  /** What the square of each sum counts for; never below 0. */
  readonly factor: Rational
  /** How many cells of the table the largest group has. */
  readonly cells: bigint
}

/** The sums by some attributes over all others. */
export interface SquaredMargin extends SquaredSums {
  /** In order. */
  readonly attributes: readonly number[]
}

/**
 * The margins whose squares bound what a change of the table costs, in units of noise.
 *
 * Guarantee: for every change d of the table, the sum of squares of the changes of all comparisons, each
 *   divided by the variance of its noise, is at most the sum over these margins of factor |M d|^2, M d being
 *   the margin of d.
 * Needs: every part is listed once.
 * Proof: the cost is the sum over parts A of d' P_A d / s_A (margins.proof.md), P_A the product of I - 11'/c
 *   over A and 11' over the others. Multiplied out, I over a subset B of A and 11' over all others is M'M for
 *   the margin B, and comes with the product of -1/c over A - B. Factors of each B are added up; one below 0
 *   is taken as 0, which only adds, as |M d|^2 is no less than 0.
 * Numerics: exact fractions.
 * Source: this file.
 */
export function squaredMargins({ sizes, parts }: MarginsSpec): readonly SquaredMargin[] {
  const found = new Map<string, { readonly attributes: readonly number[]; readonly factor: Rational }>()
  for (const { attributes: part, variance } of parts) {
    let terms: readonly { readonly attributes: readonly number[]; readonly factor: Rational }[] = [
      { attributes: [], factor: divide(one, variance) },
    ]
    for (const attribute of part) {
      const share = rational(-1n, sizeAt(sizes, attribute))
      terms = terms.flatMap(({ attributes, factor }) => [
        { attributes, factor: multiply(factor, share) },
        { attributes: [...attributes, attribute], factor },
      ])
    }
    for (const { attributes, factor } of terms) {
      const name = attributes.join()
      found.set(name, { attributes, factor: add(found.get(name)?.factor ?? zero, factor) })
    }
  }
  return [...found.values()].map(({ attributes, factor }) => ({
    attributes,
    factor: maximum(factor, zero),
    cells: productOf(sizes.filter((_, attribute) => !attributes.includes(attribute))),
  }))
}

/**
 * The levels of a tree whose squares bound what a change of its leaves costs, the root's first.
 *
 * Guarantee: for every change d of the leaves, the sum of squares of the changes of all measurements, each
 *   divided by the variance of its noise, is at most the sum over levels of factor times the squares of what
 *   d adds below each node of the level.
 * Needs: weights and variances are positive, one for each node that has some.
 * Proof: by tree-change.proof.md the cost is D_root^2 / s_total, and for each node v with children c the sum
 *   of D_c^2 / (w_c s_v) less D_v^2 / (W_v s_v). So D_c^2 comes with 1 / (w_c s_v), v the parent of c (1 /
 *   s_total for the root), less 1 / (W_c s_c) where c has children. The factor of a level is the largest of
 *   its nodes, or 0, and squares are no less than 0.
 * Numerics: exact fractions.
 * Source: this file.
 */
export function squaredLevels(spec: TreeSpec): readonly SquaredSums[] {
  const { children, weights, variances, total } = spec
  const below = leavesBelow(spec)
  // What each node of a level has from above.
  let above: readonly Rational[] = [divide(one, total)]
  return below.map((leaves, level) => {
    const counts = children[level] ?? []
    const own = weights[level] ?? []
    const starts = childStarts(counts)
    const known = new Map<string, Rational>()
    // Many nodes are alike.
    const inverse = (weight: bigint, variance: Rational): Rational => {
      const name = `${weight} ${variance.numerator} ${variance.denominator}`
      const value = known.get(name) ?? divide(one, multiply(rational(weight), variance))
      known.set(name, value)
      return value
    }
    const noise = (node: number): Rational => {
      const variance = variances[level]?.[node]
      assert(variance !== undefined, "comparisons have noise")
      return variance
    }
    const taken = counts.map((_, node) => {
      const siblings = own.slice(starts[node], starts[node + 1])
      return inverse(
        siblings.reduce((sum, weight) => sum + weight, 0n),
        noise(node),
      )
    })
    const factor = largestDifference(above, taken)
    above = counts.flatMap((_, node) =>
      own.slice(starts[node], starts[node + 1]).map((weight) => inverse(weight, noise(node))),
    )
    return { factor, cells: BigInt(leaves.reduce((most, count) => Math.max(most, count), 1)) }
  })
}

// The largest of a - b, not below 0. Many pairs are the same.
function largestDifference(all: readonly Rational[], taken: readonly Rational[]): Rational {
  const looked = new Map<Rational, Set<Rational>>()
  let most = zero
  for (const [node, value] of all.entries()) {
    const less = taken[node] ?? zero
    const before = looked.get(value) ?? new Set<Rational>()
    if (before.has(less)) continue
    looked.set(value, before.add(less))
    most = maximum(most, subtract(value, less))
  }
  return most
}
