// Sums at the levels of a tree, in words: how its levels share the loss and why, and how far off a group of
// each grouping may be.

import { numberNear } from "@dosimeter/core/exact"
import { bestShares, plainShares, type TreeSpec } from "@dosimeter/core/mechanisms"
import { hasGroupings } from "@dosimeter/proof/algebra/grouping-sums"
import type { LinearMeasurement } from "@dosimeter/proof/algebra/measurement"
import { treeGroupings, treeOf, type TreeKeys } from "@dosimeter/proof/algebra/tree-layout"
import { groupingHalfWidths } from "../../aggregates/errors/reading-errors.ts"
import { eachGrouping, mostWords } from "./groupings.ts"
import { showNumber } from "./show-number.ts"
import { percent as percentWords, type MeasurementWords, type WordsContext } from "./common.ts"

/** The noise, and what it means for each grouping. */
export function levelsWords(
  measurement: LinearMeasurement<"levels">,
  { release, plan }: WordsContext,
): MeasurementWords {
  const { keys } = release
  const tree = hasGroupings(keys) ? treeOf(keys) : undefined
  if (!hasGroupings(keys) || tree === undefined) return { mechanism: "none", error: "" }
  const { strategy, extract, grid } = measurement
  const { spec } = strategy
  const { confidence, unitName } = plan
  const errors = groupingHalfWidths(measurement, keys, confidence).map((width) => `± ${showNumber(width)}`)
  const largest = Number(-spec.lower > spec.upper ? -spec.lower : spec.upper) * numberNear(grid)
  return {
    mechanism: `Gaussian noise at ${spec.children.length + 1} levels of a tree, ${reason(spec, tree)}${mostWords(release, unitName, largest)}`,
    error: `${eachGrouping(keys, release, { extract, errors })}, at ${percentWords(confidence)}, or less`,
  }
}

/** What each level has of the loss, and the variance in all beside that of simpler ways. */
function reason(spec: TreeSpec, keys: TreeKeys): string {
  const groupings = treeGroupings(keys)
  const wanted = keys.levels.map((_, level) => groupings.filter((one) => one.level === level).length)
  const options = { children: spec.children, wanted, groupsPerUnit: Number(spec.groupsPerUnit) }
  const { shares, total } = bestShares(options)
  const { equal, leaves } = plainShares(options)
  const shown = shares.map((share) => `${showNumber(Math.round(share * 1000) / 10)} %`).join(", ")
  const percent = (other: number): string => `${showNumber(Math.round((1 - total / other) * 100))} %`
  return `which have ${shown} of the loss, the top first: ${percent(equal.total)} less variance in all than with equal parts, ${percent(leaves.total)} less than with noise on the leaves alone`
}
