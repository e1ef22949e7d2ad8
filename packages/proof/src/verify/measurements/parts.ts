// The noise on the parts of a table covers what was proven of the table.

import { squaredMargins, type MarginsSpec } from "@dosimeter/core/mechanisms"
import { reject } from "../../units/reject.ts"
import { hasGroupings } from "../../algebra/grouping-sums.ts"
import type { LinearMeasurement } from "../../algebra/measurement.ts"
import { isGrowing } from "../extracts/check-groups.ts"
import type { MeasurementContext } from "./context.ts"
import { provenColumn } from "./only-column.ts"
import { checkWeighedSums, weighedColumn } from "./weighed-sums.ts"

/**
 * Checks the mechanism.
 *
 * Guarantee: what releaseMargins gives for the table loses no more than lossOf(spec); where units are
 *   weighed, all measurements of the release together lose no more than the sum of theirs.
 * Needs: the table is the extract, 0 where it has no row, over all combinations of the listed keys.
 * Proof: the spec's bounds (cells of a unit, amounts in each, neighbours) are at least those that
 *   proveExtract proved of the column, and a loss grows with each of them; sizes are those of the lists,
 *   every part is listed once and has noise, as marginsLoss needs. Where units are weighed: checkWeighedSums,
 *   with squaredMargins for what a change costs. Which rows are shown follows from lists
 *   and groupings, which depend on no data, and their values from what was released.
 * Numerics: integers and exact fractions.
 * Source: core's marginsLoss.
 */
export function checkParts(measurement: LinearMeasurement<"parts">, context: MeasurementContext): void {
  const { keys } = context.release
  if (!hasGroupings(keys) || keys.rows !== undefined) return reject("parts of groups that are no table")
  const { spec } = measurement.strategy
  const sizes = keys.lists.map((list) => BigInt(list.length))
  if (spec.sizes.join() !== sizes.join()) reject("parts of another table")
  if (spec.neighbours !== context.neighbours) reject("parts have other neighbours")
  checkNoise(spec, keys.lists.length)
  const weighed = weighedColumn(measurement, context)
  if (weighed !== undefined) {
    const costs = squaredMargins(spec).map((one) => ({ ...one, places: one.attributes }))
    return checkWeighedSums(measurement, weighed, costs, context)
  }
  const { groupsPerUnit, lower, upper } = provenColumn(measurement, context)
  if (spec.groupsPerUnit < groupsPerUnit) reject("parts expect fewer groups of a unit")
  if (spec.lower > lower || spec.upper < upper) reject("parts expect smaller amounts")
}

function checkNoise({ parts }: MarginsSpec, places: number): void {
  const known = new Set<string>()
  for (const { attributes, variance } of parts) {
    if (!isGrowing(attributes, places)) reject("a part of other keys")
    if (variance.numerator <= 0n) reject("a part without noise")
    if (known.has(attributes.join())) reject("a part is measured twice")
    known.add(attributes.join())
  }
}
