// A series as a table: for each period that is over, the total so far with its interval, and the totals as
// they would be if none fell below an earlier one.

import { isotonic, multiply, numberNear, rational, totalNodes } from "@dosimeter/core"
import { errorOfTerms, showDay, type NoiseLaw } from "@dosimeter/sql"
import { answerNumber, type AnswerColumn, type AnswerTable } from "./answer.ts"
import type { KnownSeries } from "./series-record.ts"

/** The table. Where totals may fall, there are none that rise. */
export function seriesTable({ nodes, view }: KnownSeries): AnswerTable {
  const { days, label, noise, rises, confidence } = view
  const { grid } = noise
  const miss = 1 - numberNear(confidence)
  const totals = nodes.map((_, index) => totalAt(nodes, index + 1))
  const widths = nodes.map((_, index) => halfWidthAt(index + 1, noise, miss))
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

function totalAt(nodes: readonly bigint[], step: number): bigint {
  return totalNodes(BigInt(step)).reduce((sum, { through }) => sum + (nodes[Number(through) - 1] ?? 0n), 0n)
}

// A total has a draw for each of its nodes.
function halfWidthAt(step: number, noise: NoiseLaw, miss: number): number {
  const terms = totalNodes(BigInt(step)).map((_, draw) => ({ draw, noise, factor: rational(1n) }))
  return errorOfTerms({ terms, slack: 0 }, miss)
}
