// Measurements of one column: what a unit adds to each of its groups.

import { reject } from "../../units/reject.ts"
import type { LinearMeasurement } from "../../algebra/measurement.ts"
import type { MeasurementContext } from "./context.ts"

/** What one unit adds to a column: to how many groups, and how much to each. */
export interface ColumnBounds {
  readonly groupsPerUnit: bigint
  readonly lower: bigint
  readonly upper: bigint
}

/** What was proven of the one column that a measurement reads. */
export function provenColumn(
  { extract, columns }: LinearMeasurement,
  { prove }: MeasurementContext,
): ColumnBounds {
  const { contributions, groupsPerUnit } = prove(extract)
  const [column, ...others] = columns
  if (column === undefined || others.length > 0) return reject("a measurement of another number of columns")
  const { lower, upper } =
    contributions.get(column.id) ?? reject("a measurement reads a column that is not there")
  return { groupsPerUnit, lower, upper }
}
