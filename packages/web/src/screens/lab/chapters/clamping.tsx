// Sensitivity and clamping: an average salary with a chief executive in it, and the bound that hides them.

import { boundedSensitivity, errorOf, laplace, rational } from "@dosimeter/core"
import { l1Of } from "@dosimeter/core/mechanisms"
import { useMemo, useState } from "react"
import { useLabTexts } from "../../../strings/lab-texts.ts"
import { useLocale } from "../../../strings/use-strings.ts"
import type { Chapter } from "../parts/chapter.ts"
import { LabLines, type LinePoint } from "../parts/lab-plots.tsx"
import { Slider } from "../parts/slider.tsx"

/** Salaries of a made-up firm in thousands: 49 people, and the one who leads them. */
const salaries = [...Array.from({ length: 49 }, (_, index) => 28 + ((index * 17) % 43)), 2000]
const bounds = [30, 40, 50, 60, 70, 80, 100, 150, 200, 300, 500, 1000, 2000, 4000]
const epsilon = "1"

/** What an upper bound does to the average: what it leaves out, and the noise that it asks for. */
export function clampedMean(upper: number): {
  readonly leftOut: number
  readonly noise: number
  readonly both: number
} {
  const sensitivity = boundedSensitivity({ groupsPerUnit: 1, lower: 0, upper, neighbours: "add-or-remove" })
  const error = errorOf(laplace({ sensitivity, epsilon }), rational(95n, 100n))
  const over = salaries.reduce((sum, one) => sum + Math.max(0, one - upper), 0)
  const leftOut = over / salaries.length
  const noise = (error.kind === "additive" ? Number(error.halfWidth) : 0) / salaries.length
  return { leftOut, noise, both: leftOut + noise }
}

function ClampingPlay() {
  const words = useLabTexts().chapters.clamping
  const locale = useLocale()
  const [upper, setUpper] = useState(2000)
  const lines = [words.noise, words.leftOut, words.both]
  const points = useMemo<readonly LinePoint[]>(
    () =>
      bounds.flatMap((x) => {
        const { leftOut, noise, both } = clampedMean(x)
        return [
          { x, y: noise, line: words.noise },
          { x, y: leftOut, line: words.leftOut },
          { x, y: both, line: words.both },
        ]
      }),
    [words],
  )
  const { leftOut, noise, both } = clampedMean(upper)
  const show = (value: number): string => value.toLocaleString(locale, { maximumSignificantDigits: 2 })
  return (
    <>
      <Slider
        label={words.upper}
        values={bounds}
        value={upper}
        onChange={setUpper}
        show={(value) => words.thousand(value.toLocaleString(locale))}
      />
      <LabLines
        lines={lines}
        points={points}
        at={upper}
        log="x"
        caption={words.text(show(noise), show(leftOut), show(both))}
        xLabel={words.upper}
        yLabel={words.error}
      />
    </>
  )
}

/** The chapter. */
export const clamping: Chapter = {
  id: "clamping",
  Play: ClampingPlay,
  exercise: {
    kind: "number",
    answer: () => Number(l1Of(pressure)),
    tolerance: 0,
  },
}

/** A blood pressure as the exercise clamps it. */
const pressure = boundedSensitivity({
  groupsPerUnit: 1,
  lower: 80,
  upper: 200,
  neighbours: "add-or-remove",
})
