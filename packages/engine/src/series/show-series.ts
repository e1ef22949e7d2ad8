// A series as a table: for each period that is over, the total so far with its interval, and the totals as
// they would be if none fell below an earlier one.

import { multiply, numberNear, rational } from "@dosimeter/core/exact"
import { totalReader } from "@dosimeter/core/mechanisms"
import { isotonic } from "@dosimeter/core/post"
import { totalHalfWidths } from "@dosimeter/planner/aggregates/errors/totals"
import { showDay } from "@dosimeter/proof/catalog/civil-date"
import type { AnswerColumn, AnswerTable } from "@dosimeter/answers/shown/answer-table"
import { answerNumber } from "../answer/answer.ts"
import type { KnownSeries, SeriesView } from "./series-record.ts"

/** The table. The column of rising totals is left out where totals may fall. */
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
    ...(rises ? [{ name: "rising", type: "float", kind: "derived" } as const] : []),
  ]
  return {
    columns,
    rows: totals.map((total, index) => {
      const value = answerNumber(multiply(rational(total), grid))
      const [middle, width] = [Number(value), widths[index] ?? 0]
      const even = rising[index]
      return [
        { value: showDay(days[index] ?? 0n), state: "released" },
        { value, low: middle - width, high: middle + width, state: "released" },
        ...(even === undefined ? [] : [{ value: Math.round(even) * step, state: "released" } as const]),
      ]
    }),
  }
}

/** How far off each total may be: half the width of its interval. Known before anything is paid. */
export function seriesErrors(view: SeriesView, periods: number): readonly number[] {
  const miss = 1 - numberNear(view.confidence)
  return totalHalfWidths(view, periods, miss)
}
