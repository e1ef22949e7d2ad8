// What choices from histograms have in common: the cells that are looked at, and what a unit changes in them.

import { reject } from "../../units/reject.ts"
import { columnIn } from "../../algebra/make.ts"
import type { ChoiceMeasurement } from "../../algebra/measurement.ts"
import { clampOf } from "../extracts/clamp-of.ts"
import { definitionOf } from "../extracts/definition-of.ts"
import type { ProvenExtract } from "../extracts/prove-extract.ts"
import type { MeasurementContext } from "./context.ts"

/**
 * Checks that a mechanism expects enough of a unit. At most k histograms have rows of a unit, at most r each;
 * and twice as many are changed where replacing a unit may take rows from some and put others into others.
 */
export function checkRows(
  spec: { readonly groupsPerUnit: bigint; readonly rows: bigint },
  { groupsPerUnit, rowsPerGroup }: ProvenExtract,
  { neighbours, groupsInAll }: MeasurementContext,
): void {
  const groups = neighbours === "replace" && groupsInAll !== 1n ? 2n * groupsPerUnit : groupsPerUnit
  if (spec.groupsPerUnit < groups) reject("a mechanism expects fewer groups of a unit")
  if (spec.rows < rowsPerGroup) reject("a mechanism expects fewer rows of a unit")
}

/** Checks that all cells lie in the histogram; gives what was proven of the extract. */
export function checkHistogram(
  { extract, cell, count }: ChoiceMeasurement,
  cells: bigint,
  { release, prove }: MeasurementContext,
): ProvenExtract {
  const proven = prove(extract, cell)
  if (!proven.contributions.has(count)) reject("a histogram has another count")
  const rel = release.extracts[extract]?.rel ?? reject("a histogram is not there")
  const { lower, upper } = clampOf(definitionOf(rel, cell))
  const { nullable } = columnIn(rel, cell).domain
  if (nullable || lower < 0n || upper >= cells) reject("a cell outside the histogram")
  return proven
}
