// The form that plans a campaign, with what it will be worth beside it.

import { useDeferredValue, useMemo, useState, type FormEvent } from "react"
import { call } from "../../api/server.ts"
import { useDoing } from "../../api/use-load.ts"
import { Button } from "../../parts/widgets/button.tsx"
import { forecastOf, planOf, type CampaignDraft, type DraftQuestion } from "./campaign-plan.ts"
import { Field } from "../../parts/widgets/field.tsx"
import { TroubleNotice } from "../../parts/widgets/notice.tsx"
import { PageHead } from "../../parts/widgets/page-head.tsx"
import { Link, useRouter } from "../../parts/browser/router.tsx"
import { shortName } from "../../parts/widgets/short-name.ts"
import { useStrings } from "../../strings/use-strings.ts"
import { CampaignForecast } from "./campaign-forecast.tsx"
import { CampaignQuestionForm } from "./campaign-question-form.tsx"

const questionsMax = 50

function newQuestion(key: number): DraftQuestion {
  return { key, kind: "choice", text: "", options: "", low: "", high: "" }
}

const start: CampaignDraft = {
  title: "",
  id: "",
  summary: "",
  epsilon: "1",
  people: "1000",
  widest: "10",
  questions: [newQuestion(1)],
}

/** The screen. */
export function PlanCampaign() {
  const { campaigns } = useStrings()
  const { go } = useRouter()
  const [draft, setDraft] = useState(start)
  // The forecast is deferred, so that typing never waits for it.
  const settled = useDeferredValue(draft)
  const forecast = useMemo(() => forecastOf(settled), [settled])
  const { isBusy, trouble, run } = useDoing()
  const canSend = forecast.kind === "ready" && forecast.needed === undefined
  const send = (event: FormEvent): void => {
    event.preventDefault()
    run(async () => {
      const made = await call("createCampaign", { body: planOf(draft) })
      go(`/campaigns/${made.id}`)
    })
  }
  return (
    <>
      <PageHead title={campaigns.plan} lead={campaigns.lead} />
      <form className="columns" onSubmit={send}>
        <div className="stack">
          <section className="card form">
            <Words draft={draft} onChange={setDraft} />
          </section>
          <Questions draft={draft} onChange={setDraft} />
        </div>
        <div className="stack">
          <section className="card form">
            <Terms draft={draft} onChange={setDraft} />
          </section>
          <CampaignForecast forecast={forecast} />
          {trouble === undefined ? null : <TroubleNotice trouble={trouble} />}
          <div className="row">
            <Button type="submit" variant="primary" isDisabled={isBusy || !canSend}>
              {campaigns.plan}
            </Button>
            <Link to="/campaigns" className="button">
              {campaigns.title}
            </Link>
          </div>
        </div>
      </form>
    </>
  )
}

interface PartProps {
  readonly draft: CampaignDraft
  readonly onChange: (draft: CampaignDraft) => void
}

function Words({ draft, onChange }: PartProps) {
  const { campaigns } = useStrings()
  const set = (name: "title" | "id" | "summary") => (text: string) => onChange({ ...draft, [name]: text })
  return (
    <>
      <div className="form-grid">
        <Field label={campaigns.name} value={draft.title} onChange={set("title")} isRequired autoFocus />
        <Field
          label={campaigns.id}
          help={campaigns.idHelp}
          value={draft.id === "" ? shortName(draft.title) : draft.id}
          onChange={set("id")}
          isCode
          isRequired
        />
      </div>
      <Field
        label={campaigns.summary}
        help={campaigns.summaryHelp}
        lines="many"
        value={draft.summary}
        onChange={set("summary")}
        isRequired
      />
    </>
  )
}

function Terms({ draft, onChange }: PartProps) {
  const { campaigns } = useStrings()
  const set = (name: "epsilon" | "people" | "widest") => (text: string) =>
    onChange({ ...draft, [name]: text.trim() })
  return (
    <>
      <Field
        label={campaigns.epsilon}
        help={campaigns.epsilonHelp}
        inputMode="decimal"
        value={draft.epsilon}
        onChange={set("epsilon")}
        isRequired
      />
      <Field
        label={campaigns.people}
        inputMode="numeric"
        value={draft.people}
        onChange={set("people")}
        isRequired
      />
      <Field
        label={campaigns.widest}
        help={campaigns.widestHelp}
        inputMode="decimal"
        value={draft.widest}
        onChange={set("widest")}
        isRequired
      />
    </>
  )
}

function Questions({ draft, onChange }: PartProps) {
  const { campaigns } = useStrings()
  const { questions } = draft
  const change = (next: readonly DraftQuestion[]): void => onChange({ ...draft, questions: next })
  return (
    <>
      {questions.map((question, index) => (
        <CampaignQuestionForm
          key={question.key}
          title={campaigns.question(`${index + 1}`)}
          question={question}
          onChange={(next) => change(questions.map((other) => (other.key === next.key ? next : other)))}
          {...(questions.length === 1
            ? {}
            : { onRemove: () => change(questions.filter(({ key }) => key !== question.key)) })}
        />
      ))}
      <div className="row split">
        <Button
          isDisabled={questions.length >= questionsMax}
          onPress={() =>
            change([...questions, newQuestion(1 + Math.max(...questions.map(({ key }) => key)))])
          }
        >
          {campaigns.add}
        </Button>
        {questions.length > 1 ? <p className="small soft">{campaigns.eachOne}</p> : null}
      </div>
    </>
  )
}
