// The exponential mechanism: choosing one of several, the better ones more often.

import { systemBits } from "@dosimeter/core"
import { groupFactor } from "@dosimeter/core/meaning"
import { releaseSelection, selection as selectionOf } from "@dosimeter/core/mechanisms"
import { useMemo, useState } from "react"
import { Button } from "../../../parts/widgets/button.tsx"
import { Segments } from "../../../parts/widgets/choice.tsx"
import { useLabTexts } from "../../../strings/lab-texts.ts"
import { useLocale } from "../../../strings/use-strings.ts"
import type { Chapter } from "../parts/chapter.ts"
import { LabBars } from "../parts/lab-plots.tsx"
import { Slider } from "../parts/slider.tsx"

const contests = {
  designs: { names: ["A", "B", "C", "D", "E"], scores: [31, 27, 24, 12, 5] },
  codes: { names: ["I10", "E11", "J45", "N18", "C50"], scores: [410, 396, 350, 120, 42] },
} as const
type Contest = keyof typeof contests

const epsilons = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2]
const draws = 400

/** How often each candidate wins, of so many choices by the real mechanism. */
export function wins(contest: Contest, epsilon: number): readonly number[] {
  const { scores } = contests[contest]
  const spec = selectionOf({
    method: "exponential",
    epsilon,
    sensitivity: 1,
    scores: "monotone",
    candidates: scores.length,
  })
  const rng = systemBits()
  const counts = scores.map(() => 0)
  for (let draw = 0; draw < draws; draw += 1) {
    const winner = releaseSelection(spec, scores.map(BigInt), rng)
    counts[winner] = (counts[winner] ?? 0) + 1
  }
  return counts
}

function SelectionPlay() {
  const words = useLabTexts().chapters.selection
  const locale = useLocale()
  const [contest, setContest] = useState<Contest>("designs")
  const [epsilon, setEpsilon] = useState(0.1)
  const [round, setRound] = useState(0)
  const { names, scores } = contests[contest]
  // Another round is another draw, of the same thing.
  const counts = useMemo(() => (round < 0 ? [] : wins(contest, epsilon)), [contest, epsilon, round])
  const bars = useMemo(
    () =>
      names.map((name, index) => ({
        name: `${name} (${scores[index] ?? 0})`,
        value: (counts[index] ?? 0) / draws,
      })),
    [names, scores, counts],
  )
  const best = ((counts[0] ?? 0) / draws) * 100
  return (
    <>
      <div>
        <Segments
          label={words.contest}
          value={contest}
          onChange={setContest}
          options={[
            { id: "designs", text: words.designs },
            { id: "codes", text: words.codes },
          ]}
        />
      </div>
      <Slider label={words.epsilon} values={epsilons} value={epsilon} onChange={setEpsilon} />
      <LabBars
        bars={bars}
        percent
        caption={words.text(
          names[0],
          `${draws}`,
          best.toLocaleString(locale, { maximumSignificantDigits: 2 }),
        )}
        yLabel={words.axis}
      />
      <div>
        <Button onPress={() => setRound((before) => before + 1)}>{words.again}</Button>
      </div>
    </>
  )
}

/** The chapter. */
export const selection: Chapter = {
  id: "selection",
  Play: SelectionPlay,
  exercise: { kind: "number", answer: () => groupFactor("0.1", 31 - 12), tolerance: 0.03 },
}
