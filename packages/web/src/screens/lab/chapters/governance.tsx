// Governance: beneficence, autonomy and justice, on a budget that a large and a small community share.

import { useMemo, useState } from "react"
import { useLabTexts } from "../../../strings/lab-texts.ts"
import { useLocale } from "../../../strings/use-strings.ts"
import type { Chapter } from "../parts/chapter.ts"
import { labHalfWidth, labMechanism } from "../parts/lab-model.ts"
import { LabBars } from "../parts/lab-plots.tsx"
import { Slider } from "../parts/slider.tsx"

const parts = [10, 20, 30, 40, 50, 60, 70, 80, 90]
const budget = 1
const large = 950
const small = 50

/** How far off both counts are, in percent, if the small community's question gets this part. */
export function errorsAt(percent: number): { readonly large: number; readonly small: number } {
  const off = (epsilon: number, size: number): number =>
    (100 * labHalfWidth(labMechanism(epsilon.toFixed(4)))) / size
  return {
    large: off((budget * (100 - percent)) / 100, large),
    small: off((budget * percent) / 100, small),
  }
}

function GovernancePlay() {
  const words = useLabTexts().chapters.governance
  const locale = useLocale()
  const [part, setPart] = useState(50)
  const errors = useMemo(() => errorsAt(part), [part])
  const show = (value: number): string => value.toLocaleString(locale, { maximumSignificantDigits: 2 })
  const bars = useMemo(
    () => [
      { name: words.large(`${large}`), value: errors.large },
      { name: words.small(`${small}`), value: errors.small },
    ],
    [words, errors],
  )
  return (
    <>
      <Slider
        label={words.part}
        values={parts}
        value={part}
        onChange={setPart}
        show={(value) => `${value} %`}
      />
      <LabBars bars={bars} caption={words.text(show(errors.large), show(errors.small))} yLabel={words.axis} />
      <dl className="facts">
        {words.principles.map(([name, text]) => (
          <div key={name} style={{ display: "contents" }}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

/** The chapter. */
export const governance: Chapter = {
  id: "governance",
  Play: GovernancePlay,
  exercise: { kind: "choice", options: ["30", "50", "70"], answer: least20 },
}

/** The least part that brings the small community's error to 20 % of itself. */
function least20(): string {
  return `${[30, 50, 70].find((percent) => errorsAt(percent).small <= 20) ?? 70}`
}
