// A vector of moments covers what was proven of the columns that it is made of.

import { momentDegree, momentNorm, momentSensitivity } from "@dosimeter/core/mechanisms"
import { reject } from "../../units/reject.ts"
import type { LinearMeasurement, MeasuredColumn } from "../../algebra/measurement.ts"
import { isSameSensitivity } from "../extracts/same-sensitivity.ts"
import type { MeasurementContext } from "./context.ts"
import { proveMoments } from "./prove-moments.ts"

/** Checks the vector: its coordinates are those whose sensitivity is claimed. */
export function checkMoments(measurement: LinearMeasurement<"moments">, context: MeasurementContext): void {
  const { release, neighbours, prove } = context
  const { basis, spec, lower, upper } = measurement.strategy
  const { groupsPerUnit, contributions } = prove(measurement.extract)
  const rel = release.extracts[measurement.extract]?.rel ?? reject("moments read no extract")
  const [rows, sum, squares] = measurement.columns
  if (rows === undefined || sum === undefined) return reject("moments of too few columns")
  checkMeant(measurement.columns)
  const of = proveMoments(rel, { rows: rows.id, sum: sum.id, squares: squares?.id }, measurement.strategy)
  if ((momentDegree(basis) === 2) !== (squares !== undefined)) reject("moments of another degree")
  if (basis === "nodes" && of !== "values") reject("nodes need the values themselves")
  if (momentNorm(basis) !== "L1" && spec.kind !== "gaussian") reject("Laplace noise needs an L1 norm")
  const counted = contributions.get(rows.id) ?? reject("moments without a number of values")
  const expected = momentSensitivity({
    basis,
    width: upper - lower,
    groupsPerUnit,
    rowsPerGroup: counted.upper,
    neighbours,
  })
  if (!isSameSensitivity(spec.sensitivity, expected)) reject("moments have another sensitivity")
  const noise = spec.kind === "laplace" ? spec.scale : spec.variance
  if (noise.numerator <= 0n) reject("moments without noise")
}

// Readings go by what a column is said to be.
function checkMeant(columns: readonly MeasuredColumn[]): void {
  const meant: readonly MeasuredColumn["of"][] = ["rows", "values", "squares"]
  const isMeant = columns.length <= meant.length && columns.every(({ of }, place) => of === meant[place])
  if (!isMeant) reject("moments of other columns")
}
