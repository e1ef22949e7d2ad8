// A series as a table: for each period that is over, the total so far with its interval, and the totals as
// they would be if none fell below an earlier one. Totals that cannot fall are not negative, and are shown
// so; what was measured stands beside them.

import { multiply, numberNear, rational } from "@dosimeter/core/exact"
import { totalReader } from "@dosimeter/core/mechanisms"
import { isotonic } from "@dosimeter/core/post"
import { totalHalfWidths } from "@dosimeter/planner/aggregates/errors/totals"
import { showDay } from "@dosimeter/proof/catalog/civil-date"
import type { AnswerCell, AnswerColumn, AnswerTable } from "@dosimeter/answers/shown/answer-table"
import { answerNumber } from "../answer/answer.ts"
import type { KnownSeries, SeriesView } from "./series-record.ts"

/** The table. Rising totals, and what was measured, are columns where totals cannot fall. */
export function seriesTable({ measured, view }: KnownSeries): AnswerTable {
  const { days, form, label, noise, rises } = view
  const { grid } = noise
  const totalOf = totalReader(form, measured.length)
  const totals = measured.map((_, index) => totalOf(measured.slice(0, index + 1)))
  const widths = seriesErrors(view, measured.length)
  const rising = rises ? isotonic(totals.map(Number), { atLeast: 0 }) : []
  const step = numberNear(grid)
  const columns: readonly AnswerColumn[] = [
    { name: "period", type: "date", kind: "key" },
    { name: `total of ${label}`, type: "float", kind: "derived" },
    ...(rises ? (["rising", "measured"] as const).map(numbers) : []),
  ]
  return {
    columns,
    rows: totals.map((total, index) => {
      const value = answerNumber(multiply(rational(total), grid))
      const [middle, width] = [Number(value), widths[index] ?? 0]
      const even = rising[index]
      const measuredCell = { value, low: middle - width, high: middle + width, state: "released" } as const
      return [
        { value: showDay(days[index] ?? 0n), state: "released" },
        rises ? cellFromZero(measuredCell) : measuredCell,
        ...(even === undefined
          ? []
          : [{ value: Math.round(even) * step, state: "released" } as const, measuredCell]),
      ]
    }),
  }
}

function numbers(name: string): AnswerColumn {
  return { name, type: "float", kind: "derived" }
}

// As with other numbers that cannot be negative: the interval reaches at least as far up as if 0 had been
// measured, since one that lay below 0 would otherwise be empty.
function cellFromZero(cell: AnswerCell & { readonly low: number; readonly high: number }): AnswerCell {
  const { value, low, high } = cell
  const isBelow = Number(value) < 0
  return {
    ...cell,
    value: isBelow ? 0 : value,
    low: Math.max(0, low),
    high: isBelow ? (high - low) / 2 : high,
  }
}

/** How far off each total may be: half the width of its interval. Known before anything is paid. */
export function seriesErrors(view: SeriesView, periods: number): readonly number[] {
  const miss = 1 - numberNear(view.confidence)
  return totalHalfWidths(view, periods, miss)
}
