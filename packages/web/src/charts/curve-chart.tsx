// What one feature adds to a score: steps over a range of numbers, or a dot for each value, with intervals.

import * as Plot from "@observablehq/plot"
import { useCallback } from "react"
import { PlotFigure } from "./plot-figure.tsx"

/** One part of a curve. */
export interface CurvePart {
  readonly name: string
  readonly value: number
  readonly low: number
  readonly high: number
  /** Of numbers: where the part begins and ends. */
  readonly from?: number
  readonly to?: number
}

interface CurveChartProps {
  readonly points: readonly CurvePart[]
  readonly feature: string
  /** What the chart shows, in words. */
  readonly label: string
}

const height = 230
const frame = {
  style: { background: "transparent", color: "var(--ink)" },
  height,
  marginLeft: 48,
  marginBottom: 46,
  marginRight: 16,
} as const

/** The chart. */
export function CurveChart({ points, feature, label }: CurveChartProps) {
  const draw = useCallback(
    (width: number): Plot.PlotOptions => {
      const parts = points.filter(({ from }) => from !== undefined)
      return parts.length === 0 ? asDots(points, feature) : asSteps(parts, feature, width)
    },
    [points, feature],
  )
  return <PlotFigure draw={draw} label={label} />
}

function asSteps(parts: readonly CurvePart[], feature: string, width: number): Plot.PlotOptions {
  const place = { x1: "from", x2: "to" }
  return {
    ...frame,
    x: { label: feature, ticks: Math.max(2, Math.floor(width / 90)), tickFormat: String },
    y: { label: null, grid: true },
    marks: [
      Plot.ruleY([0], { stroke: "var(--line-strong)" }),
      Plot.rectY(parts, { ...place, y1: "low", y2: "high", fill: "var(--accent)", fillOpacity: 0.18 }),
      Plot.ruleY(parts, { ...place, y: "value", stroke: "var(--accent)", strokeWidth: 2 }),
    ],
  }
}

function asDots(parts: readonly CurvePart[], feature: string): Plot.PlotOptions {
  return {
    ...frame,
    x: { type: "band", label: feature, domain: parts.map(({ name }) => name) },
    y: { label: null, grid: true },
    marks: [
      Plot.ruleY([0], { stroke: "var(--line-strong)" }),
      Plot.ruleX(parts, { x: "name", y1: "low", y2: "high", stroke: "var(--ink)", strokeWidth: 2 }),
      Plot.dot(parts, { x: "name", y: "value", r: 5, fill: "var(--accent)" }),
    ],
  }
}
