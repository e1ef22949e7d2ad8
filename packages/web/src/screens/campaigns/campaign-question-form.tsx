// One question of a campaign that is planned: what is asked, and what can be answered.

import { Button } from "../../parts/widgets/button.tsx"
import type { DraftQuestion } from "./campaign-plan.ts"
import { Segments } from "../../parts/widgets/choice.tsx"
import { Field } from "../../parts/widgets/field.tsx"
import { useStrings } from "../../strings/use-strings.ts"

interface CampaignQuestionFormProps {
  readonly title: string
  readonly question: DraftQuestion
  readonly onChange: (question: DraftQuestion) => void
  /** Absent for the only question. */
  readonly onRemove?: () => void
}

/** The fields of a question. */
export function CampaignQuestionForm(props: CampaignQuestionFormProps) {
  const { title, question, onChange, onRemove } = props
  const { campaigns } = useStrings()
  const set = (name: "text" | "options" | "low" | "high") => (text: string) =>
    onChange({ ...question, [name]: text })
  return (
    <section className="card form" aria-label={title}>
      <div className="row split">
        <h2>{title}</h2>
        {onRemove === undefined ? null : (
          <Button size="small" variant="quiet" label={`${campaigns.remove}: ${title}`} onPress={onRemove}>
            {campaigns.remove}
          </Button>
        )}
      </div>
      <Field label={campaigns.questionText} value={question.text} onChange={set("text")} isRequired />
      <div>
        <Segments
          label={campaigns.kind}
          options={[
            { id: "choice", text: campaigns.kinds.choice },
            { id: "number", text: campaigns.kinds.number },
          ]}
          value={question.kind}
          onChange={(kind) => onChange({ ...question, kind })}
        />
      </div>
      {question.kind === "choice" ? (
        <Field
          label={campaigns.options}
          lines="many"
          value={question.options}
          onChange={set("options")}
          isRequired
        />
      ) : (
        <div className="form-grid">
          <Field
            label={campaigns.low}
            inputMode="decimal"
            value={question.low}
            onChange={set("low")}
            isRequired
          />
          <Field
            label={campaigns.high}
            inputMode="decimal"
            value={question.high}
            onChange={set("high")}
            isRequired
          />
        </div>
      )}
    </section>
  )
}
