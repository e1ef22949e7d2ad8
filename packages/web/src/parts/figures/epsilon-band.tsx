// Who needs how much epsilon and who allows how much, on one line: the band that is left, or the gap.

import * as Plot from "@observablehq/plot"
import { useCallback } from "react"
import { PlotFigure } from "../../charts/plot-figure.tsx"
import { bandOf, type Demand } from "./demands.ts"

interface BandProps {
  readonly demands: readonly Demand[]
  readonly caption: string
}

/** The picture: one bar a demand, and what all of them leave (or what is missing) behind them. */
export function EpsilonBand({ demands, caption }: BandProps) {
  const draw = useCallback(
    (width: number): Plot.PlotOptions => {
      const { from, to, isOpen } = bandOf(demands)
      const ends = demands.flatMap((demand) => demand.from ?? demand.to ?? [])
      const [low, high] = [Math.min(...ends) / 8, Math.max(...ends) * 8]
      const bars = demands.map((demand) => ({ ...demand, x1: demand.from ?? low, x2: demand.to ?? high }))
      const colourOf = ({ side }: Demand): string =>
        side === "accuracy" ? "var(--accent)" : "var(--dose-spent)"
      const [left, right] = isOpen ? [from ?? low, to ?? high] : [to ?? low, from ?? high]
      return {
        style: { background: "transparent", color: "var(--ink)" },
        height: 70 + 44 * demands.length,
        marginLeft: 12,
        marginRight: 12,
        marginBottom: 40,
        x: { type: "log", domain: [low, high], label: "ε", ticks: width < 420 ? 3 : 6, tickFormat: "~g" },
        y: { type: "band", domain: demands.map(({ name }) => name), axis: null, padding: 0.35 },
        marks: [
          Plot.rectX([0], {
            x1: left,
            x2: right,
            fill: isOpen ? "var(--good-soft)" : "var(--refused-soft)",
            stroke: isOpen ? "var(--good)" : "var(--refused)",
            strokeDasharray: isOpen ? "none" : "4 4",
          }),
          Plot.barX(bars, { x1: "x1", x2: "x2", y: "name", fill: colourOf, insetTop: 16 }),
          Plot.text(bars, {
            x: low,
            y: "name",
            text: "name",
            textAnchor: "start",
            dx: 4,
            dy: -12,
            fill: "var(--ink)",
          }),
        ],
      }
    },
    [demands],
  )
  return <PlotFigure draw={draw} label={caption} caption={caption} />
}
