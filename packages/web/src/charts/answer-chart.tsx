// An answer as a chart: bars for groups, dots for groups in order, and the interval of every number.

import * as Plot from "@observablehq/plot"
import { useCallback } from "react"
import { isWhole, type Answer, type AnswerColumn } from "../api/answer.ts"
import type { Strings } from "../strings/en.ts"
import { pointsOf, shownTicks, type AnswerPoint, type AnswerPoints } from "./answer-points.ts"
import { PlotFigure } from "./plot-figure.tsx"

interface AnswerChartProps {
  readonly answer: Answer
  readonly column: string
  readonly caption: string
  /** The words of the chart, in the language of the screen. */
  readonly words: Strings["number"]
}

/** A chart of one measured column. */
export function AnswerChart({ answer, column, caption, words }: AnswerChartProps) {
  const belowText = words.below
  const draw = useCallback(
    (width: number): Plot.PlotOptions => {
      const drawn = pointsOf(answer, column)
      return drawn.isOrdered
        ? inOrder(drawn, { column, belowText, width })
        : asBars(drawn, { column, belowText, width })
    },
    [answer, column, belowText],
  )
  const isCrowded = hasCrowdedBelow(pointsOf(answer, column))
  const bounding = answer.columns.find(({ name }) => name === column)?.bounding
  return (
    <PlotFigure
      draw={draw}
      label={`${column}: ${caption}`}
      {...(isCrowded || isWhole(bounding)
        ? { caption: <Legend below={isCrowded ? belowText : undefined} bounding={bounding} words={words} /> }
        : {})}
    />
  )
}

interface LegendProps {
  /** What the sign for "below threshold" means, where it stands for the words. */
  readonly below: string | undefined
  readonly bounding: AnswerColumn["bounding"]
  readonly words: Strings["number"]
}

/** What the two parts of an interval, and the signs, mean. */
function Legend({ below, bounding, words }: LegendProps) {
  return (
    <span className="legend">
      {isWhole(bounding) ? (
        <>
          <span>
            <i className="legend-noise" aria-hidden="true" /> {words.legendNoise}
          </span>
          <span>
            <i className={bounding === "too-much" ? "legend-open" : "legend-whole"} aria-hidden="true" />{" "}
            {words.legendWhole[bounding]}
          </span>
        </>
      ) : null}
      {below === undefined ? null : <span>{`${belowSign} ${below}`}</span>}
    </span>
  )
}

interface Named {
  readonly column: string
  readonly belowText: string
}

const bar = { strokeWidth: 2, stroke: "var(--ink)", strokeOpacity: 0.75 }
/** Of the noise alone, where what bounding left out is in the interval too: a thicker part of its line. */
const noiseBar = { ...bar, strokeWidth: 5, strokeOpacity: 0.5 }

/** From left to right: dots, a line between them, and the interval of each. */
function inOrder(
  { points, groupName, seriesName }: AnswerPoints,
  { column, belowText, width }: Named & { readonly width: number },
): Plot.PlotOptions {
  const shown = points.filter(isShown)
  const isCrowded = groupsOf(points).length > wordsMax
  const hasCurves = seriesName !== ""
  const colour = hasCurves ? "series" : "var(--accent)"
  const intervals = hasCurves ? bandMarks(shown) : barMarks(shown)
  return {
    ...common(points, seriesName),
    height: 340,
    marginLeft: 56,
    marginBottom: 44,
    x: {
      type: "band",
      padding: 0.75,
      label: groupName,
      domain: groupsOf(points),
      ...shownTicks(groupsOf(points), width - 56),
    },
    y: { label: column, grid: true, nice: true, zero: true },
    marks: [
      Plot.ruleY([0], { stroke: "var(--line-strong)" }),
      ...intervals,
      Plot.lineY(shown, {
        x: "group",
        y: "value",
        stroke: colour,
        strokeOpacity: hasCurves ? 1 : 0.5,
        strokeWidth: hasCurves ? 2 : 1.5,
        z: "series",
      }),
      Plot.text(shown.filter(isOpen), { x: "group", y: "high", dy: -4, text: () => "▲", fill: "var(--ink)" }),
      Plot.dot(shown, {
        x: "group",
        y: "value",
        r: isCrowded ? 3 : 4,
        fill: colour,
        stroke: "var(--surface)",
      }),
      Plot.text(
        points.filter(({ isBelow }) => isBelow),
        {
          x: "group",
          y: 0,
          dy: -10,
          ...(isCrowded ? {} : { rotate: -90, textAnchor: "start" as const }),
          text: () => (isCrowded ? belowSign : belowText),
          fill: "var(--ink-soft)",
        },
      ),
    ],
  }
}

