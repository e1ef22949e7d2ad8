// Noise and scale: the same question again and again, and what the size of a group does to its error.

import { useEffect, useMemo, useState } from "react"
import { sureOf } from "../../../parts/figures/format-number.ts"
import { Button } from "../../../parts/widgets/button.tsx"
import { useLabTexts } from "../../../strings/lab-texts.ts"
import { useLocale } from "../../../strings/use-strings.ts"
import type { Chapter } from "../parts/chapter.ts"
import { EpsilonBar } from "../parts/epsilon-bar.tsx"
import { LabAnswers, LabSizes } from "../parts/lab-charts.tsx"
import {
  labAnswers,
  labConfidence,
  labHalfWidth,
  labMechanism,
  labRelative,
  type LabAnswer,
} from "../parts/lab-model.ts"

const sizes = [10, 100, 1000, 10_000]

function NoisePlay() {
  const words = useLabTexts().chapters.noise
  const locale = useLocale()
  const [epsilon, setEpsilon] = useState("0.5")
  const spec = useMemo(() => labMechanism(epsilon), [epsilon])
  const [rounds, setRounds] = useState<readonly (readonly LabAnswer[])[]>(() => [labAnswers(spec)])
  // Answers at another epsilon are not counted together with these.
  useEffect(() => setRounds([labAnswers(spec)]), [spec])
  const ask = (times: number): void => {
    const more = Array.from({ length: times }, () => labAnswers(spec))
    setRounds((before) => [...before, ...more].slice(-200))
  }
  const all = rounds.flat()
  const hits = all.filter(({ isHit }) => isHit).length
  const show = (count: number): string => count.toLocaleString(locale)
  const percent = (size: number): string =>
    labRelative(spec, size).toLocaleString(locale, { maximumSignificantDigits: 2 })
  return (
    <>
      <EpsilonBar epsilon={epsilon} onChange={setEpsilon} />
      <div className="row">
        <Button variant="primary" onPress={() => ask(1)}>
          {words.draw}
        </Button>
        <Button onPress={() => ask(20)}>{words.drawMany}</Button>
      </div>
      <LabAnswers
        rounds={rounds}
        label={words.text(show(hits), show(all.length), sureOf(labConfidence, locale))}
        groupLabel={words.group}
        countLabel={words.count}
      />
      <h3>{words.sizes}</h3>
      <dl className="facts">
        {sizes.map((size) => (
          <div key={size} style={{ display: "contents" }}>
            <dt>{words.row(size.toLocaleString(locale))}</dt>
            <dd className="figure">{words.off(percent(size))}</dd>
          </div>
        ))}
      </dl>
      <LabSizes
        epsilon={epsilon}
        label={words.sizesText}
        sizeLabel={words.sizeAxis}
        percentLabel={words.percent}
      />
    </>
  )
}

/** The chapter. */
export const noise: Chapter = {
  id: "noise",
  Play: NoisePlay,
  exercise: { kind: "number", answer: () => labHalfWidth(labMechanism("0.04")), tolerance: 0.05 },
}
