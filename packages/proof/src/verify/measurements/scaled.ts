// Noise on sums of weighed amounts covers the norm that was proven of all their columns together.

import { normSensitivity } from "@dosimeter/core/mechanisms"
import { reject } from "../../units/reject.ts"
import type { LinearMeasurement } from "../../algebra/measurement.ts"
import { isSameSensitivity } from "../extracts/same-sensitivity.ts"
import type { WeighedColumn } from "../extracts/prove-norm.ts"
import type { MeasurementContext } from "./context.ts"
import { checkCoordinates } from "./scaled-moments.ts"

/**
 * Checks the mechanism.
 *
 * Guarantee: what releaseLaplace or releaseGaussian gives for all numbers of the columns loses no more than
 *   lossOf(spec).
 * Needs: each group of the extract is looked at once at most (groupsLookedAt), and stands for 0 where it has
 *   no row.
 * Proof: proveNorm bounds the norm of what a unit adds to all columns that sum different values by one
 *   weight; here they do, so normSensitivity covers what adding, removing or replacing a unit changes; and
 *   there is noise. Laplace noise is for an L1 norm, Gaussian noise for either: the L2 norm is no larger.
 * Numerics: integers and exact fractions.
 * Source: core's laplaceLoss, gaussianLoss and normSensitivity.
 */
export function checkScaled(measurement: LinearMeasurement<"scaled">, context: MeasurementContext): void {
  const { columns, extract, strategy } = measurement
  const { spec, worths, steps } = strategy
  const { weighed } = context.prove(extract)
  const [first, ...others] = columns.map(
    ({ id }) => weighed.get(id) ?? reject("a scaled measurement reads a column that is not weighed"),
  )
  if (first === undefined) return reject("a scaled measurement of nothing")
  if (worths.length !== columns.length || steps.length !== columns.length) reject("a column without a worth")
  checkTogether(first, others)
  checkCoordinates(measurement, context)
  const { norm, bound } = first
  const isSigned = [first, ...others].some((one) => one.isSigned)
  const expected = normSensitivity({ norm, bound, isSigned, neighbours: context.neighbours })
  if (!isSameSensitivity(spec.sensitivity, expected)) reject("a scaled measurement has another sensitivity")
  if (spec.kind === "laplace" && norm !== "l1") reject("Laplace noise needs an L1 norm")
  const noise = spec.kind === "laplace" ? spec.scale : spec.variance
  if (noise.numerator <= 0n) reject("a measurement without noise")
  if (spec.kind === "gaussian" && spec.epsilon !== undefined && spec.epsilon.numerator <= 0n) {
    reject("a measurement at no epsilon")
  }
}

// The norm is that of different values, all with the same weight.
function checkTogether(first: WeighedColumn, others: readonly WeighedColumn[]): void {
  if (others.some(({ weight }) => weight !== first.weight))
    reject("columns of several weights are one vector")
  const values = new Set([first, ...others].map(({ value }) => value))
  if (values.size !== others.length + 1) reject("a value is in one vector twice")
}
