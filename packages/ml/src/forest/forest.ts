// A forest of random trees: where they split is drawn without looking, and only how many people of each class
// end in each leaf is measured, once. Small leaves lean on the nodes above them.

import type { RandomBits } from "@dosimeter/core/noise"
import { uniformBelow } from "@dosimeter/core/noise"
import type { Neighbours } from "@dosimeter/core/mechanisms"
import {
  categoryOf,
  checkCounts,
  checkFeatures,
  checkTarget,
  type CategoryColumn,
  type ColumnSpec,
  type Examples,
} from "../columns/columns.ts"
import { fail } from "../errors.ts"
import type { Learner, Round } from "../rounds/learner.ts"
import { noiseOf } from "../rounds/release-sums.ts"
import { countedOnce, muSquaredOf, roundSpec, type TrainingBudget } from "../rounds/round-spec.ts"

/** What is asked for. */
export interface ForestOptions {
  readonly features: readonly ColumnSpec[]
  readonly target: CategoryColumn
  readonly budget: TrainingBudget
  readonly neighbours: Neighbours
  readonly trees?: number
  readonly depth?: number
}

/** Where a node sends a row: to its second side if the test holds. */
export interface Split {
  readonly feature: number
  /** For numbers: at least this. For categories: one of these. */
  readonly from: number
  readonly categories: readonly boolean[]
  /** The side of missing values. */
  readonly missing: 0 | 1
}

/** A forest to be measured. The nodes of a tree: 0 is the root, those of i are 2 i + 1 and 2 i + 2. */
export interface Forest {
  readonly features: readonly ColumnSpec[]
  readonly target: CategoryColumn
  readonly depth: number
  readonly trees: readonly (readonly Split[])[]
  readonly rounds: readonly Round[]
}

/** A measured forest: chances of classes in each leaf of each tree. */
export interface ForestModel {
  readonly kind: "forest"
  readonly forest: Pick<Forest, "features" | "target" | "depth" | "trees">
  /** For each tree: leaf after leaf, class after class. */
  readonly chances: readonly Float64Array[]
}

/** Checks what is asked and draws all splits. Nothing is read. */
export function forest(options: ForestOptions, rng: RandomBits): Forest {
  const { features, target, neighbours, trees = 12, depth = 7, budget } = options
  checkFeatures(features)
  checkTarget(target)
  for (const [name, got, most] of [
    ["trees", trees, 500],
    ["depth", depth, 14],
  ] as const) {
    if (!Number.isInteger(got) || got < 1 || got > most)
      fail("model/bad-setting", { name, got: `${got}`, range: `a whole number from 1 to ${most}` })
  }
  checkCounts(
    "the number of counts, trees times leaves times classes,",
    trees * 2 ** depth * target.categories,
  )
  const spec = roundSpec(countedOnce(trees, neighbours), muSquaredOf(budget))
  return {
    features,
    target,
    depth,
    trees: Array.from({ length: trees }, () => splitsOf(features, depth, rng)),
    rounds: [{ name: "people by leaf and class", spec }],
  }
}

/** What can still come to a node: the range of each column of numbers. */
type Ranges = readonly (readonly [number, number])[]

function splitsOf(features: readonly ColumnSpec[], depth: number, rng: RandomBits): readonly Split[] {
  const ranges: Ranges[] = [
    features.map((feature) => (feature.kind === "number" ? [feature.low, feature.high] : [0, 0])),
  ]
  return Array.from({ length: 2 ** depth - 1 }, (_, node) => {
    const own = ranges[node] ?? []
    const place = uniformBelow(features.length, rng)
    const feature = features[place]
    const [low, high] = own[place] ?? [0, 0]
    const missing = uniformBelow(2, rng) === 1 ? 1 : 0
    // Cuts by the square of a uniform number at times: many quantities are crowded at the low end.
    const part = (1 + uniformBelow(2 ** 20, rng)) / (2 ** 20 + 1)
    const from = low + (high - low) * (uniformBelow(2, rng) === 1 ? part : part ** 3)
    const categories =
      feature?.kind === "category"
        ? Array.from({ length: feature.categories }, () => uniformBelow(2, rng) === 1)
        : []
    const narrowed = (to: readonly [number, number]): Ranges =>
      own.map((range, at) => (at === place ? to : range))
    ranges[2 * node + 1] = narrowed([low, from])
    ranges[2 * node + 2] = narrowed([from, high])
    return { feature: place, from, categories, missing }
  })
}

/** The learner of a forest; `trainLearner` runs it. */
export function forestLearner(model: Forest): Learner<Examples, Float64Array, ForestModel> {
  return {
    rounds: model.rounds,
    start: new Float64Array(0),
    open: (data) => ({ sums: () => countLeaves(model, data) }),
    next: (_state, _round, noisy) => noisy,
    finish: (noisy) => forestModel(model, noisy),
  }
}

