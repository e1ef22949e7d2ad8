// A vector of moments covers what was proven of the columns that it is made of.

import { momentDegree, momentNorm, momentSensitivity, type Neighbours } from "@dosimeter/core/mechanisms"
import { reject } from "../units/reject.ts"
import type { MomentReadPlan, MomentsPlan, Release } from "../algebra/release-plan.ts"
import type { ProvenExtract } from "./prove-extract.ts"
import { proveMoments } from "./prove-moments.ts"
import { isSameSensitivity } from "./same-sensitivity.ts"

/** Checks the vector: its coordinates are those whose sensitivity is claimed. */
export function checkMoments(
  plan: MomentsPlan,
  release: Release,
  { proven, neighbours }: { readonly proven: ProvenExtract; readonly neighbours: Neighbours },
): void {
  const { basis, spec, lower, upper, rows, squares } = plan
  const rel = release.extracts[plan.extract]?.rel ?? reject("moments read an extract that is not there")
  const of = proveMoments(rel, plan, plan)
  if ((momentDegree(basis) === 2) !== (squares !== undefined)) reject("moments of another degree")
  if (basis === "nodes" && of !== "values") reject("nodes need the values themselves")
  if (momentNorm(basis) !== "L1" && spec.kind !== "gaussian") reject("Laplace noise needs an L1 norm")
  const counted = proven.contributions.get(rows) ?? reject("moments without a number of values")
  const expected = momentSensitivity({
    basis,
    width: upper - lower,
    groupsPerUnit: proven.groupsPerUnit,
    rowsPerGroup: counted.upper,
    neighbours,
  })
  if (!isSameSensitivity(spec.sensitivity, expected)) reject("moments have another sensitivity")
  const noise = spec.kind === "laplace" ? spec.scale : spec.variance
  if (noise.numerator <= 0n) reject("moments without noise")
  checkReading(plan, plan)
}

/** Checks that there is a vector to read from. */
export function checkMomentRead(read: MomentReadPlan, { measures }: Release): void {
  const source = measures[read.measure]
  if (source?.kind !== "moments") return reject("a number is read from no vector")
  checkReading(read, source)
}

function checkReading({ reads }: Pick<MomentReadPlan, "reads">, { squares }: MomentsPlan): void {
  if (reads === "squares" && squares === undefined) reject("squares that were not measured")
}
