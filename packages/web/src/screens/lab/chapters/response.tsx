// Randomized response: your own answer through a coin, and what a crowd of such answers still tells.

import { systemBits } from "@dosimeter/core"
import { numberNear } from "@dosimeter/core/exact"
import {
  estimateCounts,
  randomizedResponse,
  releaseRandomizedResponse,
  type RandomizedResponseSpec,
} from "@dosimeter/core/mechanisms"
import { useMemo, useState } from "react"
import { Button } from "../../../parts/widgets/button.tsx"
import { Segments } from "../../../parts/widgets/choice.tsx"
import { useLabTexts } from "../../../strings/lab-texts.ts"
import { useLocale } from "../../../strings/use-strings.ts"
import type { Chapter } from "../parts/chapter.ts"
import { LabBars } from "../parts/lab-plots.tsx"
import { Slider } from "../parts/slider.tsx"

const epsilons = [0.1, 0.2, 0.5, 0.7, 1, 1.1, 1.5, 2, 3, 5]
const people = 2000
const trueYes = 600

/** What a crowd reports, and what is worked out from it: shares of those who say yes. */
export function surveyed(spec: RandomizedResponseSpec): {
  readonly reported: number
  readonly estimate: number
} {
  const rng = systemBits()
  let yes = 0
  for (let person = 0; person < people; person += 1) {
    yes += releaseRandomizedResponse(spec, person < trueYes ? 1 : 0, rng)
  }
  const [, estimate = 0] = estimateCounts(spec, [BigInt(people - yes), BigInt(yes)])
  return { reported: yes / people, estimate: estimate / people }
}

function ResponsePlay() {
  const words = useLabTexts().chapters.response
  const locale = useLocale()
  const [own, setOwn] = useState<"yes" | "no">("yes")
  const [epsilon, setEpsilon] = useState(1)
  const [sent, setSent] = useState<readonly number[]>([])
  const spec = useMemo(() => randomizedResponse({ epsilon, categories: 2 }), [epsilon])
  const crowd = useMemo(() => surveyed(spec), [spec])
  const percent = (share: number): string =>
    (share * 100).toLocaleString(locale, { maximumFractionDigits: 1 })
  const send = (): void =>
    setSent((before) => [...before, releaseRandomizedResponse(spec, own === "yes" ? 1 : 0, systemBits())])
  const bars = useMemo(
    () => [
      { name: words.truth, value: trueYes / people },
      { name: words.reported, value: crowd.reported },
      { name: words.estimated, value: crowd.estimate },
    ],
    [words, crowd],
  )
  const yes = sent.filter((one) => one === 1).length
  return (
    <>
      <Slider
        label={words.epsilon}
        values={epsilons}
        value={epsilon}
        onChange={(value) => {
          setEpsilon(value)
          setSent([])
        }}
      />
      <p>{words.coin(percent(numberNear(spec.truth)))}</p>
      <div className="row">
        <Segments
          label={words.own}
          value={own}
          onChange={(value) => {
            setOwn(value)
            setSent([])
          }}
          options={[
            { id: "yes", text: words.yes },
            { id: "no", text: words.no },
          ]}
        />
        <Button variant="primary" onPress={send}>
          {words.send}
        </Button>
      </div>
      <p role="status">
        {sent.length === 0
          ? words.nothing
          : words.sent(sent.at(-1) === 1 ? words.yes : words.no, `${yes}`, `${sent.length}`)}
      </p>
      <LabBars
        bars={bars}
        percent
        caption={words.text(`${people}`, percent(crowd.reported), percent(crowd.estimate))}
        yLabel={words.axis}
      />
    </>
  )
}

/** The chapter. */
export const response: Chapter = {
  id: "response",
  Play: ResponsePlay,
  exercise: {
    kind: "number",
    answer: () => 100 * numberNear(randomizedResponse({ epsilon: "1.0986", categories: 2 }).truth),
    tolerance: 0.005,
  },
}
