// Running totals: the noise on what is measured at each step covers what was proven of the table of steps.

import { reject } from "../../units/reject.ts"
import { hasGroupings } from "../../algebra/grouping-sums.ts"
import type { LinearMeasurement } from "../../algebra/measurement.ts"
import type { MeasurementContext } from "./context.ts"
import { provenColumn } from "./only-column.ts"

/**
 * Checks the mechanism.
 *
 * Guarantee: what releaseMeasurement gives for all groups of one table, one after the other, loses no more
 *   than lossOf(spec). Of a table that grows from step to step, checkSeries has the rest of the proof.
 * Needs: each group of the extract is looked at once at most (groupsLookedAt), and stands for 0 where it has
 *   no row.
 * Proof: the groups are listed, and as many as the horizon has steps. The spec's bounds (steps of a unit, the
 *   size of what it adds to each, neighbours) are at least those that proveExtract proved of the column, and
 *   a loss grows with each of them; there is noise.
 * Numerics: integers and exact fractions.
 * Source: core's runningTotalLoss.
 */
export function checkTotals(measurement: LinearMeasurement<"totals">, context: MeasurementContext): void {
  const { spec } = measurement.strategy
  const { keys } = context.release
  if (keys.kind !== "public" || hasGroupings(keys)) reject("totals of groups that are not listed")
  if (spec.horizon !== context.groupsInAll) reject("totals of another number of periods")
  const { groupsPerUnit, lower, upper } = provenColumn(measurement, context)
  const amount = upper > -lower ? upper : -lower
  if (spec.stepsPerUnit < groupsPerUnit || spec.amountPerStep < amount) reject("a unit counts for more")
  if (spec.neighbours !== context.neighbours) reject("totals have other neighbours")
  const noise = spec.noise.law === "laplace" ? spec.noise.scale : spec.noise.variance
  if (noise.numerator <= 0n) reject("totals without noise")
}
