// The nodes of a tree from its noisy comparisons (mechanisms/tree.ts): values on a fine grid on which
// children add up to their parents exactly, and the measurements that a node, or a sum of nodes, is made of.

import { assert } from "../../errors/assert.ts"
import {
  add,
  divide,
  floorDivide,
  multiply,
  rational,
  subtract,
  zero,
  type Rational,
} from "../../exact/rational.ts"
import {
  childStarts,
  parentsOf,
  siblingSplits,
  type SiblingSplit,
  type WeightedTree,
} from "../../exact/weighted-tree.ts"
import { shareOut } from "./whole-margins.ts"

/**
 * The values of all nodes, level by level from the root, in steps of 2^-bits: what the measurements (the
 * total, then the comparisons of each level) say. A half takes its share by weight of its whole, and its
 * share of the comparison; the other half is the rest, so that sums agree exactly. Each value is rounded by
 * at most half a step for each halving above it.
 */
export function treeValues(
  tree: WeightedTree,
  measured: readonly (readonly bigint[])[],
  bits: number,
): readonly (readonly bigint[])[] {
  assert(Number.isInteger(bits) && bits >= 0 && bits <= 48, "values have few bits")
  const shift = BigInt(bits)
  let values: readonly bigint[] = (measured[0] ?? []).map((total) => total << shift)
  assert(values.length === 1, "a tree has one total")
  const levels = [values]
  for (const [level, counts] of tree.children.entries()) {
    const splits = siblingSplits(tree, level)
    const compared = measured[level + 1] ?? []
    assert(compared.length === splits.length, "a level has a value for each comparison")
    const starts = childStarts(counts)
    // The value of a range of siblings, by its first place: larger ranges come first, and are halved.
    const ranges = new Map(counts.map((_, node) => [starts[node] ?? 0, values[node] ?? 0n]))
    for (const [index, { from, middle, left, right }] of splits.entries()) {
      const whole = ranges.get(from) ?? 0n
      const weight = left + right
      const share = left * whole + ((compared[index] ?? 0n) << shift)
      const first = floorDivide(2n * share + weight, 2n * weight)
      ranges.set(from, first)
      ranges.set(middle, whole - first)
    }
    values = Array.from({ length: starts.at(-1) ?? 0 }, (_, place) => ranges.get(place) ?? 0n)
    levels.push(values)
  }
  return levels
}

/**
 * The values of all nodes as whole numbers from 0 that add up: the total is rounded, and each node's value is
 * shared out among its children, which become the nearest numbers from 0 with this sum.
 *
 * Guarantee: whole numbers, none negative, and every node is the sum of its children. The total moves by at
 *   most 1/2, unless it was negative.
 * Bias: small nodes are raised and large ones lowered, by as much.
 * Intervals: those of the estimates stay valid.
 * Needs: every node above the last level has a child; there is a value for each node.
 * Proof: from the root down, shareOut gives the children of a node whole numbers from 0 whose sum is the
 *   node's own whole number. The total is rounded to the nearest whole number.
 * Numerics: integers.
 * Source: shareOut.
 */
export function wholeTree(
  { children }: Pick<WeightedTree, "children">,
  values: readonly (readonly bigint[])[],
  bits: number,
): readonly (readonly bigint[])[] {
  const scale = 1n << BigInt(bits)
  const total = floorDivide(2n * (values[0]?.[0] ?? 0n) + scale, 2n * scale)
  let whole: readonly bigint[] = [total > 0n ? total : 0n]
  const levels = [whole]
  for (const [level, counts] of children.entries()) {
    const starts = childStarts(counts)
    const own = values[level + 1] ?? []
    const above = whole
    whole = counts.flatMap((_, node) =>
      shareOut(own.slice(starts[node], starts[node + 1]), above[node] ?? 0n, scale),
    )
    levels.push(whole)
  }
  return levels
}

/** A measurement that a sum of nodes takes so much of: level 0 is the total. */
export interface TreeTerm {
  readonly level: number
  readonly place: number
  readonly factor: Rational
}

