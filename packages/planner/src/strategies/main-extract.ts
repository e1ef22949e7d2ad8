// The form of the table with all additive aggregates: straight over prepared copies, in one order of the
// rows, or a row for each unit and group first. It follows the question and public facts.

import type { ColumnIds } from "@dosimeter/proof/algebra/make"
import type { Boundary } from "@dosimeter/proof/algebra/rel"
import { buildCounts } from "../extracts/build-counts.ts"
import { buildDirect } from "../copies/build-direct.ts"
import { buildMain, type Bounding, type MainExtract } from "../extracts/build-extract.ts"
import type { MomentFamily } from "../aggregates/moment-families.ts"
import type { PreparedForm } from "../copies/prepared-form.ts"

/** The additive aggregates of a boundary; `countsUnits`: whether keys are selected by the number of units. */
export function mainExtract(
  boundary: Boundary,
  bounding: Bounding,
  options: {
    readonly form: PreparedForm | undefined
    readonly families: readonly MomentFamily[]
    readonly countsUnits: boolean
    readonly groupsInAll: bigint | undefined
    readonly ids: ColumnIds
  },
): MainExtract {
  const { form, families, ids } = options
  const { rowsPerGroup } = bounding
  if (form !== undefined) return buildDirect(form, { ...options, rowsPerGroup }, ids)
  return buildCounts(boundary, bounding, options) ?? buildMain(boundary, bounding, families, ids)
}
