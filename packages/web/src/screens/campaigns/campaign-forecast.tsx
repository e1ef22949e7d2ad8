// What a planned campaign will be worth, and what would help where that is not enough.

import type { Forecast, QuestionForecast } from "./campaign-plan.ts"
import { lossNumber, sureOf } from "../../parts/figures/format-number.ts"
import { Notice } from "../../parts/widgets/notice.tsx"
import { Tag } from "../../parts/widgets/tag.tsx"
import { useLocale, useStrings } from "../../strings/use-strings.ts"

/** A card with the expected error of every question. */
export function CampaignForecast({ forecast }: { readonly forecast: Forecast }) {
  const { campaigns } = useStrings()
  return (
    <section className="card stack" aria-live="polite">
      <h2>{campaigns.predicted}</h2>
      <p className="small soft">{campaigns.predictedLead}</p>
      <Body forecast={forecast} />
    </section>
  )
}

function Body({ forecast }: { readonly forecast: Forecast }) {
  const { campaigns } = useStrings()
  switch (forecast.kind) {
    case "incomplete":
      return <p className="soft">{campaigns.fillIn}</p>
    case "wrong":
      return <p className="field-error">{campaigns[forecast.what]}</p>
    case "refused":
      return (
        <Notice tone="refused">
          <p>{forecast.message}</p>
          {forecast.help === undefined ? null : <p className="help">{forecast.help}</p>}
        </Notice>
      )
    case "ready":
      return <Worth forecast={forecast} />
    default:
      return forecast satisfies never
  }
}

function Worth({ forecast }: { readonly forecast: Extract<Forecast, { readonly kind: "ready" }> }) {
  const { campaigns } = useStrings()
  const locale = useLocale()
  const { questions, people, needed, confidence } = forecast
  return (
    <>
      <ul className="plain aggregates">
        {questions.map((question, index) => (
          // Questions of a draft have no names yet; they are identified by their order in the form.
          <li key={index}>
            <span>{question.text}</span>
            <Width question={question} />
            <span className="small soft">
              {campaigns.answersFrom(people.toLocaleString(locale), sureOf(confidence, locale))}
            </span>
          </li>
        ))}
      </ul>
      {needed === undefined ? null : (
        <Notice tone="refused" title={campaigns.tooWide} role="status">
          <p>
            {campaigns.askMore(needed.people.toLocaleString(locale))}
            {needed.epsilon === undefined ? "" : campaigns.orEpsilon(`${needed.epsilon}`)}
            {campaigns.orLess}
          </p>
        </Notice>
      )}
    </>
  )
}

function Width({ question }: { readonly question: QuestionForecast }) {
  const { campaigns } = useStrings()
  const locale = useLocale()
  const width = lossNumber(question.halfWidth, locale)
  const words = question.kind === "choice" ? campaigns.share(width) : campaigns.mean(width)
  return question.isEnough ? (
    <b>{words}</b>
  ) : (
    <span>
      <Tag tone="refused">{words}</Tag>
    </span>
  )
}
