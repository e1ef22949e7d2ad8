// Advice as a person reads it: what to take, the band that is left, what would reconcile a conflict, a
// paragraph for a board, and what others have published.

import { numberUp, showParameter } from "@dosimeter/core"
import {
  boardFacts,
  publishedDeployments,
  type Advice,
  type AdviceQuestion,
  type NoisePlan,
} from "@dosimeter/core/meaning"
import { Fragment, useMemo } from "react"
import type { Demand } from "../../parts/figures/demands.ts"
import { EpsilonBand } from "../../parts/figures/epsilon-band.tsx"
import { lossNumber } from "../../parts/figures/format-number.ts"
import { CopyButton } from "../../parts/widgets/copy-button.tsx"
import { Notice } from "../../parts/widgets/notice.tsx"
import { useAdviceTexts } from "../../strings/advice-texts.ts"
import { useLocale, useStrings } from "../../strings/use-strings.ts"

interface ViewProps {
  readonly advice: Advice
  readonly question: AdviceQuestion
}

/** The advice. */
export function AdviceView({ advice, question }: ViewProps) {
  const { advise } = useStrings()
  const isMet = advice.plan.kind === "range"
  return (
    <>
      <Notice tone={isMet ? "good" : "refused"} title={isMet ? advise.range : advise.conflict} role="status">
        <Facts advice={advice} />
      </Notice>
      <Band plan={advice.plan} />
      <Reconcile advice={advice} question={question} />
      <Board advice={advice} question={question} />
      <Published />
    </>
  )
}

function useShow(): (value: number) => string {
  const locale = useLocale()
  return (value) => value.toLocaleString(locale, { maximumSignificantDigits: 3 })
}

function Facts({ advice }: { readonly advice: Advice }) {
  const { advise } = useStrings()
  const locale = useLocale()
  const show = useShow()
  const { plan, other, optimum, relativeError } = advice
  const { halfWidth, standardDeviation } = plan.error
  const facts: readonly (readonly [string, string])[] = [
    [advise.epsilon, showParameter(plan.epsilon)],
    ["δ", showParameter(plan.delta)],
    [advise.noise, advise.noises[plan.noise]],
    [advise.unit, advise.units[advice.unit]],
    [advise.split, advise.splits[plan.noise](lossNumber(numberUp(plan.perRelease), locale))],
    [
      advise.accuracy,
      advise.errorOf(show(Number(halfWidth)), show(standardDeviation), show(100 * relativeError)),
    ],
    [advise.overAll, advise.overAllText(showParameter(advice.overAllReleases))],
    [
      advise.otherNoise,
      advise.otherText(
        advise.noises[other.noise],
        showParameter(other.epsilon),
        show(other.error.standardDeviation),
        other.kind === "range",
      ),
    ],
    [advise.why, advise.reasons[advice.reason]],
    ...(optimum === undefined
      ? []
      : [
          [
            advise.optimum,
            advise.optimumText(
              showParameter(optimum.epsilon),
              show(optimum.errorPart),
              show(optimum.privacyPart),
            ),
          ] as const,
        ]),
  ]
  return (
    <dl className="facts">
      {facts.map(([term, text]) => (
        <Fragment key={term}>
          <dt>{term}</dt>
          <dd>{text}</dd>
        </Fragment>
      ))}
    </dl>
  )
}

function Band({ plan }: { readonly plan: NoisePlan }) {
  const { advise } = useStrings()
  const { short } = useAdviceTexts()
  const { asked } = plan
  const demands = useMemo<readonly Demand[]>(
    () =>
      asked.map((one) => {
        const at = numberUp(one.epsilon)
        const what = short(one.requirement)
        const epsilon = showParameter(one.epsilon)
        return one.side === "accuracy"
          ? { name: advise.needs(what, epsilon), side: one.side, from: at }
          : { name: advise.allows(what, epsilon), side: one.side, to: at }
      }),
    [asked, advise, short],
  )
  return (
    <section className="card" aria-label={advise.band}>
      <h2>{advise.band}</h2>
      <EpsilonBand demands={demands} caption={useLeft(plan)} />
    </section>
  )
}

/** What all wishes leave, in a sentence. */
function useLeft({ kind, least, most, epsilon }: NoisePlan): string {
  const { advise } = useStrings()
  const show = useShow()
  if (least === undefined || most === undefined) return advise.openText(showParameter(epsilon))
  const [from, to] = [showParameter(least.epsilon), showParameter(most.epsilon)]
  if (kind === "conflict")
    return advise.gapText(from, to, show(numberUp(least.epsilon) / numberUp(most.epsilon)))
  return from === to ? advise.oneText(from) : advise.bandText(from, to)
}

function Reconcile({ advice, question }: ViewProps) {
  const { advise } = useStrings()
  const { ways } = useAdviceTexts()
  const { conflict } = boardFacts(advice, question)
  if (conflict === undefined) return null
  return (
    <section className="card stack-tight" aria-label={advise.reconcile}>
      <h2>{advise.reconcile}</h2>
      <ul>
        {ways(conflict).map((way) => (
          <li key={way}>{way}</li>
        ))}
      </ul>
    </section>
  )
}

function Board({ advice, question }: ViewProps) {
  const { advise, app } = useStrings()
  const texts = useAdviceTexts()
  const text = useMemo(() => texts.board(advice, question), [texts, advice, question])
  return (
    <section className="card stack" aria-label={advise.board}>
      <h2>{advise.board}</h2>
      <p>{text}</p>
      <div>
        <CopyButton text={text}>{app.copy}</CopyButton>
      </div>
    </section>
  )
}

function Published() {
  const { advise } = useStrings()
  return (
    <section className="card stack">
      <h2>{advise.published}</h2>
      <p className="small soft">{advise.publishedHelp}</p>
      <div className="scroll" tabIndex={0} role="region" aria-label={advise.published}>
        <table>
          <thead>
            <tr>
              <th scope="col">ε</th>
              <th scope="col">{advise.hidden}</th>
              <th scope="col">{advise.name}</th>
              <th scope="col">{advise.model}</th>
              <th scope="col">{advise.source}</th>
            </tr>
          </thead>
          <tbody>
            {publishedDeployments.map(({ name, by, unit, epsilon, model, source }) => (
              <tr key={name}>
                <td className="figure">{epsilon}</td>
                <td>{unit}</td>
                <td>
                  {by}: {name}
                </td>
                <td>{advise.models[model]}</td>
                <td>
                  <a href={source} rel="noreferrer">
                    {new URL(source).hostname}
                  </a>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
