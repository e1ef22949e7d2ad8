// Groups with noise of their own; groupings are their sums.

import { assert } from "@dosimeter/core/errors"
import { multiply, rational } from "@dosimeter/core/exact"
import { sumsByLevel } from "@dosimeter/core/mechanisms"
import { wholeCells, wholeTree } from "@dosimeter/core/post"
import { areWhole, groupingSums, type GroupedKeys } from "@dosimeter/proof/algebra/grouping-sums"
import type { LinearMeasurement } from "@dosimeter/proof/algebra/measurement"
import { treeChildren, treeOf } from "@dosimeter/proof/algebra/tree-layout"
import type { NoisyCell } from "./noisy-cell.ts"
import type { NoiseSource } from "./noise-source.ts"
import { groupedCell, noiseOf, scaled, type DrawnLinear } from "./drawn.ts"

type Identity = LinearMeasurement<"identity">

/**
 * The noisy numbers of all groups.
 *
 * Guarantee: every number goes through the source once, with the measurement's own spec.
 * Needs: as releaseTables; `exact` has the one column of the measurement, a number for each group.
 * Proof: all numbers go through the source in one call; cells and groupings are computed from what comes out.
 * Numerics: integers; a value is noisy integer times grid, exactly.
 * Source: the mechanisms of core.
 */
export function drawIdentity(
  measurement: Identity,
  exact: readonly (readonly bigint[])[],
  source: NoiseSource,
): DrawnLinear {
  const { spec } = measurement.strategy
  const [column] = measurement.columns
  const [amounts] = exact
  assert(column !== undefined && amounts !== undefined, "a measurement of groups has one column")
  const [noisy = []] = source(spec, amounts)
  const noise = noiseOf(spec, measurement.grid)
  // Columns that are read from the same draw have the same cells.
  const cells = noisy.map((steps): NoisyCell => ({ value: scaled(steps, measurement.grid, column), noise }))
  return {
    noisy: [noisy],
    cells: () => cells,
    groupings: (keys) => sumsOf(measurement, noisy, keys),
  }
}

function sumsOf(
  measurement: Identity,
  noisy: readonly bigint[],
  keys: GroupedKeys,
): readonly (readonly NoisyCell[])[] {
  const { strategy, grid } = measurement
  const terms = noisy.map(() => ({ draw: noiseOf(strategy.spec, grid), divisor: 1 }))
  const whole = areWhole(measurement, keys.groupings) ? wholeRows(keys, noisy) : undefined
  const sum = (values: readonly bigint[], rows: readonly number[]): bigint =>
    rows.reduce((total, row) => total + (values[row] ?? 0n), 0n)
  return groupingSums(keys).map((groups) =>
    groups.map(({ rows }) =>
      groupedCell(
        multiply(rational(sum(noisy, rows)), grid),
        whole === undefined ? undefined : multiply(rational(sum(whole, rows)), grid),
        { kind: "draws", rounding: 0, terms: rows.flatMap((row) => terms[row] ?? []) },
      ),
    ),
  )
}

// Whole numbers from 0 in place of the rows, that still add up.
function wholeRows(keys: GroupedKeys, noisy: readonly bigint[]): readonly bigint[] {
  const tree = treeOf(keys)
  if (tree === undefined) {
    const sizes = keys.lists.map((list) => BigInt(list.length))
    return wholeCells(sizes, noisy, 0)
  }
  const children = treeChildren(tree)
  return wholeTree({ children }, sumsByLevel({ children }, noisy), 0).at(-1) ?? []
}
