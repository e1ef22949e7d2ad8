// The pictures that several chapters draw: lines over something that is moved, and bars side by side.

import * as Plot from "@observablehq/plot"
import { useCallback } from "react"
import { PlotFigure } from "../../../charts/plot-figure.tsx"

const style = { background: "transparent", color: "var(--ink)" }
const colours = ["var(--accent)", "var(--dose-now)", "var(--dose-spent)"]

/** A point of a line. */
export interface LinePoint {
  readonly x: number
  readonly y: number
  readonly line: string
}

interface LinesProps {
  /** In the order of their colours. */
  readonly lines: readonly string[]
  readonly points: readonly LinePoint[]
  /** Where the slider stands, if there is one. */
  readonly at?: number
  readonly caption: string
  readonly xLabel: string
  readonly yLabel: string
  /** Which axes are logarithmic. */
  readonly log?: "none" | "x" | "both"
}

/** Lines, and a mark where the slider stands. */
export function LabLines({ lines, points, at, caption, xLabel, yLabel, log = "none" }: LinesProps) {
  const draw = useCallback(
    (): Plot.PlotOptions => ({
      style,
      height: 270,
      marginLeft: 60,
      marginBottom: 40,
      x: { label: xLabel, ...(log === "none" ? {} : { type: "log", tickFormat: "~s" }) },
      y: {
        label: yLabel,
        grid: true,
        tickFormat: "~s",
        ...(log === "both" ? { type: "log" } : { zero: true, nice: true }),
      },
      color: { domain: [...lines], range: colours.slice(0, lines.length), legend: true },
      marks: [
        Plot.ruleX(at === undefined ? [] : [at], { stroke: "var(--line-strong)", strokeDasharray: "4 4" }),
        Plot.lineY(points, { x: "x", y: "y", stroke: "line", strokeWidth: 2 }),
        Plot.dot(
          points.filter(({ x }) => x === at),
          { x: "x", y: "y", fill: "line", r: 5 },
        ),
      ],
    }),
    [lines, points, at, xLabel, yLabel, log],
  )
  return <PlotFigure draw={draw} label={caption} caption={caption} />
}

/** A bar. */
export interface LabBar {
  readonly name: string
  readonly value: number
  /** What it is compared with: an empty bar behind it. */
  readonly exact?: number
}

interface BarsProps {
  readonly bars: readonly LabBar[]
  readonly caption: string
  readonly yLabel: string
  readonly percent?: boolean
}

/** Bars with their numbers above them. */
export function LabBars({ bars, caption, yLabel, percent = false }: BarsProps) {
  const draw = useCallback(
    (width: number): Plot.PlotOptions => ({
      style,
      height: 280,
      marginTop: 34,
      marginLeft: 56,
      marginBottom: width < 420 && bars.length > 3 ? 70 : 40,
      x: {
        type: "band",
        domain: bars.map(({ name }) => name),
        label: null,
        padding: 0.25,
        ...(width < 420 && bars.length > 3 ? { tickRotate: -35 } : {}),
      },
      y: { label: yLabel, grid: true, zero: true, nice: true, percent },
      marks: [
        Plot.barY(
          bars.filter(({ exact }) => exact !== undefined),
          { x: "name", y: "exact", fill: "var(--sunken)", stroke: "var(--line-strong)" },
        ),
        Plot.barY(bars, { x: "name", y: "value", fill: "var(--accent)", insetLeft: 6, insetRight: 6 }),
        Plot.text(bars, {
          x: "name",
          y: "value",
          text: ({ value }: LabBar) => shown(percent ? value * 100 : value),
          dy: -8,
          fill: "var(--ink)",
        }),
        Plot.ruleY([0], { stroke: "var(--line-strong)" }),
      ],
    }),
    [bars, yLabel, percent],
  )
  return <PlotFigure draw={draw} label={caption} caption={caption} />
}

function shown(value: number): string {
  return `${Number(value.toPrecision(3))}`
}
