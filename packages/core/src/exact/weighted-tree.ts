// A public tree whose leaves are all of one depth, with whole weights among siblings; and an orthogonal basis
// of integers for what the children of a node say beyond their sum: halves are compared, as in
// split-basis.ts, each in proportion to its weight.

import { assert } from "../errors/assert.ts"
import { splitsOf } from "./split-basis.ts"

/** A tree by levels from the root. Nodes of a level are in order, children of a node stand together. */
export interface WeightedTree {
  /** For each level but the last: how many children each of its nodes has. */
  readonly children: readonly (readonly number[])[]
  /** For each level after the first: what each of its nodes weighs among its siblings. */
  readonly weights: readonly (readonly bigint[])[]
}

/** How many nodes each level has, the root's first. */
export function levelSizes({ children }: Pick<WeightedTree, "children">): readonly number[] {
  return [1, ...children.map((counts) => counts.reduce((sum, count) => sum + count, 0))]
}

/** Where the children of each node of a level begin in the next, and one place more where the last end. */
export function childStarts(counts: readonly number[]): readonly number[] {
  const starts = [0]
  for (const count of counts) starts.push((starts.at(-1) ?? 0) + count)
  return starts
}

/** The node of the level before that each node of a level belongs to. */
export function parentsOf(counts: readonly number[]): readonly number[] {
  return counts.flatMap((count, parent) => Array<number>(count).fill(parent))
}

/** How many leaves are below each node, level by level. */
export function leavesBelow({ children }: Pick<WeightedTree, "children">): readonly (readonly number[])[] {
  let below: readonly number[] = Array<number>(levelSizes({ children }).at(-1) ?? 1).fill(1)
  const levels = [below]
  for (const counts of children.toReversed()) {
    below = sumsOfChildren(counts, below, (a, b) => a + b, 0)
    levels.unshift(below)
  }
  return levels
}

/** The sums of a table of leaves at every level, the root's first. */
export function sumsByLevel(
  { children }: Pick<WeightedTree, "children">,
  leaves: readonly bigint[],
): readonly (readonly bigint[])[] {
  let sums = leaves
  const levels = [sums]
  for (const counts of children.toReversed()) {
    sums = sumsOfChildren(counts, sums, (a, b) => a + b, 0n)
    levels.unshift(sums)
  }
  return levels
}

function sumsOfChildren<T>(
  counts: readonly number[],
  values: readonly T[],
  add: (a: T, b: T) => T,
  zero: T,
): readonly T[] {
  const starts = childStarts(counts)
  assert(starts.at(-1) === values.length, "a level has as many nodes as the one before has children")
  return counts.map((_, node) => values.slice(starts[node], starts[node + 1]).reduce(add, zero))
}

/**
 * A comparison of siblings, by their places in their level: `right` times the sum of [from, middle) less
 * `left` times the sum of [middle, to).
 */
export interface SiblingSplit {
  readonly parent: number
  readonly from: number
  readonly middle: number
  readonly to: number
  /** The weight of each half. */
  readonly left: bigint
  readonly right: bigint
}

/**
 * The comparisons among the children of all nodes of a level, node by node, those of larger halves first. Of
 * a node with k children there are k - 1. With variance w for each child of weight w they are uncorrelated
 * with each other and with the sum: the covariance with the sum of their own range is right * left - left *
 * right = 0, and where two comparisons meet, one is constant on the range of the other.
 */
export function siblingSplits({ children, weights }: WeightedTree, level: number): readonly SiblingSplit[] {
  const counts = children[level] ?? []
  const own = weights[level] ?? []
  const starts = childStarts(counts)
  assert(starts.at(-1) === own.length, "every node but the root has a weight")
  const before = [0n]
  for (const weight of own) before.push((before.at(-1) ?? 0n) + weight)
  const weightOf = (from: number, to: number): bigint => (before[to] ?? 0n) - (before[from] ?? 0n)
  return counts.flatMap((count, parent) =>
    splitsOf(count).map((split) => {
      const start = starts[parent] ?? 0
      const [from, middle, to] = [start + split.from, start + split.middle, start + split.to]
      return { parent, from, middle, to, left: weightOf(from, middle), right: weightOf(middle, to) }
    }),
  )
}

/** The variance of a comparison whose children have variance 1 for each unit of weight. */
export function splitLength({ left, right }: Pick<SiblingSplit, "left" | "right">): bigint {
  return left * right * (left + right)
}
