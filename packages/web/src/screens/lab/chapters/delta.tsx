// Delta as a chance of failure: what it may allow at worst, and what Gaussian noise makes of it.

import { systemBits } from "@dosimeter/core"
import { exactly, numberUp, square } from "@dosimeter/core/exact"
import { approxToMu, deltaAt } from "@dosimeter/core/meaning"
import { sampleBinomial } from "@dosimeter/core/noise"
import { useMemo, useState } from "react"
import { atMostPercent } from "../../../parts/figures/format-number.ts"
import { Button } from "../../../parts/widgets/button.tsx"
import { useLabTexts } from "../../../strings/lab-texts.ts"
import { useLocale } from "../../../strings/use-strings.ts"
import type { Chapter } from "../parts/chapter.ts"
import { LabLines, type LinePoint } from "../parts/lab-plots.tsx"
import { Slider } from "../parts/slider.tsx"

const deltas = [1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2]
const crowds = [100, 1000, 10_000, 100_000, 1_000_000, 10_000_000]

/** How likely it is that at least one of so many records is published whole, each with probability delta. */
export function failureChance(people: number, delta: number): number {
  return -Math.expm1(people * Math.log1p(-delta))
}

/** The delta at twice the epsilon, of Gaussian noise that has this delta at epsilon 1. */
function softDelta(delta: number): number {
  const muSquared = square(approxToMu("1", `${delta}`))
  return numberUp(deltaAt({ measure: "gdp", muSquared, delta: exactly("0", "delta") }, "2"))
}

function DeltaPlay() {
  const words = useLabTexts().chapters.delta
  const locale = useLocale()
  const [people, setPeople] = useState(10_000)
  const [delta, setDelta] = useState(1e-5)
  const [published, setPublished] = useState<bigint>()
  const chance = failureChance(people, delta)
  const lines = [words.chance]
  const points = useMemo<readonly LinePoint[]>(
    () => deltas.map((x) => ({ x, y: 100 * failureChance(people, x), line: words.chance })),
    [people, words],
  )
  const change = (work: () => void): void => {
    work()
    setPublished(undefined)
  }
  const soft = useMemo(() => softDelta(delta), [delta])
  return (
    <>
      <Slider
        label={words.people}
        values={crowds}
        value={people}
        onChange={(value) => change(() => setPeople(value))}
        show={(value) => value.toLocaleString(locale)}
      />
      <Slider
        label={words.delta}
        values={deltas}
        value={delta}
        onChange={(value) => change(() => setDelta(value))}
        show={(value) => value.toExponential(0)}
      />
      <LabLines
        lines={lines}
        points={points}
        at={delta}
        log="x"
        caption={words.text(people.toLocaleString(locale), atMostPercent(chance, locale))}
        xLabel={words.delta}
        yLabel={words.axis}
      />
      <div>
        <Button
          onPress={() =>
            setPublished(sampleBinomial(BigInt(people), exactly(`${delta}`, "delta"), systemBits()))
          }
        >
          {words.draw}
        </Button>
      </div>
      <p role="status">
        {published === undefined ? words.notDrawn : words.drawn(published.toLocaleString(locale))}
      </p>
      <p>{words.soft(delta.toExponential(0), soft.toExponential(1))}</p>
    </>
  )
}

/** The chapter. */
export const delta: Chapter = {
  id: "delta",
  Play: DeltaPlay,
  exercise: { kind: "number", answer: () => 100 * failureChance(1000, 1e-3), tolerance: 0.02 },
}
