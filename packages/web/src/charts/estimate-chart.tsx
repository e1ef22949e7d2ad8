// Estimates from noisy reports: a bar for each answer, or a dot for a mean, always with its interval.

import * as Plot from "@observablehq/plot"
import { useCallback } from "react"
import type { EstimatePoint } from "./estimate-points.ts"
import { PlotFigure } from "./plot-figure.tsx"

interface EstimateChartProps {
  readonly points: readonly EstimatePoint[]
  /** What is measured, with its unit. */
  readonly axis: string
  /** The least and the greatest possible true value. */
  readonly range: readonly [number, number]
  readonly mark: "bar" | "dot"
  /** What the chart shows, in words. */
  readonly label: string
}

/** The chart; estimates outside of the range (raw ones may be) widen the axis. */
export function EstimateChart({ points, axis, range, mark, label }: EstimateChartProps) {
  const draw = useCallback(
    (width: number): Plot.PlotOptions => {
      const [least, most] = range
      const ends = points.flatMap(({ value, low, high }) => [value, low, high])
      const longest = Math.max(...points.map(({ name }) => name.length), 4)
      const room = Math.min(width * 0.38, longest * 7 + 16)
      const line = { stroke: "var(--ink)", strokeOpacity: 0.75, strokeWidth: 2 }
      const place = { y: "name" }
      return {
        style: { background: "transparent", color: "var(--ink)" },
        height: points.length * 34 + 62,
        marginLeft: room,
        marginRight: 20,
        marginBottom: 40,
        x: {
          label: axis,
          grid: true,
          domain: [Math.min(least, ...ends), Math.max(most, ...ends)],
          ticks: Math.max(2, Math.floor((width - room) / 70)),
        },
        y: {
          label: null,
          domain: points.map(({ name }) => name),
          tickSize: 0,
          tickFormat: (name: string) => shortened(name, room),
        },
        marks: [
          mark === "bar"
            ? Plot.barX(points, {
                ...place,
                x: "value",
                fill: "var(--accent)",
                fillOpacity: 0.35,
                insetTop: 4,
                insetBottom: 4,
              })
            : Plot.dot(points, { ...place, x: "value", r: 5, fill: "var(--accent)" }),
          Plot.ruleY(points, { ...place, x1: "low", x2: "high", ...line }),
          Plot.tickX(points, { ...place, x: "low", ...line, insetTop: 9, insetBottom: 9 }),
          Plot.tickX(points, { ...place, x: "high", ...line, insetTop: 9, insetBottom: 9 }),
          Plot.ruleX([least], { stroke: "var(--line-strong)" }),
        ],
      }
    },
    [points, axis, range, mark],
  )
  return <PlotFigure draw={draw} label={label} />
}

/** A name cut to the room that there is; the table shows the whole name. */
function shortened(name: string, room: number): string {
  const fits = Math.max(4, Math.floor((room - 12) / 7))
  return name.length <= fits ? name : `${name.slice(0, fits - 1)}…`
}
