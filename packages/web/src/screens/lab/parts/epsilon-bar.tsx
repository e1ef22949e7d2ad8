// The slider for epsilon, with what it does to the error of a count and to odds.

import { useMemo } from "react"
import { factorNumber } from "../../../parts/figures/format-number.ts"
import { useLabTexts } from "../../../strings/lab-texts.ts"
import { useLocale } from "../../../strings/use-strings.ts"
import { labBelief, labEpsilons, labHalfWidth, labMechanism } from "./lab-model.ts"
import { Slider } from "./slider.tsx"

interface EpsilonBarProps {
  readonly epsilon: string
  readonly onChange: (epsilon: string) => void
}

const values = labEpsilons.map(Number)

/** The bar. */
export function EpsilonBar({ epsilon, onChange }: EpsilonBarProps) {
  const lab = useLabTexts()
  const locale = useLocale()
  const half = useMemo(() => labHalfWidth(labMechanism(epsilon)), [epsilon])
  const { oddsFactor } = labBelief(epsilon, "0.5")
  return (
    <section className="lab-epsilon" aria-label={lab.epsilon}>
      <Slider
        label={lab.epsilon}
        values={values}
        value={Number(epsilon)}
        onChange={(value) => onChange(`${value}`)}
        help={lab.tradeoff}
      />
      <p className="row small">
        <span>
          {lab.error} <b className="figure">{lab.plusMinus(half.toLocaleString(locale))}</b>
        </span>
        <span>
          {lab.oddsTimes} <b className="figure">{lab.atMost(factorNumber(oddsFactor, locale))}</b>
        </span>
      </p>
    </section>
  )
}
