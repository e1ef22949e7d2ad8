// Choosing epsilon between an epidemiologist and an ethics board: the band that is left, or the conflict.

import { chooseEpsilon, countSensitivity } from "@dosimeter/core"
import { numberNear } from "@dosimeter/core/exact"
import { useMemo, useState } from "react"
import { EpsilonBand } from "../../../parts/figures/epsilon-band.tsx"
import { useLabTexts } from "../../../strings/lab-texts.ts"
import { useLocale } from "../../../strings/use-strings.ts"
import type { Chapter } from "../parts/chapter.ts"
import { Slider } from "../parts/slider.tsx"

const widths = [2, 3, 5, 8, 10, 15, 20, 30, 50, 100]
const beliefs = [11, 12, 14, 16, 18, 20, 25, 30, 40, 50, 70]

const sensitivity = countSensitivity({ groupsPerUnit: 1, rowsPerGroup: 1, neighbours: "add-or-remove" })

/** The epsilons for a count within so many at 95 % that leave a belief of 10 % below so many per cent. */
export function bandFor(within: number, posterior: number) {
  return chooseEpsilon({
    sensitivity,
    requirements: [
      { kind: "within", within, confidence: "0.95" },
      { kind: "posterior-at-most", prior: "0.1", posterior: `${posterior / 100}` },
    ],
  })
}

function ChoosePlay() {
  const words = useLabTexts().chapters.choose
  const locale = useLocale()
  const [within, setWithin] = useState(5)
  const [posterior, setPosterior] = useState(14)
  const found = useMemo(() => bandFor(within, posterior), [within, posterior])
  const needs = found.kind === "range" ? found.least : found.needs
  const allows = found.kind === "range" ? found.most : found.allows
  const show = (value: number): string => value.toLocaleString(locale, { maximumSignificantDigits: 3 })
  const from = numberNear(needs?.epsilon ?? { numerator: 0n, denominator: 1n })
  const to = numberNear(allows?.epsilon ?? { numerator: 0n, denominator: 1n })
  const text = (found.kind === "range" ? words.band : words.conflict)(show(from), show(to))
  return (
    <>
      <Slider
        label={words.epidemiologist}
        values={widths}
        value={within}
        onChange={setWithin}
        show={(value) => `± ${value}`}
      />
      <Slider
        label={words.board}
        values={beliefs}
        value={posterior}
        onChange={setPosterior}
        show={(value) => `${value} %`}
      />
      <EpsilonBand
        demands={[
          { name: words.needs, from, side: "accuracy" },
          { name: words.allows, to, side: "privacy" },
        ]}
        caption={text}
      />
    </>
  )
}

/** The least epsilon of the exercise: within ± 8. */
function leastForEight(): number {
  const found = bandFor(8, 50)
  const bound = found.kind === "range" ? found.least : found.needs
  return bound === undefined ? 0 : numberNear(bound.epsilon)
}

/** The chapter. */
export const choose: Chapter = {
  id: "choose",
  Play: ChoosePlay,
  exercise: { kind: "number", answer: leastForEight, tolerance: 0.02 },
}
