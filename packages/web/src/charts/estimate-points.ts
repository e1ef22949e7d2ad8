// From the server's estimates of a question to the points of a chart: shares in percent, or a mean.

import type { Reply } from "../api/server.ts"

/** The estimates of a question, as the server sends them. */
export type QuestionEstimate = Reply<"campaignEstimates">["items"][number]

/** One estimate as it is drawn. */
export interface EstimatePoint {
  readonly name: string
  readonly value: number
  readonly low: number
  readonly high: number
}

/** Shares that were adjusted to add up, or as they were measured. */
export type EstimateView = "consistent" | "raw"

/** More answers than this are too many for a chart. */
const shownMax = 40

/** The points of a question; of very many answers those with the largest shares. */
export function estimatePoints(
  { options, mean }: Pick<QuestionEstimate, "options" | "mean">,
  { view, meanName }: { readonly view: EstimateView; readonly meanName: string },
): readonly EstimatePoint[] {
  if (mean !== null) return [{ name: meanName, value: mean.mean, low: mean.lower, high: mean.upper }]
  const points = options.map(({ option, share, consistent, lower, upper }) => ({
    name: option,
    value: 100 * (view === "raw" ? share : consistent),
    low: 100 * lower,
    high: 100 * upper,
  }))
  return points.length <= shownMax ? points : points.toSorted((a, b) => b.value - a.value).slice(0, shownMax)
}

/** How far so many fakes could have moved an estimate: in percentage points, or in the unit of the mean. */
export function movedBy(
  {
    kind,
    reports,
    ifOnePercentAreFakes,
  }: Pick<QuestionEstimate, "kind" | "reports" | "ifOnePercentAreFakes">,
  fakes: number,
): { readonly tooHigh: number; readonly tooLow: number } | undefined {
  // If every report may be a fake, nothing bounds the estimate.
  if (fakes >= reports) return undefined
  // An estimate is a mean over reports, so the effect of one per cent of fakes scales with their share.
  const times = ((100 * fakes) / reports) * (kind === "choice" ? 100 : 1)
  return { tooHigh: times * ifOnePercentAreFakes.tooHigh, tooLow: times * ifOnePercentAreFakes.tooLow }
}
