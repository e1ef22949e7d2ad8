// The Lab's pictures: answers by group with their intervals, the two laws that an attacker compares, what
// adds up, and how the size of a group decides about its error.

import type { LaplaceSpec } from "@dosimeter/core"
import * as Plot from "@observablehq/plot"
import { useCallback } from "react"
import {
  labHalfWidth,
  labLaw,
  labMechanism,
  labRelative,
  labWards,
  type LabAnswer,
  type LabTotal,
} from "./lab-model.ts"
import { PlotFigure } from "../../../charts/plot-figure.tsx"

const style = { background: "transparent", color: "var(--ink)" }

interface AnswersProps {
  /** The newest last. */
  readonly rounds: readonly (readonly LabAnswer[])[]
  readonly label: string
  readonly groupLabel: string
  readonly countLabel: string
}

/** The exact counts as empty bars, the newest answer with its intervals, and faintly all before it. */
export function LabAnswers({ rounds, label, groupLabel, countLabel }: AnswersProps) {
  const draw = useCallback(
    (width: number): Plot.PlotOptions => {
      const newest = rounds.at(-1) ?? []
      const before = rounds.slice(0, -1).flat()
      const colour = ({ isHit }: LabAnswer): string => (isHit ? "var(--accent)" : "var(--refused)")
      return {
        style,
        height: 300,
        marginLeft: 52,
        marginBottom: 52,
        x: {
          type: "band",
          domain: labWards.map(({ group }) => group),
          label: groupLabel,
          padding: 0.2,
          ...(width < 420 ? { tickRotate: -40 } : {}),
        },
        y: { grid: true, label: countLabel, nice: true },
        marks: [
          Plot.barY(labWards, {
            x: "group",
            y: "exact",
            fill: "var(--sunken)",
            stroke: "var(--line-strong)",
          }),
          Plot.tickY(before, { x: "group", y: "value", stroke: "var(--accent)", strokeOpacity: 0.25 }),
          Plot.ruleX(newest, { x: "group", y1: "low", y2: "high", stroke: colour, strokeWidth: 3 }),
          Plot.dot(newest, {
            x: "group",
            y: "value",
            fill: colour,
            r: 5,
            symbol: (one: LabAnswer) => (one.isHit ? "circle" : "diamond"),
          }),
          Plot.ruleY([0], { stroke: "var(--line-strong)" }),
        ],
      }
    },
    [rounds, groupLabel, countLabel],
  )
  return <PlotFigure draw={draw} label={label} caption={label} />
}

interface LawProps {
  readonly spec: LaplaceSpec
  readonly caption: string
  readonly withText: string
  readonly withoutText: string
  readonly answerLabel: string
  readonly chanceLabel: string
}

/** What could be answered, with one person and without. */
export function LabLaw({ spec, caption, withText, withoutText, answerLabel, chanceLabel }: LawProps) {
  const draw = useCallback((): Plot.PlotOptions => {
    const points = labLaw(spec).map(({ answer, chance, isWith }) => ({
      answer,
      chance,
      who: isWith ? withText : withoutText,
    }))
    const place = { x: "answer", y: "chance", z: "who", curve: "step" } as const
    return {
      style,
      height: 260,
      marginLeft: 52,
      marginBottom: 40,
      x: { label: answerLabel, tickFormat: "d" },
      y: { label: chanceLabel, percent: true, grid: true },
      color: { domain: [withText, withoutText], range: ["var(--accent)", "var(--dose-now)"], legend: true },
      marks: [
        Plot.areaY(points, {
          x: place.x,
          y1: 0,
          y2: place.y,
          fill: "who",
          fillOpacity: 0.16,
          z: "who",
          curve: "step",
        }),
        Plot.lineY(points, { ...place, stroke: "who", strokeWidth: 2 }),
        Plot.ruleY([0], { stroke: "var(--line-strong)" }),
      ],
    }
  }, [spec, withText, withoutText, answerLabel, chanceLabel])
  return <PlotFigure draw={draw} label={caption} caption={caption} />
}

