// The coefficients of a regression that sites have fitted, drawn as a forest plot: ratios where the model is
// of odds or rates. The intercept is in the table below it.

import type { Reply } from "../../api/server.ts"
import type { ForestLine } from "../../charts/forest-chart.tsx"
import { lazily } from "../../parts/browser/lazily.tsx"
import { useStrings } from "../../strings/use-strings.ts"

const ForestChart = lazily(async () => (await import("../../charts/forest-chart.tsx")).ForestChart)

type Answer = NonNullable<Reply<"getJob">["answer"]>

interface FittedProps {
  readonly answer: Answer
  readonly kind: NonNullable<Reply<"getJob">["model"]>["kind"]
}

/** The picture. */
export function FittedModel({ answer, kind }: FittedProps) {
  const { jobs } = useStrings()
  const isRatio = kind !== "linear"
  const lines = linesOf(answer, isRatio)
  if (lines.length === 0) return null
  return <ForestChart lines={lines} axis={jobs.ratios[kind]} isRatio={isRatio} label={jobs.coefficients} />
}

/** A line for each coefficient that has an interval, but the intercept. */
export function linesOf({ rows }: Pick<Answer, "rows">, isRatio: boolean): readonly ForestLine[] {
  const shown = (value: number): number => (isRatio ? Math.exp(value) : value)
  return rows.flatMap((row) => {
    const name = row["coefficient"]?.value
    const { value, low, high } = row["value"] ?? {}
    const isKnown = typeof value === "number" && typeof low === "number" && typeof high === "number"
    if (typeof name !== "string" || name === "(intercept)" || !isKnown) return []
    const line = { name, value: shown(value), low: shown(low), high: shown(high) }
    return [line.low, line.high].every((end) => Number.isFinite(end) && (!isRatio || end > 0)) ? [line] : []
  })
}
