// How a budget was spent: a staircase up to the owner's limit.

import * as Plot from "@observablehq/plot"
import { useCallback } from "react"
import { PlotFigure } from "./plot-figure.tsx"

/** One charge: its time, and the share of the budget that is spent after it. */
export interface Spending {
  readonly at: Date
  readonly share: number
}

interface BurnDownProps {
  readonly spendings: readonly Spending[]
  readonly now: Date
  readonly caption: string
  readonly axis: string
  readonly limit: string
}

/** The staircase. */
export function BurnDown({ spendings, now, caption, axis, limit }: BurnDownProps) {
  const draw = useCallback((): Plot.PlotOptions => {
    const [first] = spendings
    const start = { at: first?.at ?? now, percent: 0 }
    const last = { at: now, percent: 100 * (spendings.at(-1)?.share ?? 0) }
    const steps = [start, ...spendings.map(({ at, share }) => ({ at, percent: 100 * share })), last]
    return {
      style: { background: "transparent", color: "var(--ink)" },
      height: 260,
      marginLeft: 48,
      marginTop: 36,
      x: { type: "utc", label: null },
      y: { domain: [0, 100], label: axis, grid: true },
      marks: [
        Plot.areaY(steps, {
          x: "at",
          y: "percent",
          curve: "step-after",
          fill: "var(--dose-spent)",
          fillOpacity: 0.25,
        }),
        Plot.lineY(steps, {
          x: "at",
          y: "percent",
          curve: "step-after",
          stroke: "var(--dose-spent)",
          strokeWidth: 2,
        }),
        Plot.ruleY([100], { stroke: "var(--refused)", strokeDasharray: "5 4" }),
        Plot.text([last], {
          x: "at",
          y: 100,
          dy: -8,
          textAnchor: "end",
          text: () => limit,
          fill: "var(--refused)",
        }),
        Plot.ruleY([0], { stroke: "var(--line-strong)" }),
      ],
    }
  }, [spendings, now, axis, limit])
  return <PlotFigure draw={draw} label={`${axis}: ${caption}`} caption={caption} />
}
