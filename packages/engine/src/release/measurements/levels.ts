// Sums at the levels of a tree, from its noisy comparisons.

import { assert } from "@dosimeter/core/errors"
import { add, multiply, numberUp, rational, square, zero, type Rational } from "@dosimeter/core/exact"
import { levelSizes, treeDrawVariances, type TreeSpec } from "@dosimeter/core/mechanisms"
import { treeRounding, treeTerms, treeValues, wholeTree } from "@dosimeter/core/post"
import { areWhole, bitsFor, finerBits, type GroupedKeys } from "@dosimeter/proof/algebra/grouping-sums"
import type { LinearMeasurement } from "@dosimeter/proof/algebra/measurement"
import { treeGroupings, treeOf, type TreeGrouping } from "@dosimeter/proof/algebra/tree-layout"
import type { Draw, DrawTerm, NoisyCell } from "./noisy-cell.ts"
import { groupedCell, type DrawnLinear } from "./drawn.ts"
import type { NoiseSource } from "./noise-source.ts"

type Levels = LinearMeasurement<"levels">

/** Trees with more terms than this keep only the variances of their groups. */
const termsMax = 150_000

/**
 * The noisy comparisons of each level.
 *
 * Guarantee: all leaves go through the source once, with the measurement's own spec.
 * Needs: as releaseTables; `exact` has the one column of the measurement, a number for each leaf.
 * Proof: it is called once; all else is computed from what comes out, from rows and from groupings.
 * Numerics: whole steps of 2^-bits of the grid, so that children add up to their parents exactly.
 * Source: core's tree.
 */
export function drawLevels(
  measurement: Levels,
  exact: readonly (readonly bigint[])[],
  source: NoiseSource,
): DrawnLinear {
  const noisy = source(measurement.strategy.spec, exact[0] ?? missing())
  return {
    noisy,
    cells: () => missing(),
    groupings: (keys) => {
      const nodes = nodesOf(measurement, noisy, keys)
      const tree = treeOf(keys) ?? missing()
      return treeGroupings(tree).map((grouping) => cellsOf(grouping, measurement, nodes))
    },
  }
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

function nodesOf(
  measurement: Levels,
  noisy: readonly (readonly bigint[])[],
  { groupings }: GroupedKeys,
): NoisyNodes {
  const { strategy, grid } = measurement
  const { spec } = strategy
  const bits = bitsFor(grid)
  const values = treeValues(spec, noisy, bits)
  const whole = areWhole(measurement, groupings) ? wholeTree(spec, values, bits + finerBits(grid)) : undefined
  const rounding = (level: number): number => treeRounding(spec, level)
  return { values, whole, bits, rounding, mixtureOf: mixturesOf(spec, grid) }
}

function mixturesOf(spec: TreeSpec, grid: Rational): NoisyNodes["mixtureOf"] {
  const variances = treeDrawVariances(spec)
  const draws = variances.map((level) => level.map((amount): Draw => ({ law: "gaussian", amount, grid })))
  const termsOf = treeTerms(spec)
  // Every comparison is in the nodes of its two halves, all their descendants, and few others.
  const isLarge = levelSizes(spec).reduce((sum, nodes) => sum + nodes * depthOf(spec), 0) > termsMax
  return (level, nodes) => {
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
}

/** About how many comparisons a leaf is made of. */
function depthOf(spec: TreeSpec): number {
  return 2 * treeRounding(spec, spec.children.length) + 1
}

function cellsOf(
  { level, groups }: TreeGrouping,
  { grid }: Levels,
  { values, whole, bits, rounding, mixtureOf }: NoisyNodes,
): readonly NoisyCell[] {
  const step = multiply(grid, rational(1n, 1n << BigInt(bits)))
  const sumOf = (all: readonly (readonly bigint[])[], nodes: readonly number[]): bigint =>
    nodes.reduce((sum, node) => sum + (all[level]?.[node] ?? missing()), 0n)
  return groups.map(({ nodes }) => {
    const own = mixtureOf(level, nodes)
    // Comparisons are rounded by at most half a step of the grid in each node; one is thought of already.
    const more = own.kind === "normal" ? ((nodes.length - 1) / 2) * numberUp(grid) : 0
    return groupedCell(
      multiply(rational(sumOf(values, nodes)), step),
      whole === undefined ? undefined : rational(sumOf(whole, nodes)),
      { ...own, rounding: rounding(level) * nodes.length * numberUp(step) + more },
    )
  })
}

function missing(): never {
  assert(false, "every group has its nodes")
}