function barMarks(shown: readonly AnswerPoint[]): readonly Plot.Markish[] {
  return [
    Plot.ruleX(shown, { x: "group", y1: "low", y2: "high", ...bar }),
    Plot.ruleX(shown.filter(hasParts), { x: "group", y1: "noiseLow", y2: "noiseHigh", ...noiseBar }),
    Plot.tickY(shown, { x: "group", y: "low", ...bar }),
    Plot.tickY(shown.filter(isClosed), { x: "group", y: "high", ...bar }),
  ]
}

/** Of several curves: bars at one place would hide each other. */
function bandMarks(shown: readonly AnswerPoint[]): readonly Plot.Markish[] {
  const band = { x: "group", y1: "low", y2: "high", z: "series", fill: "series", fillOpacity: 0.16 }
  return [Plot.areaY(shown, band)]
}

/** One bar a group; the longest name decides how much room the names get. */
function asBars(
  { points, groupName, seriesName }: AnswerPoints,
  { column, belowText, width }: Named & { readonly width: number },
): Plot.PlotOptions {
  const shown = points.filter(isShown)
  const hasSeries = seriesName !== ""
  const place = hasSeries ? "series" : "group"
  const longest = Math.max(...points.map((point) => point[place].length), 4)
  return {
    ...common(points, seriesName),
    height: Math.max(120, points.length * 28 + 70),
    marginLeft: Math.min(width * 0.42, longest * 7 + 16),
    marginRight: hasSeries ? Math.min(width * 0.25, 110) : 24,
    x: { label: column, grid: true, nice: true, zero: true },
    y: { label: null, domain: hasSeries ? seriesOf(points) : groupsOf(points) },
    ...(hasSeries ? { fy: { label: groupName, domain: groupsOf(points) } } : {}),
    marks: [
      Plot.barX(shown, {
        y: place,
        x: "value",
        fill: hasSeries ? "series" : "var(--accent)",
        fillOpacity: 0.35,
        ...(hasSeries ? { fy: "group" } : {}),
      }),
      ...(["ruleY", "noise", "low", "high", "open"] as const).map((mark) =>
        intervalMark(mark, shown, { place, hasSeries }),
      ),
      Plot.text(
        points.filter(({ isBelow }) => isBelow),
        {
          y: place,
          x: 0,
          dx: 6,
          textAnchor: "start",
          text: () => belowText,
          fill: "var(--ink-soft)",
          fontStyle: "italic",
          ...(hasSeries ? { fy: "group" } : {}),
        },
      ),
      Plot.ruleX([0], { stroke: "var(--line-strong)" }),
    ],
  }
}

function intervalMark(
  mark: "ruleY" | "noise" | "low" | "high" | "open",
  shown: readonly AnswerPoint[],
  { place, hasSeries }: { readonly place: "series" | "group"; readonly hasSeries: boolean },
): Plot.Markish {
  const facet = hasSeries ? { fy: "group" } : {}
  if (mark === "ruleY") return Plot.ruleY(shown, { y: place, x1: "low", x2: "high", ...bar, ...facet })
  if (mark === "noise") {
    const ends = { y: place, x1: "noiseLow", x2: "noiseHigh" }
    return Plot.ruleY(shown.filter(hasParts), { ...ends, ...noiseBar, ...facet })
  }
  if (mark === "open") {
    const end = { y: place, x: "high", dx: 5, fill: "var(--ink)", ...facet }
    return Plot.text(shown.filter(isOpen), { ...end, text: () => "▶" })
  }
  const ended = mark === "high" ? shown.filter(isClosed) : shown
  return Plot.tickX(ended, { y: place, x: mark, ...bar, insetTop: 6, insetBottom: 6, ...facet })
}

function common(points: readonly AnswerPoint[], seriesName: string): Plot.PlotOptions {
  const style = { background: "transparent", color: "var(--ink)" }
  if (seriesName === "") return { style }
  const range = ["var(--accent)", "var(--dose-now)", "var(--dose-spent)", "var(--good)", "var(--refused)"]
  return { style, color: { domain: seriesOf(points), range, label: seriesName, legend: true } }
}

/** The sign for "below threshold" if there is no room for words. */
const belowSign = "▽"

/** With more groups than this, words would overlap. */
const wordsMax = 16

function hasCrowdedBelow({ points, isOrdered }: AnswerPoints): boolean {
  return isOrdered && groupsOf(points).length > wordsMax && points.some(({ isBelow }) => isBelow)
}

function hasParts({ low, high, noiseLow, noiseHigh, isOpen: open }: AnswerPoint): boolean {
  return open || low !== noiseLow || high !== noiseHigh
}

function isOpen(point: AnswerPoint): boolean {
  return point.isOpen
}

function isClosed(point: AnswerPoint): boolean {
  return !point.isOpen
}

function isShown({ value }: AnswerPoint): boolean {
  return value !== undefined
}

function groupsOf(points: readonly AnswerPoint[]): readonly string[] {
  return [...new Set(points.map(({ group }) => group))]
}

function seriesOf(points: readonly AnswerPoint[]): readonly string[] {
  return [...new Set(points.map(({ series }) => series))]
}