/**
 * How many people of each class end in each leaf of each tree.
 *
 * Guarantee: a unit changes one count of each tree, by 1.
 * Needs: one row a unit; the splits were drawn without the data (the callers).
 * Proof: a row goes down each tree by its own values, and ends in one leaf; a row without a class counts
 *   nowhere.
 * Numerics: integers.
 * Source: Jagannathan, Pillaipakkamnatt, Wright 2012.
 */
export function countLeaves(model: Forest, data: Examples): Float64Array {
  const classes = model.target.categories
  const leaves = 2 ** model.depth
  const counts = new Float64Array(model.trees.length * leaves * classes)
  for (const [tree, splits] of model.trees.entries()) {
    for (let row = 0; row < data.rows; row += 1) {
      const group = categoryOf(data.target[row] ?? NaN, model.target)
      if (group === undefined) continue
      const leaf = leafOf(model, splits, (feature) => data.features[feature]?.[row] ?? NaN)
      const at = (tree * leaves + leaf) * classes + group
      counts[at] = (counts[at] ?? 0) + 1
    }
  }
  return counts
}

function leafOf(
  { features, depth }: Pick<Forest, "features" | "depth">,
  splits: readonly Split[],
  valueOf: (feature: number) => number,
): number {
  let node = 0
  for (let level = 0; level < depth; level += 1) {
    const split = splits[node]
    const feature = split === undefined ? undefined : features[split.feature]
    if (split === undefined || feature === undefined) break
    node = 2 * node + 1 + sideOf(split, feature, valueOf(split.feature))
  }
  return node - (2 ** depth - 1)
}

function sideOf(split: Split, feature: ColumnSpec, value: number): 0 | 1 {
  if (feature.kind === "category") {
    const category = categoryOf(value, feature)
    return category === undefined ? split.missing : split.categories[category] === true ? 1 : 0
  }
  if (Number.isNaN(value)) return split.missing
  return Math.min(feature.high, Math.max(feature.low, value)) >= split.from ? 1 : 0
}

/**
 * Chances from noisy counts, from the root down: a node counts as if so many people of its parent's chances
 * were in it already as the noise of its sum is wide.
 */
function forestModel(model: Forest, noisy: Float64Array): ForestModel {
  const classes = model.target.categories
  const leaves = 2 ** model.depth
  const [round] = model.rounds
  const deviation = round === undefined ? 0 : noiseOf(round.spec)
  const chances = model.trees.map((_, tree) => {
    const nodes = new Float64Array((2 * leaves - 1) * classes)
    nodes.set(noisy.subarray(tree * leaves * classes, (tree + 1) * leaves * classes), (leaves - 1) * classes)
    for (let at = (leaves - 1) * classes - 1; at >= 0; at -= 1) {
      const [node, group] = [Math.floor(at / classes), at % classes]
      nodes[at] =
        (nodes[(2 * node + 1) * classes + group] ?? 0) + (nodes[(2 * node + 2) * classes + group] ?? 0)
    }
    return leafChances(nodes, { classes, depth: model.depth, deviation })
  })
  const { features, target, depth, trees } = model
  return { kind: "forest", forest: { features, target, depth, trees }, chances }
}

function leafChances(
  sums: Float64Array,
  of: { readonly classes: number; readonly depth: number; readonly deviation: number },
): Float64Array {
  const { classes, depth, deviation } = of
  const chances = new Float64Array(sums.length).fill(1 / classes)
  for (let node = 0; node < 2 ** (depth + 1) - 1; node += 1) {
    const level = Math.floor(Math.log2(node + 1))
    const lean = 2 + 2 * deviation * Math.sqrt(2 ** (depth - level) * classes)
    const parent = node === 0 ? 0 : Math.floor((node - 1) / 2)
    const own = sums.subarray(node * classes, (node + 1) * classes).map((count) => Math.max(0, count))
    const people = own.reduce((sum, count) => sum + count, 0)
    for (const [group, count] of own.entries()) {
      const before = node === 0 ? 1 / classes : (chances[parent * classes + group] ?? 0)
      chances[node * classes + group] = (count + lean * before) / (people + lean)
    }
  }
  return chances.slice((2 ** depth - 1) * classes)
}

/**
 * The chances of all classes, row after row: the mean over the trees of their logarithms, made to add
 * up to 1.
 */
export function predictForest(model: ForestModel, data: Pick<Examples, "rows" | "features">): Float64Array {
  const { forest: plan, chances } = model
  const classes = plan.target.categories
  const all = new Float64Array(data.rows * classes)
  for (let row = 0; row < data.rows; row += 1) {
    const sums = new Float64Array(classes)
    for (const [tree, splits] of plan.trees.entries()) {
      const leaf = leafOf(plan, splits, (feature) => data.features[feature]?.[row] ?? NaN)
      for (let group = 0; group < classes; group += 1) {
        sums[group] = (sums[group] ?? 0) + Math.log(chances[tree]?.[leaf * classes + group] ?? 1)
      }
    }
    const means = sums.map((sum) => Math.exp(sum / plan.trees.length))
    const total = means.reduce((sum, value) => sum + value, 0)
    all.set(
      means.map((value) => value / total),
      row * classes,
    )
  }
  return all
}
