// What one unit can do to the measurements of a tree, in units of their noise.

import { assert } from "../../errors/assert.ts"
import { ceil, floor, divide, maximum, multiply, rational, type Rational } from "../../exact/rational.ts"
import { childStarts, leavesBelow, levelSizes, type WeightedTree } from "../../exact/weighted-tree.ts"
import type { Neighbours } from "../../privacy/unit.ts"

/** A tree of sums with the noise of its measurements, and what one unit may add to its leaves. */
export interface MeasuredSums extends WeightedTree {
  /** The variance of the total's noise. */
  readonly total: Rational
  /** By level but the last: the variance of comparisons among the children of each node, for weight 1. */
  readonly variances: readonly (readonly Rational[])[]
  /** The most leaves that a unit is in. */
  readonly groupsPerUnit: bigint
  /** What a unit adds to each of its leaves lies between these. */
  readonly lower: bigint
  readonly upper: bigint
  readonly neighbours: Neighbours
}

/**
 * The most that one unit changes all measurements together: the greatest sum of squares, each divided by the
 * variance of its noise.
 *
 * Guarantee: no change that a unit can make has a greater sum. Where a unit is added or removed and amounts
 *   have one sign, or it is in one leaf, some change reaches it, up to rounding.
 * Needs: the bounds of the tree hold (proved by whoever made them); weights and variances are positive.
 * Proof: the sum is a convex function of what a unit adds to its leaves, so it is greatest where each amount
 *   is 0 or the largest; all choices of leaves are gone through, from the last level up:
 *   tree-change.proof.md.
 * Numerics: whole multiples of a step that is 2^-96 of the least precision or finer (finenessOf); what is
 *   added is rounded up, what is taken off is rounded down, and so is the result up to 2^-96.
 * Source: Hay, Rastogi, Miklau, Suciu 2010, for the tree; Xiao, He, Zhang, Kifer 2023, for the residuals; the
 *   rest is above.
 */
export function treeChange(tree: MeasuredSums): Rational {
  const { lower, upper, neighbours } = tree
  const largest = -lower > upper ? -lower : upper
  const square = largest * largest
  const leaves = BigInt(levelSizes(tree).at(-1) ?? 1)
  const groups = tree.groupsPerUnit < leaves ? tree.groupsPerUnit : leaves
  const hasBothSigns = lower < 0n && upper > 0n
  const steps: Steps = { ...tree, fineness: finenessOf(tree) }
  const own = mostOf(steps, Number(groups), hasBothSigns && groups > 1n)
  const result = (change: bigint): Rational => rational(ceil(rational(change, steps.fineness)), unit)
  if (neighbours === "add-or-remove") return result(square * own)
  const apart = hasBothSigns ? own : groups * groups * farthest(steps)
  return result(2n * square * (own + (apart < own ? apart : own)))
}

const unit = 1n << 96n

/** A tree whose precisions are counted in steps of 1 / (2^96 fineness). */
interface Steps extends MeasuredSums {
  readonly fineness: bigint
}

// A power of 2 above all variances. Large amounts have large variances, and what is rounded of a precision is
// multiplied by the square of an amount.
function finenessOf({ total, variances }: MeasuredSums): bigint {
  const greatest = variances.flat().reduce(maximum, total)
  return 1n << BigInt(floor(greatest).toString(2).length)
}

function inStepsUp(value: Rational, { fineness }: Steps): bigint {
  return ceil(multiply(value, rational(unit * fineness)))
}

function inStepsDown(value: Rational, { fineness }: Steps): bigint {
  return floor(multiply(value, rational(unit * fineness)))
}

/** For each node the most that so many leaves below it add up to, in steps, from the last level up. */
function mostOf(tree: Steps, groups: number, hasBothSigns: boolean): bigint {
  const below = leavesBelow(tree)
  let bests: readonly (readonly bigint[])[] = (below.at(-1) ?? []).map(() => [0n, 0n])
  for (let level = tree.children.length - 1; level >= 0; level -= 1) {
    const children = bests
    const counts = tree.children[level] ?? []
    const starts = childStarts(counts)
    bests = counts.map((_, node) => {
      const [from, to] = [starts[node] ?? 0, starts[node + 1] ?? 0]
      const precision = precisionAt(tree, level, node)
      const eachOf = new Map<bigint, bigint>()
      let shared: readonly bigint[] = [0n]
      let weight = 0n
      for (let child = from; child < to; child += 1) {
        const own = weightAt(tree, level, child)
        weight += own
        const each = eachOf.get(own) ?? inStepsUp(divide(precision, rational(own)), tree)
        eachOf.set(own, each)
        const best = children[child] ?? []
        const most = Math.min(groups, below[level + 1]?.[child] ?? 0)
        const adds = Array.from({ length: most + 1 }, (_value, j) => (best[j] ?? 0n) + squareOf(j) * each)
        shared = together(shared, adds, groups)
      }
      const taken = hasBothSigns ? 0n : inStepsDown(divide(precision, rational(weight)), tree)
      // A single child says nothing beyond the sum.
      return to - from === 1 ? (children[from] ?? []) : shared.map((value, j) => value - squareOf(j) * taken)
    })
  }
  const total = inStepsUp(divide(rational(1n), tree.total), tree)
  return (bests[0] ?? []).map((value, j) => value + squareOf(j) * total).reduce((a, b) => (a > b ? a : b), 0n)
}

/** All ways to have j leaves here and the others there. */
function together(a: readonly bigint[], b: readonly bigint[], groups: number): readonly bigint[] {
  const sums = Array<bigint>(Math.min(groups, a.length + b.length - 2) + 1).fill(0n)
  for (const [i, x] of a.entries()) {
    for (let j = 0; j < b.length && i + j < sums.length; j += 1) {
      const sum = x + (b[j] ?? 0n)
      if (sum > (sums[i + j] ?? 0n)) sums[i + j] = sum
    }
  }
  return sums
}

/** The largest -Q_ab, not below 0, in steps. */
function farthest(tree: Steps): bigint {
  let above: readonly bigint[] = [inStepsDown(divide(rational(1n), tree.total), tree)]
  let most = 0n
  for (const [level, counts] of tree.children.entries()) {
    const starts = childStarts(counts)
    const next: bigint[] = []
    for (const [node, count] of counts.entries()) {
      const [from, to] = [starts[node] ?? 0, starts[node + 1] ?? 0]
      const precision = precisionAt(tree, level, node)
      let weight = 0n
      for (let child = from; child < to; child += 1) weight += weightAt(tree, level, child)
      const taken = inStepsUp(divide(precision, rational(weight)), tree)
      const shared = above[node] ?? 0n
      if (count > 1 && taken - shared > most) most = taken - shared
      for (let child = from; child < to; child += 1) {
        const added = inStepsDown(divide(precision, rational(weightAt(tree, level, child))), tree) - taken
        next.push(count === 1 || added < 0n ? shared : shared + added)
      }
    }
    above = next
  }
  return most
}

function precisionAt({ variances }: MeasuredSums, level: number, node: number): Rational {
  const variance = variances[level]?.[node]
  assert(variance !== undefined && variance.numerator > 0n, "comparisons have noise")
  return divide(rational(1n), variance)
}

function weightAt({ weights }: MeasuredSums, level: number, child: number): bigint {
  const weight = weights[level]?.[child]
  assert(weight !== undefined && weight > 0n, "nodes have weights")
  return weight
}

function squareOf(count: number): bigint {
  return BigInt(count) * BigInt(count)
}
