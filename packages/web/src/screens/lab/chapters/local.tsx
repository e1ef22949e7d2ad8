// Central against local at the same epsilon: what it costs to trust nobody.

import { predictError } from "@dosimeter/core/collect"
import { binaryProtocol } from "@dosimeter/core/local"
import { useMemo, useState } from "react"
import { useLabTexts } from "../../../strings/lab-texts.ts"
import { useLocale } from "../../../strings/use-strings.ts"
import type { Chapter } from "../parts/chapter.ts"
import { labHalfWidth, labMechanism } from "../parts/lab-model.ts"
import { LabLines, type LinePoint } from "../parts/lab-plots.tsx"
import { Slider } from "../parts/slider.tsx"

const crowds = [100, 300, 1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000]
const epsilons = [0.1, 0.2, 0.5, 1, 2, 3]

/** How far off a count of so many people's answers is (95 %), if each device adds the noise. */
export function localHalfWidth(people: number, epsilon: number): number {
  const { halfWidth } = predictError(binaryProtocol({ epsilon }), { people, confidence: 0.95, share: 0.3 })
  return halfWidth * people
}

function LocalPlay() {
  const words = useLabTexts().chapters.local
  const locale = useLocale()
  const [people, setPeople] = useState(10_000)
  const [epsilon, setEpsilon] = useState(1)
  const lines = [words.central, words.local]
  const central = labHalfWidth(labMechanism(`${epsilon}`))
  const points = useMemo<readonly LinePoint[]>(
    () =>
      crowds.flatMap((x) => [
        { x, y: central, line: words.central },
        { x, y: localHalfWidth(x, epsilon), line: words.local },
      ]),
    [words, central, epsilon],
  )
  const local = localHalfWidth(people, epsilon)
  const show = (value: number): string => value.toLocaleString(locale, { maximumSignificantDigits: 3 })
  return (
    <>
      <Slider
        label={words.people}
        values={crowds}
        value={people}
        onChange={setPeople}
        show={(value) => value.toLocaleString(locale)}
      />
      <Slider label={words.epsilon} values={epsilons} value={epsilon} onChange={setEpsilon} />
      <LabLines
        lines={lines}
        points={points}
        at={people}
        log="both"
        caption={words.text(show(people), show(central), show(local), show((100 * local) / people))}
        xLabel={words.people}
        yLabel={words.error}
      />
    </>
  )
}

/** The chapter. */
export const local: Chapter = {
  id: "local",
  Play: LocalPlay,
  exercise: {
    kind: "number",
    answer: () => localHalfWidth(1_000_000, 1) / localHalfWidth(10_000, 1),
    tolerance: 0.03,
  },
}
