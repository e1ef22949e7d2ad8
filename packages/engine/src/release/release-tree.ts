// Sums at the levels of a tree, from its noisy comparisons or leaves: a row for each group of each grouping.

import type { RandomBits } from "@dosimeter/core"
import { assert } from "@dosimeter/core/errors"
import { add, multiply, numberUp, rational, square, zero, type Rational } from "@dosimeter/core/exact"
import {
  levelSizes,
  releaseLaplace,
  releaseTree,
  sumsByLevel,
  treeDrawVariances,
  type LaplaceSpec,
  type TreeSpec,
} from "@dosimeter/core/mechanisms"
import { treeRounding, treeTerms, treeValues, wholeTree } from "@dosimeter/core/post"
import {
  treeChildren,
  treeGroupings,
  type TreeGrouping,
  type TreeKeys,
} from "@dosimeter/proof/algebra/tree-layout"
import type { MarginsPlan, Release } from "@dosimeter/proof/algebra/release-plan"
import type { Draw, DrawTerm, MarginRow, Mixture, OnMeasured } from "./release-margins.ts"

type Cell = MarginRow["cells"][number]

/** Trees with more terms than this keep only the variances of their groups. */
const termsMax = 150_000

/**
 * The rows of all groupings. `leavesOf` gives the exact column of a measure, a number for each leaf.
 *
 * Guarantee: the loss of the result is the sum of lossOf over the release's mechanisms.
 * Needs: as releaseTables.
 * Proof: what leaves `measurementsOf` came out of releaseTree or releaseLaplace; all else, and what is told
 *   to onMeasured, is computed from that, from rows and from groupings.
 * Numerics: whole steps of 2^-bits of the grid, so that children add up to their parents exactly.
 * Source: core's tree.
 */
export function treeRows(
  { keys, measures }: Release & { readonly keys: TreeKeys },
  leavesOf: (extract: number, column: number) => readonly bigint[],
  rng: RandomBits,
  onMeasured: OnMeasured,
): readonly MarginRow[] {
  const groupings = treeGroupings(keys)
  const children = treeChildren(keys)
  const columns: (readonly (readonly Cell[])[])[] = []
  for (const measure of measures) {
    if (measure.kind === "same") columns.push(columns[measure.measure] ?? missing())
    else if (measure.kind === "margins") {
      const noisy = measurementsOf(measure, leavesOf(measure.extract, measure.column), rng)
      onMeasured({ measure, noisy })
      const nodes = nodesOf(measure, children, noisy)
      columns.push(groupings.map((grouping) => cellsOf(grouping, measure, nodes)))
    } else missing()
  }
  return groupings.flatMap(({ groups }, number) =>
    groups.map(({ keys: shown }, place): MarginRow => ({
      keys: [...shown, { kind: "number", value: rational(BigInt(number)) }],
      cells: columns.map((column) => column[number]?.[place] ?? missing()),
    })),
  )
}

/** The nodes of a tree after noise. */
interface NoisyNodes {
  /** By level, in steps of 2^-bits of the grid. */
  readonly values: readonly (readonly bigint[])[]
  /** What is shown in their place, where whole numbers are wanted. */
  readonly whole: readonly (readonly bigint[])[] | undefined
  readonly bits: number
  /** The most steps that a node of a level was rounded by. */
  readonly rounding: (level: number) => number
  readonly mixtureOf: (level: number, nodes: readonly number[]) => MixtureKind
}

type MixtureKind =
  | { readonly kind: "draws"; readonly terms: readonly DrawTerm[] }
  | { readonly kind: "normal"; readonly variance: Rational; readonly grid: Rational }

/** Noisy leaves, or the noisy comparisons of each level. */
function measurementsOf(
  { spec }: MarginsPlan,
  exact: readonly bigint[],
  rng: RandomBits,
): readonly (readonly bigint[])[] {
  assert(spec.kind !== "margins", "a tree has no parts of a table")
  return spec.kind === "laplace" ? [releaseLaplace(spec, exact, rng)] : releaseTree(spec, exact, rng)
}

function nodesOf(
  { spec, grid, bits, isWhole }: MarginsPlan,
  children: readonly (readonly number[])[],
  noisy: readonly (readonly bigint[])[],
): NoisyNodes {
  assert(spec.kind !== "margins", "a tree has no parts of a table")
  const nodes =
    spec.kind === "laplace"
      ? ofLeaves(spec, { children, grid, noisy: noisy[0] ?? missing() })
      : ofComparisons(spec, { grid, bits, noisy })
  return isWhole ? { ...nodes, whole: wholeTree({ children }, nodes.values, nodes.bits) } : nodes
}

