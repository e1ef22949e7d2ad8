// Bayes before and after: the two worlds that noise makes alike, and the odds as people.

import { useMemo, useState } from "react"
import {
  atMostPercent,
  factorNumber,
  roundedDown,
  roundedUp,
  sureOf,
} from "../../../parts/figures/format-number.ts"
import { Segments } from "../../../parts/widgets/choice.tsx"
import { useLabTexts } from "../../../strings/lab-texts.ts"
import { useLocale } from "../../../strings/use-strings.ts"
import type { Chapter } from "../parts/chapter.ts"
import { EpsilonBar } from "../parts/epsilon-bar.tsx"
import { LabLaw } from "../parts/lab-charts.tsx"
import { labBelief, labMechanism, labRight } from "../parts/lab-model.ts"
import { PeoplePicture } from "../parts/people-picture.tsx"

const priors = ["1", "10", "30", "50"] as const

function BayesPlay() {
  const words = useLabTexts().chapters.bayes
  const locale = useLocale()
  const [epsilon, setEpsilon] = useState("0.5")
  const [prior, setPrior] = useState<(typeof priors)[number]>("10")
  const spec = useMemo(() => labMechanism(epsilon), [epsilon])
  const { lower, upper, oddsFactor } = labBelief(epsilon, `${Number(prior) / 100}`)
  const after = roundedUp(upper * 100)
  return (
    <>
      <EpsilonBar epsilon={epsilon} onChange={setEpsilon} />
      <LabLaw
        spec={spec}
        caption={words.worlds(factorNumber(oddsFactor, locale))}
        withText={words.with}
        withoutText={words.without}
        answerLabel={words.answer}
        chanceLabel={words.chance}
      />
      <h3>{words.people}</h3>
      <div>
        <Segments
          label={words.prior}
          value={prior}
          onChange={setPrior}
          options={priors.map((id) => ({ id, text: words.priorOf(id) }))}
        />
      </div>
      <PeoplePicture
        before={Number(prior)}
        after={after}
        label={words.picture(prior, after.toLocaleString(locale))}
      />
      <p className="row small">
        <span>
          <span className="lab-key" data-of="before" /> {words.before}
        </span>
        <span>
          <span className="lab-key" data-of="after" /> {words.after}
        </span>
      </p>
      <p>
        <b>
          {words.words(
            sureOf(Number(prior) / 100, locale),
            atLeastPercent(lower, locale),
            atMostPercent(upper, locale),
          )}
        </b>
      </p>
      <p>{words.attacker(roundedUp(labRight(epsilon) * 100).toLocaleString(locale))}</p>
    </>
  )
}

function atLeastPercent(share: number, locale: string): string {
  return `${(roundedDown(share * 1000) / 10).toLocaleString(locale, { maximumFractionDigits: 1 })} %`
}

/** The chapter. */
export const bayes: Chapter = {
  id: "bayes",
  Play: BayesPlay,
  exercise: { kind: "number", answer: () => 100 * labBelief("1", "0.1").upper, tolerance: 0.02 },
}
