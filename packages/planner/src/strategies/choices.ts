// Choices of a release, waiting for their share of the loss: quantiles and modes.

import { columnExpr, type ColumnIds } from "@dosimeter/proof/algebra/make"
import type { Boundary, ModeAggregate, QuantileAggregate, RelColumn } from "@dosimeter/proof/algebra/rel"
import type { Rational } from "@dosimeter/core/exact"
import { modeCell, quantileCell, storedCell } from "../aggregates/cells.ts"
import {
  chooseMode,
  chooseQuantiles,
  groupsChanged,
  type UnitBounds,
} from "../aggregates/choose-mechanisms.ts"
import { buildHistogram, type CellValue, type Histogram } from "../extracts/build-histogram.ts"
import { weighedHistogram, type Weighing } from "../extracts/weigh-rows.ts"
import type { Pending } from "../loss/share-out.ts"

export type { Weighing } from "../extracts/weigh-rows.ts"

/** The histogram of a value, of drawn rows or of all rows, weighed. */
export function histogramOf(
  boundary: Boundary,
  { value, rows }: { readonly value: CellValue; readonly rows: "drawn" | "weighed" },
  bounding: Weighing,
  ids: ColumnIds,
): Histogram {
  const build = rows === "weighed" ? weighedHistogram : buildHistogram
  return build(boundary, value, bounding, ids)
}

/** A histogram that is read, and what is known of a unit in it. */
export interface ReadHistogram extends Histogram {
  /** The place of its extract. */
  readonly place: number
  readonly rows: bigint
  readonly bounds: UnitBounds
}

/** What the cells of a quantile are, of the values or as a copy has stored them. */
export function quantileValue(aggregate: QuantileAggregate, stored: RelColumn | undefined): CellValue {
  const { where, label } = aggregate
  return stored === undefined
    ? { cell: quantileCell(aggregate), of: aggregate.value, where, label }
    : { cell: storedCell(stored, aggregate), of: columnExpr(stored), where, label }
}

/** What the cells of a mode are. */
export function modeValue(aggregate: ModeAggregate): CellValue {
  const place = modeCell(aggregate)
  return { cell: place, of: place, where: aggregate.where, label: aggregate.label }
}

/** Quantiles; with a miss, intervals too. */
export function pendingQuantiles(
  { label, fractions, cells, from, width, cellValue }: QuantileAggregate,
  { place, cell, count, full, rows, bounds }: ReadHistogram,
  miss: Rational | undefined,
): Pending {
  const histogram = { fractions, cells, groups: groupsChanged(bounds), rows, full, miss }
  return {
    aggregate: (allowance, part) => {
      const spec = chooseQuantiles(histogram, bounds, allowance, part)
      const choice = { kind: "quantiles", from, width, cellValue, spec } as const
      return { kind: "choice", label, extract: place, cell, count, choice }
    },
    readings: (measurement) =>
      fractions.map((_, part) => ({ kind: "chosen" as const, label, measurement, part })),
  }
}

/** The most frequent of listed values. */
export function pendingMode(
  { label, values }: ModeAggregate,
  { place, cell, count, rows, bounds }: ReadHistogram,
): Pending {
  const histogram = { cells: BigInt(values.length), groups: groupsChanged(bounds), rows }
  return {
    aggregate: (allowance, part) => {
      const spec = chooseMode(histogram, bounds, allowance, part)
      return { kind: "choice", label, extract: place, cell, count, choice: { kind: "mode", values, spec } }
    },
    readings: (measurement) => [{ kind: "chosen", label, measurement, part: 0 }],
  }
}
