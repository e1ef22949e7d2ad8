// Sums at the levels of a tree: the noise on its comparisons covers what was proven of the table of leaves.

import { levelSizes, squaredLevels, type TreeSpec } from "@dosimeter/core/mechanisms"
import { reject } from "../../units/reject.ts"
import type { LinearMeasurement } from "../../algebra/measurement.ts"
import { treeChildren, treeOf } from "../../algebra/tree-layout.ts"
import type { MeasurementContext } from "./context.ts"
import { provenColumn } from "./only-column.ts"
import { checkWeighedSums, weighedColumn } from "./weighed-sums.ts"

/**
 * Checks the mechanism.
 *
 * Guarantee: what releaseTree gives for the leaves loses no more than lossOf(spec); where units are weighed,
 *   all measurements of the release together lose no more than the sum of theirs.
 * Needs: the table of leaves is the extract, 0 where it has no row, one sum for each row of the keys; no row
 *   is listed twice (checked with the groups), so that what a unit adds to a group is in one leaf.
 * Proof: the spec's bounds (leaves of a unit, amounts in each, neighbours) are at least those that
 *   proveExtract proved of the column, and a loss grows with each of them; it has a leaf for each row, and
 *   every comparison has noise and weights, as treeChange needs; where units are weighed it is
 *   checkWeighedSums, with squaredLevels for what a change costs; whatever the tree is, its loss is worked
 *   out from this very tree. Which groups are shown follows from rows and groupings, which depend on no data,
 *   and their values from what was released.
 * Numerics: integers and exact fractions.
 * Source: core's treeLoss.
 */
export function checkLevels(measurement: LinearMeasurement<"levels">, context: MeasurementContext): void {
  const { keys } = context.release
  const leaves = keys.kind === "public" ? treeOf(keys) : undefined
  if (leaves === undefined) return reject("levels of groups that are no tree")
  const { spec } = measurement.strategy
  if (spec.neighbours !== context.neighbours) reject("a tree has other neighbours")
  if (JSON.stringify(spec.children) !== JSON.stringify(treeChildren(leaves))) {
    reject("a tree of another form")
  }
  checkNoise(spec)
  const weighed = weighedColumn(measurement, context)
  if (weighed !== undefined) {
    const costs = squaredLevels(spec).map((one, level) => ({ ...one, places: leaves.levels[level] ?? [] }))
    return checkWeighedSums(measurement, weighed, costs, context)
  }
  const { groupsPerUnit, lower, upper } = provenColumn(measurement, context)
  if (spec.groupsPerUnit < groupsPerUnit) reject("a tree expects fewer groups of a unit")
  if (spec.lower > lower || spec.upper < upper) reject("a tree expects smaller amounts")
}

function checkNoise(spec: TreeSpec): void {
  const sizes = levelSizes(spec)
  if (spec.total.numerator <= 0n) reject("a total without noise")
  if (spec.weights.length !== spec.children.length || spec.variances.length !== spec.children.length) {
    reject("a tree with levels of other numbers")
  }
  for (const [level, counts] of spec.children.entries()) {
    const weights = spec.weights[level] ?? []
    const variances = spec.variances[level] ?? []
    if (counts.length !== sizes[level] || variances.length !== counts.length) reject("a level without noise")
    if (weights.length !== sizes[level + 1]) reject("a level without weights")
    if (counts.some((count) => !Number.isInteger(count) || count < 1)) reject("a node without children")
    if (weights.some((weight) => weight <= 0n)) reject("a node without weight")
    if (variances.some((variance) => variance.numerator <= 0n || variance.denominator <= 0n)) {
      reject("a comparison without noise")
    }
  }
}