/** Sums of noisy leaves. */
function ofLeaves(
  spec: LaplaceSpec,
  given: {
    readonly children: readonly (readonly number[])[]
    readonly grid: Rational
    readonly noisy: readonly bigint[]
  },
): NoisyNodes {
  const { children, grid, noisy } = given
  const draws = noisy.map((): Draw => ({ law: "laplace", amount: spec.scale, grid }))
  // The leaves of a node stand together.
  const starts = leafStarts(children)
  const mixtureOf: NoisyNodes["mixtureOf"] = (level, nodes) => ({
    kind: "draws",
    terms: nodes.flatMap((node) =>
      draws.slice(starts[level]?.[node], starts[level]?.[node + 1]).map((draw) => ({ draw, divisor: 1 })),
    ),
  })
  return { values: sumsByLevel({ children }, noisy), whole: undefined, bits: 0, rounding: () => 0, mixtureOf }
}

/** For each level the first leaf of each node, and one more: the number of leaves. */
function leafStarts(children: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const leaves = levelSizes({ children }).at(-1) ?? 0
  let below: readonly number[] = Array.from({ length: leaves + 1 }, (_, leaf) => leaf)
  const levels = [below]
  for (const counts of children.toReversed()) {
    const own: number[] = []
    let first = 0
    for (const count of counts) {
      own.push(below[first] ?? leaves)
      first += count
    }
    below = [...own, leaves]
    levels.unshift(below)
  }
  return levels
}

/** Nodes put together from noisy comparisons. */
function ofComparisons(
  spec: TreeSpec,
  given: {
    readonly grid: Rational
    readonly bits: number
    readonly noisy: readonly (readonly bigint[])[]
  },
): NoisyNodes {
  const { grid, bits, noisy } = given
  const variances = treeDrawVariances(spec)
  const draws = variances.map((level) => level.map((amount): Draw => ({ law: "gaussian", amount, grid })))
  const termsOf = treeTerms(spec)
  // Every comparison is in the nodes of its two halves, all their descendants, and few others.
  const isLarge = levelSizes(spec).reduce((sum, nodes) => sum + nodes * depthOf(spec), 0) > termsMax
  const mixtureOf: NoisyNodes["mixtureOf"] = (level, nodes) => {
    const terms = termsOf(level, nodes)
    if (!isLarge) {
      return {
        kind: "draws",
        terms: terms.map(({ level: at, place, factor }) => ({
          draw: draws[at]?.[place] ?? missing(),
          factor,
        })),
      }
    }
    const parts = terms.map(({ level: at, place, factor }) =>
      multiply(square(factor), variances[at]?.[place] ?? missing()),
    )
    return { kind: "normal", variance: parts.reduce(add, zero), grid }
  }
  const rounding = (level: number): number => treeRounding(spec, level)
  return { values: treeValues(spec, noisy, bits), whole: undefined, bits, rounding, mixtureOf }
}

/** About how many comparisons a leaf is made of. */
function depthOf(spec: TreeSpec): number {
  return 2 * treeRounding(spec, spec.children.length) + 1
}

function cellsOf(
  { level, groups }: TreeGrouping,
  { grid }: MarginsPlan,
  { values, whole, bits, rounding, mixtureOf }: NoisyNodes,
): readonly Cell[] {
  const step = multiply(grid, rational(1n, 1n << BigInt(bits)))
  const sumOf = (all: readonly (readonly bigint[])[], nodes: readonly number[]): bigint =>
    nodes.reduce((sum, node) => sum + (all[level]?.[node] ?? missing()), 0n)
  return groups.map(({ nodes }): Cell => {
    const estimate = multiply(rational(sumOf(values, nodes)), step)
    const own = mixtureOf(level, nodes)
    // Comparisons are rounded by at most half a step of the grid in each node; one is thought of already.
    const more = own.kind === "normal" ? ((nodes.length - 1) / 2) * numberUp(grid) : 0
    const mixture: Mixture = {
      ...own,
      rounding: rounding(level) * nodes.length * numberUp(step) + more,
      ...(whole === undefined ? {} : { estimate }),
    }
    const shown = whole === undefined ? estimate : multiply(rational(sumOf(whole, nodes)), grid)
    return { value: { kind: "number", value: shown }, mixture }
  })
}

function missing(): never {
  assert(false, "every group has its nodes")
}
