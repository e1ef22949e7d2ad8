// A forest plot: each site's estimate with its interval, larger where it counts for more, and those of all.

import * as Plot from "@observablehq/plot"
import { useCallback } from "react"
import { PlotFigure } from "./plot-figure.tsx"

/** One line of the plot. */
export interface ForestLine {
  readonly name: string
  readonly value: number
  readonly low: number
  readonly high: number
  /** Of a site: its part of the whole, from 0 to 1; undefined for an estimate of all. */
  readonly weight?: number
}

interface ForestChartProps {
  readonly lines: readonly ForestLine[]
  readonly axis: string
  /** Whether ratios are shown, so that twice and half are as far from 1. */
  readonly isRatio: boolean
  /** What the chart shows, in words. */
  readonly label: string
}

/** The chart. */
export function ForestChart({ lines, axis, isRatio, label }: ForestChartProps) {
  const draw = useCallback(
    (width: number): Plot.PlotOptions => {
      const ends = lines.flatMap(({ low, high }) => [low, high])
      const longest = Math.max(...lines.map(({ name }) => name.length), 4)
      const room = Math.min(width * 0.36, longest * 7 + 16)
      const nothing = isRatio ? 1 : 0
      const ticks = Math.max(2, Math.floor((width - room) / 80))
      const [least, most] = [Math.min(nothing, ...ends), Math.max(nothing, ...ends)]
      const ink = { stroke: "var(--ink)", strokeOpacity: 0.75, strokeWidth: 2 }
      const sites = lines.filter(({ weight }) => weight !== undefined)
      const all = lines.filter(({ weight }) => weight === undefined)
      const place = { y: "name", x: "value" }
      return {
        style: { background: "transparent", color: "var(--ink)" },
        height: lines.length * 34 + 62,
        marginLeft: room,
        marginRight: 20,
        marginBottom: 40,
        x: {
          label: axis,
          grid: true,
          type: isRatio ? "log" : "linear",
          domain: [least, most],
          ...(isRatio ? { ticks: ratioTicks(least, most, ticks), tickFormat: shortRatio } : { ticks }),
        },
        y: {
          label: null,
          domain: lines.map(({ name }) => name),
          tickSize: 0,
          tickFormat: (name: string) => shortened(name, room),
        },
        r: { type: "sqrt", domain: [0, 1], range: [0, 12] },
        marks: [
          Plot.ruleX([nothing], { stroke: "var(--line-strong)", strokeDasharray: "4 3" }),
          Plot.ruleY(lines, { y: "name", x1: "low", x2: "high", ...ink }),
          Plot.dot(sites, { ...place, r: "weight", symbol: "square", fill: "var(--accent)" }),
          Plot.dot(all, { ...place, r: 6, symbol: "diamond", fill: "var(--dose-now)" }),
        ],
      }
    },
    [lines, axis, isRatio],
  )
  return <PlotFigure draw={draw} label={label} />
}

const roundRatios = [1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8]

/** Round ratios between two ends: not many more than wanted. */
function ratioTicks(least: number, most: number, wanted: number): readonly number[] {
  const powers = Array.from({ length: 13 }, (_, index) => 10 ** (index - 6))
  const all = powers.flatMap((power) => roundRatios.map((one) => Number((one * power).toPrecision(3))))
  const inside = all.filter((one) => one >= least && one <= most)
  const every = Math.max(1, Math.ceil(inside.length / wanted))
  const one = Math.max(0, inside.indexOf(1))
  return inside.filter((_, index) => Math.abs(index - one) % every === 0)
}

function shortRatio(value: number): string {
  return `${Number(value.toPrecision(3))}`
}

function shortened(name: string, room: number): string {
  const fits = Math.max(4, Math.floor((room - 12) / 7))
  return name.length <= fits ? name : `${name.slice(0, fits - 1)}…`
}
