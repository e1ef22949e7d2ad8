// The Lab's two pictures: twenty answers with their intervals, and the two laws that an attacker compares.

import * as Plot from "@observablehq/plot"
import { useCallback } from "react"
import { labCount, labLaw, type LabAnswer } from "./lab-model.ts"
import type { LaplaceSpec } from "@dosimeter/core"
import { PlotFigure } from "./plot-figure.tsx"

const style = { background: "transparent", color: "var(--ink)" }

interface AnswersProps {
  readonly answers: readonly LabAnswer[]
  readonly caption: string
}

/** Twenty answers; those whose interval misses the exact count are marked. */
export function LabAnswers({ answers, caption }: AnswersProps) {
  const draw = useCallback((): Plot.PlotOptions => {
    const colour = ({ isHit }: LabAnswer): string => (isHit ? "var(--accent)" : "var(--refused)")
    return {
      style,
      height: 260,
      marginLeft: 52,
      x: { type: "point", axis: null },
      y: { grid: true, label: null, nice: true },
      marks: [
        Plot.ruleX(answers, { x: "index", y1: "low", y2: "high", stroke: colour, strokeWidth: 2 }),
        Plot.dot(answers, {
          x: "index",
          y: "value",
          fill: colour,
          r: 4,
          symbol: (one: LabAnswer) => (one.isHit ? "circle" : "diamond"),
        }),
        Plot.ruleY([labCount], { stroke: "var(--dose-now)", strokeWidth: 2, strokeDasharray: "6 4" }),
      ],
    }
  }, [answers])
  return <PlotFigure draw={draw} label={caption} caption={caption} />
}

interface LawProps {
  readonly spec: LaplaceSpec
  readonly caption: string
  readonly withText: string
  readonly withoutText: string
}

/** What could be answered, with one person and without. */
export function LabLaw({ spec, caption, withText, withoutText }: LawProps) {
  const draw = useCallback((): Plot.PlotOptions => {
    const points = labLaw(spec).map(({ answer, chance, isWith }) => ({
      answer,
      chance,
      who: isWith ? withText : withoutText,
    }))
    return {
      style,
      height: 260,
      marginLeft: 52,
      x: { label: null, tickFormat: "d" },
      y: { label: null, percent: true, grid: true },
      color: { domain: [withText, withoutText], range: ["var(--accent)", "var(--dose-now)"], legend: true },
      marks: [
        Plot.areaY(points, {
          x: "answer",
          y1: 0,
          y2: "chance",
          fill: "who",
          fillOpacity: 0.16,
          z: "who",
          curve: "step",
        }),
        Plot.lineY(points, { x: "answer", y: "chance", stroke: "who", strokeWidth: 2, curve: "step" }),
        Plot.ruleY([0], { stroke: "var(--line-strong)" }),
      ],
    }
  }, [spec, withText, withoutText])
  return <PlotFigure draw={draw} label={caption} caption={caption} />
}
