// The Lab's first three steps: the noise, the two worlds that it makes alike, and the odds as people.

import { useEffect, useMemo, useState } from "react"
import { LabAnswers, LabLaw } from "./lab-charts.tsx"
import { labAnswers, labBelief, labConfidence, labMechanism, labRight, type LabAnswer } from "./lab-model.ts"
import { PeoplePicture } from "./people-picture.tsx"
import { Button } from "../../parts/widgets/button.tsx"
import { Segments } from "../../parts/widgets/choice.tsx"
import {
  atMostPercent,
  factorNumber,
  roundedDown,
  roundedUp,
  sureOf,
} from "../../parts/figures/format-number.ts"
import { useLocale, useStrings } from "../../strings/use-strings.ts"

interface StepProps {
  readonly epsilon: string
}

/** Answers to the same question, again and again. */
export function LabNoise({ epsilon }: StepProps) {
  const { noise } = useStrings().lab
  const locale = useLocale()
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
  return (
    <section className="card stack">
      <h2>{noise.title}</h2>
      <p>{noise.lead}</p>
      <div className="row">
        <Button variant="primary" onPress={() => ask(1)}>
          {noise.draw}
        </Button>
        <Button onPress={() => ask(20)}>{noise.drawMany}</Button>
      </div>
      <LabAnswers
        rounds={rounds}
        label={noise.text(show(hits), show(all.length), sureOf(labConfidence, locale))}
        groupLabel={noise.group}
        countLabel={noise.count}
      />
    </section>
  )
}

/** What could be answered with a person and without. */
export function LabWorlds({ epsilon }: StepProps) {
  const { worlds } = useStrings().lab
  const locale = useLocale()
  const spec = useMemo(() => labMechanism(epsilon), [epsilon])
  return (
    <section className="card stack">
      <h2>{worlds.title}</h2>
      <p>{worlds.lead}</p>
      <LabLaw
        spec={spec}
        caption={worlds.text(factorNumber(labBelief(epsilon, "0.5").oddsFactor, locale))}
        withText={worlds.with}
        withoutText={worlds.without}
        answerLabel={worlds.answer}
        chanceLabel={worlds.chance}
      />
    </section>
  )
}

const priors = ["1", "10", "30", "50"] as const

/** How far a belief can be moved, as a hundred people. */
export function LabPeople({ epsilon }: StepProps) {
  const { people } = useStrings().lab
  const locale = useLocale()
  const [prior, setPrior] = useState<(typeof priors)[number]>("10")
  const { lower, upper } = labBelief(epsilon, `${Number(prior) / 100}`)
  const after = roundedUp(upper * 100)
  return (
    <section className="card stack">
      <h2>{people.title}</h2>
      <p>{people.lead}</p>
      <div>
        <Segments
          label={people.prior}
          value={prior}
          onChange={setPrior}
          options={priors.map((id) => ({ id, text: people.priorOf(id) }))}
        />
      </div>
      <PeoplePicture
        before={Number(prior)}
        after={after}
        label={people.picture(prior, after.toLocaleString(locale))}
      />
      <p className="row small">
        <span>
          <span className="lab-key" data-of="before" /> {people.before}
        </span>
        <span>
          <span className="lab-key" data-of="after" /> {people.after}
        </span>
      </p>
      <p>
        <b>
          {people.words(
            sureOf(Number(prior) / 100, locale),
            atLeastPercent(lower, locale),
            atMostPercent(upper, locale),
          )}
        </b>
      </p>
      <p>{people.right(roundedUp(labRight(epsilon) * 100).toLocaleString(locale))}</p>
    </section>
  )
}

function atLeastPercent(share: number, locale: string): string {
  return `${(roundedDown(share * 1000) / 10).toLocaleString(locale, { maximumFractionDigits: 1 })} %`
}
