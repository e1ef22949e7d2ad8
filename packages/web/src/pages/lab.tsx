// The Lab: noise, epsilon and odds, made up in the browser with the mechanisms that answer on the server.

import { useMemo, useState } from "react"
import { LabAnswers, LabLaw } from "../charts/lab-charts.tsx"
import {
  labAnswers,
  labBelief,
  labConfidence,
  labCount,
  labEpsilons,
  labHalfWidth,
  labMechanism,
} from "../charts/lab-model.ts"
import { Button } from "../components/button.tsx"
import { atMostPercent, sureOf } from "../components/format-number.ts"
import { PageHead } from "../components/page-head.tsx"
import { useLocale, useStrings } from "../strings/use-strings.ts"

/** The screen. */
export function LabPage() {
  const { lab } = useStrings()
  const locale = useLocale()
  const [place, setPlace] = useState(labEpsilons.indexOf("0.5"))
  const [round, setRound] = useState(0)
  const epsilon = labEpsilons[place] ?? "0.5"
  const spec = useMemo(() => labMechanism(epsilon), [epsilon])
  // Another round is other noise.
  const answers = useMemo(() => (round < 0 ? [] : labAnswers(spec, 20)), [spec, round])
  const hits = answers.filter(({ isHit }) => isHit).length
  return (
    <>
      <PageHead title={lab.title} lead={lab.lead} />
      <div className="stack">
        <section className="card row split">
          <label className="field" style={{ flex: "1 1 16rem" }}>
            <span className="label">
              {lab.epsilon}: <b className="figure">{epsilon}</b>
            </span>
            <input
              type="range"
              min={0}
              max={labEpsilons.length - 1}
              value={place}
              aria-valuetext={epsilon}
              onChange={({ target }) => setPlace(Number(target.value))}
            />
            <span className="small soft">{lab.tradeoff}</span>
          </label>
          <dl className="facts">
            <dt>{lab.truth}</dt>
            <dd className="figure">{labCount.toLocaleString(locale)}</dd>
            <dt>{lab.error}</dt>
            <dd className="figure">± {labHalfWidth(spec)}</dd>
          </dl>
        </section>
        <div className="columns">
          <section className="card">
            <div className="row split">
              <h2>{lab.answers}</h2>
              <Button size="small" onPress={() => setRound(round + 1)}>
                {lab.draw}
              </Button>
            </div>
            <LabAnswers
              answers={answers}
              caption={lab.answersText(`${hits}`, sureOf(labConfidence, locale))}
            />
          </section>
          <section className="card">
            <h2>{lab.law}</h2>
            <LabLaw spec={spec} caption={lab.lawText} withText={lab.with} withoutText={lab.without} />
          </section>
        </div>
        <Attacker epsilon={epsilon} />
      </div>
    </>
  )
}

function Attacker({ epsilon }: { readonly epsilon: string }) {
  const { lab } = useStrings()
  const locale = useLocale()
  return (
    <section className="card">
      <h2>{lab.attacker}</h2>
      <div className="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">{lab.before}</th>
              <th scope="col">{lab.after}</th>
            </tr>
          </thead>
          <tbody>
            {["0.01", "0.1", "0.5", "0.9"].map((prior) => (
              <tr key={prior}>
                <td className="figure">{sureOf(Number(prior), locale)}</td>
                <td className="figure">{atMostPercent(labBelief(epsilon, prior), locale)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