/**
 * The measurements behind sums of nodes. Made once for a tree: `termsOf(level, nodes)` gives the terms of the
 * sum of some nodes of a level.
 *
 * With a_c of each child c wanted, the range of siblings R is wanted a_R = sum of a_c w_c / w_R of its own
 * value, and a comparison of its halves (a_left - a_right) / w_R: a half L is w_L / w_R of R, plus 1 / w_R of
 * the comparison, and the other half minus that.
 */
export function treeTerms(
  tree: WeightedTree,
): (level: number, nodes: readonly number[]) => readonly TreeTerm[] {
  const levels = tree.children.map((_, level) => levelSplits(tree, level))
  return (level, nodes) => {
    const terms: TreeTerm[] = []
    let wanted = new Map(nodes.map((node) => [node, rational(1n)]))
    for (let above = level - 1; above >= 0; above -= 1) {
      const own = levels[above]
      assert(own !== undefined, "a node is at a level of its tree")
      const families = new Map<number, Map<number, Rational>>()
      for (const [node, share] of wanted) {
        const parent = own.parents[node] ?? -1
        const family = families.get(parent) ?? new Map<number, Rational>()
        const weight = tree.weights[above]?.[node] ?? 0n
        families.set(parent, family.set(node, multiply(share, rational(weight))))
      }
      wanted = new Map()
      for (const [parent, shares] of families) {
        for (const { place, factor } of takenOf(shares, own)) terms.push({ level: above + 1, place, factor })
        const whole = rational(own.wholes[parent] ?? 1n)
        wanted.set(parent, divide([...shares.values()].reduce(add, zero), whole))
      }
    }
    const factor = wanted.get(0) ?? zero
    return factor.numerator === 0n ? terms : [{ level: 0, place: 0, factor }, ...terms]
  }
}

/** The most steps by which treeValues rounds a node of a level: half of one for each halving above it. */
export function treeRounding({ children }: Pick<WeightedTree, "children">, level: number): number {
  return children.slice(0, level).reduce((steps, counts) => {
    const most = counts.reduce((a, b) => Math.max(a, b), 1)
    return steps + (32 - Math.clz32(most - 1)) / 2
  }, 0)
}

/** What comparisons are taken of, given the wanted share of each child times its weight. */
function takenOf(
  shares: ReadonlyMap<number, Rational>,
  { splits, byPlace }: LevelSplits,
): readonly { readonly place: number; readonly factor: Rational }[] {
  const halves = new Map<number, { readonly first: Rational; readonly second: Rational }>()
  for (const [node, share] of shares) {
    for (const place of byPlace[node] ?? []) {
      const { first, second } = halves.get(place) ?? { first: zero, second: zero }
      const isFirst = node < (splits[place]?.middle ?? 0)
      halves.set(
        place,
        isFirst ? { first: add(first, share), second } : { first, second: add(second, share) },
      )
    }
  }
  return [...halves].flatMap(([place, { first, second }]) => {
    const { left, right } = splits[place] ?? { left: 1n, right: 1n }
    const difference = subtract(divide(first, rational(left)), divide(second, rational(right)))
    const factor = divide(difference, rational(left + right))
    return factor.numerator === 0n ? [] : [{ place, factor }]
  })
}

/** The comparisons of a level, those that each node takes part in, and the weight of each family. */
interface LevelSplits {
  readonly splits: readonly SiblingSplit[]
  readonly byPlace: readonly (readonly number[])[]
  readonly parents: readonly number[]
  readonly wholes: readonly bigint[]
}

function levelSplits(tree: WeightedTree, level: number): LevelSplits {
  const splits = siblingSplits(tree, level)
  const counts = tree.children[level] ?? []
  const weights = tree.weights[level] ?? []
  const starts = childStarts(counts)
  const byPlace = weights.map((): number[] => [])
  for (const [place, { from, to }] of splits.entries()) {
    for (let node = from; node < to; node += 1) byPlace[node]?.push(place)
  }
  const wholes = counts.map((_, node) =>
    weights.slice(starts[node], starts[node + 1]).reduce((sum, weight) => sum + weight, 0n),
  )
  return { splits, byPlace, parents: parentsOf(counts), wholes }
}
