// The estimates of a campaign so far: a chart and a table with intervals for each question, and how far fake
// reports could have moved them.

import { useMemo, useState } from "react"
import type { Reply } from "../../api/server.ts"
import { EstimateChart } from "../../charts/estimate-chart.tsx"
import {
  estimatePoints,
  movedBy,
  type EstimateView,
  type QuestionEstimate,
} from "../../charts/estimate-points.ts"
import { AnswerTable } from "../../parts/figures/answer-table.tsx"
import type { Campaign } from "./campaign-state.tsx"
import { Segments } from "../../parts/widgets/choice.tsx"
import { Field } from "../../parts/widgets/field.tsx"
import { lossNumber, sureOf } from "../../parts/figures/format-number.ts"
import { useLocale, useStrings } from "../../strings/use-strings.ts"

interface CampaignEstimatesProps {
  readonly questions: Campaign["questions"]
  readonly estimates: Reply<"campaignEstimates">
  /** Whether reports may still come. */
  readonly isLive: boolean
}

/** All questions, and one view for all of them. */
export function CampaignEstimates({ questions, estimates, isLive }: CampaignEstimatesProps) {
  const { campaigns } = useStrings()
  const locale = useLocale()
  const [view, setView] = useState<EstimateView>("consistent")
  const hasChoice = questions.some(({ kind }) => kind === "choice")
  return (
    <>
      <section className="stack">
        <div className="row split">
          <h2>{campaigns.estimates}</h2>
          {hasChoice ? (
            <Segments
              label={campaigns.view}
              options={[
                { id: "consistent", text: campaigns.views.consistent },
                { id: "raw", text: campaigns.views.raw },
              ]}
              value={view}
              onChange={setView}
            />
          ) : null}
        </div>
        <p className="small soft">
          {campaigns.intervals(sureOf(estimates.confidence, locale))}{" "}
          {hasChoice ? campaigns.viewHelp[view] : ""} {isLive ? campaigns.live : ""}
        </p>
        <div className="columns">
          {estimates.items.map((estimate) => (
            <OneEstimate
              key={estimate.name}
              estimate={estimate}
              question={questions.find(({ name }) => name === estimate.name)}
              confidence={estimates.confidence}
              view={view}
            />
          ))}
        </div>
      </section>
      <Fakes items={estimates.items} />
    </>
  )
}

interface OneEstimateProps {
  readonly estimate: QuestionEstimate
  readonly question: Campaign["questions"][number] | undefined
  readonly confidence: number
  readonly view: EstimateView
}

function OneEstimate({ estimate, question, confidence, view }: OneEstimateProps) {
  const { campaigns } = useStrings()
  const locale = useLocale()
  const isShare = estimate.kind === "choice"
  const points = useMemo(
    () => estimatePoints(estimate, { view, meanName: campaigns.meanOf }),
    [estimate, view, campaigns],
  )
  const range = useMemo(
    () => (question?.kind === "number" ? ([question.low, question.high] as const) : ([0, 100] as const)),
    [question],
  )
  const unit = isShare ? campaigns.sharePercent : campaigns.meanOf
  const all = estimate.options.length
  return (
    <section className="card stack" aria-label={estimate.text}>
      <div>
        <h3>{estimate.text}</h3>
        <p className="small soft">{campaigns.reportsOf(estimate.reports.toLocaleString(locale))}</p>
      </div>
      {points.length === 0 ? (
        <p className="soft">{estimate.reports === 0 ? campaigns.noReports : campaigns.tooFew}</p>
      ) : (
        <>
          <EstimateChart
            points={points}
            axis={unit}
            range={range}
            mark={isShare ? "bar" : "dot"}
            label={estimate.text}
          />
          <AnswerTable
            answer={tableOf(points, { unit, isShare, answer: campaigns.answer })}
            confidence={confidence}
            caption={estimate.text}
          />
          {points.length < all ? (
            <p className="small soft">{campaigns.largest(`${points.length}`, all.toLocaleString(locale))}</p>
          ) : null}
        </>
      )}
    </section>
  )
}

/** The points of the chart as a table. */
function tableOf(
  points: ReturnType<typeof estimatePoints>,
  { unit, isShare, answer }: { readonly unit: string; readonly isShare: boolean; readonly answer: string },
) {
  const number = { name: unit, type: "float", kind: "noisy" } as const
  return {
    columns: isShare ? [{ name: answer, type: "text", kind: "key" } as const, number] : [number],
    rows: points.map(({ name, value, low, high }) => ({
      [answer]: { value: name, state: "released" as const },
      [unit]: { value, low, high, state: "released" as const },
    })),
  }
}

function Fakes({ items }: { readonly items: readonly QuestionEstimate[] }) {
  const { campaigns } = useStrings()
  const [typed, setTyped] = useState("10")
  const fakes = Math.max(0, Math.floor(Number(typed))) || 0
  return (
    <section className="card stack">
      <h2>{campaigns.fakes}</h2>
      <p className="soft">{campaigns.fakesLead}</p>
      <div className="narrow">
        <Field
          label={campaigns.fakesCount}
          inputMode="numeric"
          value={typed}
          onChange={(text) => setTyped(text.trim())}
        />
      </div>
      <dl className="facts">
        {items.map((estimate) => (
          <FakesOf key={estimate.name} estimate={estimate} fakes={fakes} />
        ))}
      </dl>
    </section>
  )
}

function FakesOf({ estimate, fakes }: { readonly estimate: QuestionEstimate; readonly fakes: number }) {
  const { campaigns } = useStrings()
  const locale = useLocale()
  const moved = movedBy(estimate, fakes)
  const shown = (amount: number): string => {
    const number = lossNumber(amount, locale)
    return estimate.kind === "choice" ? campaigns.points(number) : number
  }
  return (
    <>
      <dt>{estimate.text}</dt>
      <dd>
        {moved === undefined
          ? campaigns.allFakes
          : `${campaigns.tooHigh} ${shown(moved.tooHigh)}, ${campaigns.tooLow} ${shown(moved.tooLow)}`}
      </dd>
    </>
  )
}
