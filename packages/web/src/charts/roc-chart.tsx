// The curve of a model of two classes: how many of those to be found it finds, for so many false alarms.

import * as Plot from "@observablehq/plot"
import { useCallback } from "react"
import { PlotFigure } from "./plot-figure.tsx"

/** A point of the curve, both as shares. */
export interface RocPoint {
  readonly falseAlarms: number
  readonly found: number
}

interface RocChartProps {
  readonly points: readonly RocPoint[]
  readonly falseAlarms: string
  readonly found: string
  /** What the chart shows, in words. */
  readonly label: string
}

const sideMax = 380

/** The chart: a square, with the line of a coin. */
export function RocChart({ points, falseAlarms, found, label }: RocChartProps) {
  const draw = useCallback(
    (width: number): Plot.PlotOptions => {
      const place = { x: "falseAlarms", y: "found" }
      const side = Math.min(width, sideMax)
      const axis = { domain: [0, 1], grid: true, ticks: 5, tickFormat: "%" } as const
      return {
        style: { background: "transparent", color: "var(--ink)" },
        height: side,
        marginLeft: 52,
        marginBottom: 40,
        marginRight: 12 + width - side,
        x: { ...axis, label: falseAlarms, labelAnchor: "center" },
        y: { ...axis, label: found },
        marks: [
          Plot.line(
            [
              [0, 0],
              [1, 1],
            ],
            { stroke: "var(--line-strong)", strokeDasharray: "4 3" },
          ),
          Plot.areaY(points, {
            x: "falseAlarms",
            y1: 0,
            y2: "found",
            fill: "var(--accent)",
            fillOpacity: 0.12,
          }),
          Plot.line(points, { ...place, stroke: "var(--accent)", strokeWidth: 2 }),
        ],
      }
    },
    [points, falseAlarms, found],
  )
  return <PlotFigure draw={draw} label={label} />
}
