// What choices from histograms have in common: the cells that are looked at, and what a unit changes in them.

import { reject } from "../../units/reject.ts"
import { columnIn } from "../../algebra/make.ts"
import type { ChoiceMeasurement } from "../../algebra/measurement.ts"
import { clampOf } from "../extracts/clamp-of.ts"
import { definitionOf } from "../extracts/definition-of.ts"
import type { MeasurementContext } from "./context.ts"

/** What one unit adds to histograms: to how many, and how much to all cells of one together. */
export interface HistogramBounds {
  readonly groupsPerUnit: bigint
  readonly countPerGroup: bigint
  /** What a row of full weight counts, where rows are weighed. */
  readonly full: bigint | undefined
}

/**
 * Checks that a mechanism expects enough of a unit. At most k histograms have rows of a unit, and it adds at
 * most r to the counts of each (of weighed rows: at most k r to all of them together); and twice as many are
 * changed where replacing a unit may take rows from some and put others into others.
 */
export function checkRows(
  spec: { readonly groupsPerUnit: bigint; readonly rows: bigint },
  { groupsPerUnit, countPerGroup }: HistogramBounds,
  { neighbours, groupsInAll }: MeasurementContext,
): void {
  const groups = neighbours === "replace" && groupsInAll !== 1n ? 2n * groupsPerUnit : groupsPerUnit
  if (spec.groupsPerUnit < groups) reject("a mechanism expects fewer groups of a unit")
  if (spec.rows < countPerGroup) reject("a mechanism expects fewer rows of a unit")
}

/**
 * Checks that an extract is a histogram: a cell and a count, all cells inside; gives what a unit adds to it.
 * The count is bounded by what was proven of its own column, whatever is added up in it: over all cells of a
 * group, as many rows of a unit as count there, each with no more than the clamp of what it adds.
 */
export function checkHistogram(
  { extract, cell, count }: ChoiceMeasurement,
  cells: bigint,
  { release, prove }: MeasurementContext,
): HistogramBounds {
  const { groupsPerUnit, contributions, full } = prove(extract, cell)
  const { rel, values } = release.extracts[extract] ?? reject("a histogram is not there")
  const isPair = values.length === 2 && values[0] === cell && values[1] === count
  if (!isPair) return reject("a histogram has other columns than a cell and a count")
  const counted = contributions.get(count) ?? reject("a histogram has another count")
  if (counted.lower !== 0n || counted.upper <= 0n) reject("a unit may lower the count of a cell")
  const { lower, upper } = clampOf(definitionOf(rel, cell))
  const { nullable } = columnIn(rel, cell).domain
  if (nullable || lower < 0n || upper >= cells) reject("a cell outside the histogram")
  return { groupsPerUnit, countPerGroup: counted.upper, full }
}
