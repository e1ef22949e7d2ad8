// Consistency of a tree: every node becomes the sum of its children, with the best use of all measurements.
// Regions and districts, days and months, the nodes of a noisy range tree. Two passes, as in Hay, Rastogi,
// Miklau, Suciu 2010 (boosting the accuracy of differentially private histograms), with any variance at any
// node.

import { fail } from "../../errors/errors.ts"
import { checkLength, position } from "../estimates/check.ts"
import { checkEstimate, type Estimate } from "../estimates/estimate.ts"
import { combinedLaw, mixedLaw } from "../estimates/joint.ts"
import { mergeMoments, type Moments } from "./merge.ts"
import { at } from "../estimates/vector.ts"

/**
 * A forest by parents. Node i is a child of parents[i], or a root if that is -1; undefined
 * was not measured.
 */
export interface MeasuredTree {
  readonly parents: readonly number[]
  readonly nodes: readonly (Estimate | undefined)[]
}

/**
 * Makes every node the sum of its children, by weighted least squares, in a time proportional to the nodes.
 *
 * Guarantee: the best linear unbiased estimate from all nodes together, with its exact variance at every
 * node; no variance grows. Measurements must be independent. A node of variance 0 is public and is kept; one
 * that was not measured is worked out, and one that nothing determines is refused.
 * Bias: none. Values may be negative; clamp last, if at all.
 * Intervals: exact for continuous Gaussian noise, approximate otherwise. Different nodes now share noise: do
 * not add their variances; the sum of a node's children is the node itself.
 * Needs: measurements are independent; their variances are right, or bounds.
 * Proof: Upward, z_v is the best estimate of v from its subtree: its own measurement merged with the sum of
 * its children's z, which are independent. Downward, let S be that sum with variance V, and h_v the final
 * value of v with variance P_v. Given v's exact value x, the best estimate of child c is z_c + k (x - S)
 * with k = var_c / V, and it has variance var_c (1 - k), by regression of one term on a sum. Everything
 * outside the subtree of v informs c through x alone, so h_c = z_c + k (h_v - S), and P_c = var_c (1 - k) +
 * k^2 P_v by the law of total variance.
 * Numerics: doubles.
 * Source: Hay, Rastogi, Miklau, Suciu 2010, for equal variances; with weights, this proof.
 */
export function reconcileTree({ parents, nodes }: MeasuredTree): Estimate[] {
  checkLength(nodes, { name: "nodes", expected: parents.length })
  const measured = nodes.map((node, index) =>
    node === undefined ? unknown : checkEstimate(node, `node ${index}`),
  )
  const tree = shapeOf(parents)
  const upward = fromSubtrees(tree, measured)
  const final = fromRoots(tree, upward)
  const known = nodes.filter((node) => node !== undefined)
  const law = mixedLaw(known)
  return final.map(({ value, variance }, index) => {
    const own = nodes[index]
    // A node that nothing else spoke about keeps its own law, and so its exact interval.
    if (own !== undefined && own.variance === variance && own.value === value) {
      return { value, variance, ...combinedLaw([own], [1]) }
    }
    return { value, variance, law }
  })
}

/** A tree as nested nodes; `label` is whatever the caller knows a node by. */
export interface TreeNode<Label> {
  readonly label: Label
  readonly estimate?: Estimate
  readonly children?: readonly TreeNode<Label>[]
}

/** The same tree, every node with its estimate. */
export interface ConsistentNode<Label> {
  readonly label: Label
  readonly estimate: Estimate
  readonly children: readonly ConsistentNode<Label>[]
}

