// Advice as a person reads it: what to take, the band that is left, what would reconcile a conflict, a
// paragraph for a board, and what others have published.

import { numberUp, showParameter } from "@dosimeter/core"
import {
  balancedAccuracy,
  posteriorBounds,
  publishedDeployments,
  type Advice,
  type AdviceQuestion,
  type AskedOf,
  type NoisePlan,
} from "@dosimeter/core/meaning"
import { Fragment, useMemo } from "react"
import type { Demand } from "../../parts/figures/demands.ts"
import { EpsilonBand } from "../../parts/figures/epsilon-band.tsx"
import { atMostPercent, lossNumber } from "../../parts/figures/format-number.ts"
import { CopyButton } from "../../parts/widgets/copy-button.tsx"
import { Notice } from "../../parts/widgets/notice.tsx"
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
      {isMet ? null : <Reconcile advice={advice} question={question} />}
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
      ),
    ],
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
  const { asked, least, most, kind } = plan
  const demands = useMemo<readonly Demand[]>(
    () =>
      asked.map((one) => {
        const at = numberUp(one.epsilon)
        const what = nameOf(one, advise)
        const epsilon = showParameter(one.epsilon)
        return one.side === "accuracy"
          ? { name: advise.needs(what, epsilon), side: one.side, from: at }
          : { name: advise.allows(what, epsilon), side: one.side, to: at }
      }),
    [asked, advise],
  )
  const [from, to] = [least, most].map((end) => (end === undefined ? "" : showParameter(end.epsilon)))
  const caption =
    least === undefined || most === undefined
      ? advise.openText(showParameter(plan.epsilon))
      : (kind === "range" ? advise.bandText : advise.gapText)(from ?? "", to ?? "")
  return (
    <section className="card" aria-label={advise.band}>
      <h2>{advise.band}</h2>
      <EpsilonBand demands={demands} caption={caption} />
    </section>
  )
}

function nameOf({ requirement }: AskedOf, words: ReturnType<typeof useStrings>["advise"]): string {
  switch (requirement.kind) {
    case "deviation-at-most":
      return `${words.deviation} ${showParameter(requirement.deviation)}`
    case "within":
      return `${words.within} ${showParameter(requirement.within)}`
    case "odds-at-most":
      return `${words.odds} ${showParameter(requirement.factor)}`
    case "posterior-at-most":
      return words.belief
    case "advantage-at-most":
      return words.advantage
    default:
      return requirement.kind
  }
}

function Reconcile({ advice, question }: ViewProps) {
  const { advise } = useStrings()
  const show = useShow()
  const { least, error, releasesThatFit } = advice.plan
  const canHideLess = advice.unit === "person" && releasesThatFit !== undefined && releasesThatFit > 0n
  return (
    <section className="card stack-tight" aria-label={advise.reconcile}>
      <h2>{advise.reconcile}</h2>
      <ul>
        <li>{advise.accept(show(error.standardDeviation))}</li>
        {canHideLess ? <li>{advise.fewer(`${releasesThatFit}`)}</li> : null}
        {canHideLess && question.releases !== "1" ? <li>{advise.hideLess}</li> : null}
        {least === undefined ? null : <li>{advise.allow(showParameter(least.epsilon))}</li>}
      </ul>
    </section>
  )
}

function Board({ advice, question }: ViewProps) {
  const { advise, app } = useStrings()
  const locale = useLocale()
  const { plan, unit } = advice
  const { upper } = useMemo(
    () =>
      posteriorBounds({
        loss: plan.loss,
        prior: "0.1",
        ...(plan.noise === "laplace" ? {} : { failure: plan.delta }),
      }),
    [plan],
  )
  const number = (value: AdviceQuestion["count"]): string => Number(value).toLocaleString(locale)
  const text = advise.boardText({
    numbers: number(question.groups),
    times: number(question.releases),
    count: number(question.count),
    population: number(question.population),
    noise: advise.noises[plan.noise],
    epsilon: showParameter(plan.epsilon),
    delta: showParameter(plan.delta),
    hidden: advise.units[unit],
    half: `${plan.error.halfWidth}`,
    from: "10 %",
    to: atMostPercent(upper, locale),
    right: atMostPercent(balancedAccuracy(plan.loss), locale),
  })
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