interface TotalsProps {
  readonly totals: readonly LabTotal[]
  readonly chosen: LabTotal
  readonly label: string
  readonly plainText: string
  readonly rhoText: string
  readonly questionsLabel: string
}

/** What questions add up to, by two ways of adding; both are valid bounds, so the lower one holds. */
export function LabTotals({ totals, chosen, label, plainText, rhoText, questionsLabel }: TotalsProps) {
  const draw = useCallback((): Plot.PlotOptions => {
    const pointsOf = (list: readonly LabTotal[]) =>
      list.flatMap(({ questions, plain, byRho }) => [
        { questions, total: plain, way: plainText },
        { questions, total: byRho, way: rhoText },
      ])
    return {
      style,
      height: 260,
      marginLeft: 52,
      marginBottom: 40,
      x: { label: questionsLabel },
      y: { label: "ε", grid: true, zero: true, nice: true },
      color: { domain: [plainText, rhoText], range: ["var(--dose-now)", "var(--dose-spent)"], legend: true },
      marks: [
        Plot.lineY(pointsOf(totals), { x: "questions", y: "total", stroke: "way", strokeWidth: 2 }),
        Plot.ruleX([chosen.questions], { stroke: "var(--line-strong)", strokeDasharray: "4 4" }),
        Plot.dot(pointsOf([chosen]), { x: "questions", y: "total", fill: "way", r: 5 }),
        Plot.ruleY([0], { stroke: "var(--line-strong)" }),
      ],
    }
  }, [totals, chosen, plainText, rhoText, questionsLabel])
  return <PlotFigure draw={draw} label={label} caption={label} />
}

interface SizesProps {
  readonly epsilon: string
  readonly label: string
  readonly sizeLabel: string
  readonly percentLabel: string
}

const sizes = [10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000]

/** How far off a group is, in percent of itself: this epsilon, a quarter of it and four times it. */
export function LabSizes({ epsilon, label, sizeLabel, percentLabel }: SizesProps) {
  const draw = useCallback((): Plot.PlotOptions => {
    const lines = [0.25, 1, 4].map((factor) => `${Number((Number(epsilon) * factor).toPrecision(3))}`)
    // A logarithmic axis cannot show zero, so an error of zero is left out.
    const specs = lines.map((each) => [each, labMechanism(each)] as const)
    const points = specs
      .filter(([, spec]) => labHalfWidth(spec) > 0)
      .flatMap(([each, spec]) =>
        sizes.map((size) => ({ size, percent: labRelative(spec, size), line: `ε ${each}` })),
      )
    const own = `ε ${lines[1] ?? epsilon}`
    return {
      style,
      height: 290,
      marginTop: 32,
      marginLeft: 56,
      marginRight: 64,
      marginBottom: 40,
      x: { type: "log", label: sizeLabel, tickFormat: "~s" },
      y: {
        type: "log",
        label: percentLabel,
        grid: true,
        ticks: [0.01, 0.1, 1, 10, 100, 1000],
        tickFormat: "~",
      },
      marks: [
        Plot.ruleY([10], { stroke: "var(--good)", strokeDasharray: "4 4" }),
        Plot.line(points, {
          x: "size",
          y: "percent",
          z: "line",
          stroke: (point: { readonly line: string }) =>
            point.line === own ? "var(--accent)" : "var(--line-strong)",
          strokeWidth: (point: { readonly line: string }) => (point.line === own ? 3 : 1.5),
        }),
        Plot.text(
          points.filter(({ size }) => size === sizes.at(-1)),
          { x: "size", y: "percent", text: "line", dx: 6, textAnchor: "start", fill: "var(--ink)" },
        ),
      ],
    }
  }, [epsilon, sizeLabel, percentLabel])
  return <PlotFigure draw={draw} label={label} caption={label} />
}