/** As reconcileTree, on nested nodes. */
export function reconcileNested<Label>(root: TreeNode<Label>): ConsistentNode<Label> {
  const list: TreeNode<Label>[] = [root]
  const parents: number[] = [-1]
  // The list grows while it is walked: breadth first, parents before children.
  for (let index = 0; index < list.length; index += 1) {
    for (const child of list[index]?.children ?? []) {
      list.push(child)
      parents.push(index)
    }
  }
  const estimates = reconcileTree({ parents, nodes: list.map(({ estimate }) => estimate) })
  const built = list.map(({ label }, index) => ({
    label,
    estimate: estimates[index] ?? fail("postprocess/undetermined", { what: `node ${index}` }),
    children: new Array<ConsistentNode<Label>>(),
  }))
  for (const [index, node] of built.entries()) built[at(parents, index)]?.children.push(node)
  return built[0] ?? fail("parameter/empty", { name: "nodes" })
}

const unknown: Moments = { value: 0, variance: Infinity }

interface Shape {
  readonly children: readonly (readonly number[])[]
  /** Roots first, every parent before its children. */
  readonly order: readonly number[]
  readonly isRoot: readonly boolean[]
}

function shapeOf(parents: readonly number[]): Shape {
  const children = parents.map(() => new Array<number>())
  const isRoot = parents.map((parent) => parent === -1)
  for (const [index, parent] of parents.entries()) {
    if (parent === -1) continue
    position(parent, { name: `the parent of node ${index}`, count: parents.length })
    children[parent]?.push(index)
  }
  const order = parents.map((_, index) => index).filter((index) => isRoot[index])
  for (let next = 0; next < order.length; next += 1) {
    for (const child of children[at(order, next)] ?? []) order.push(child)
  }
  if (order.length < parents.length) {
    const reached = new Set(order)
    const lost = parents.findIndex((_, index) => !reached.has(index))
    fail("postprocess/not-a-tree", { node: `${lost}` })
  }
  return { children, order, isRoot }
}

function fromSubtrees({ children, order }: Shape, measured: readonly Moments[]): readonly Moments[] {
  const upward = measured.map((node) => node)
  for (const index of order.toReversed()) {
    const below = children[index] ?? []
    if (below.length === 0) continue
    const own = momentsAt(measured, index)
    upward[index] = mergeMoments(own, sumOfChildren(upward, below), `node ${index} and its children`)
  }
  return upward
}

function fromRoots({ children, order, isRoot }: Shape, upward: readonly Moments[]): readonly Moments[] {
  const final = upward.map((node) => node)
  for (const index of order) {
    const own = momentsAt(final, index)
    if (isRoot[index] === true && own.variance === Infinity) undetermined(index)
    const below = children[index] ?? []
    const open = below.filter((child) => momentsAt(upward, child).variance === Infinity)
    const [first, second] = open
    if (second !== undefined) undetermined(second)
    if (first !== undefined) final[first] = difference(own, upward, { below, open: first })
    else adjustChildren(final, own, below)
  }
  return final
}

/** All children are known: what the parent has more or less is shared out by variance. */
function adjustChildren(final: Moments[], parent: Moments, below: readonly number[]): void {
  const sum = sumOfChildren(final, below)
  if (sum.variance === 0) return
  for (const child of below) {
    const { value, variance } = momentsAt(final, child)
    const share = variance / sum.variance
    final[child] = {
      value: value + share * (parent.value - sum.value),
      variance: variance * (1 - share) + share * share * parent.variance,
    }
  }
}

/**
 * One child is not known from below: it is the parent less the others, which then learn
 * nothing from above.
 */
function difference(
  parent: Moments,
  upward: readonly Moments[],
  of: { readonly below: readonly number[]; readonly open: number },
): Moments {
  const others = of.below.filter((child) => child !== of.open)
  const sum = sumOfChildren(upward, others)
  return { value: parent.value - sum.value, variance: parent.variance + sum.variance }
}

function sumOfChildren(nodes: readonly Moments[], below: readonly number[]): Moments {
  let value = 0
  let variance = 0
  for (const child of below) {
    const one = momentsAt(nodes, child)
    value += one.value
    variance += one.variance
  }
  return { value, variance }
}

function momentsAt(nodes: readonly Moments[], index: number): Moments {
  return nodes[index] ?? unknown
}

function undetermined(index: number): never {
  return fail("postprocess/undetermined", { what: `node ${index}` })
}
