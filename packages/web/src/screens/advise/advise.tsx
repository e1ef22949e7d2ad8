// The epsilon adviser: a question, what is tolerable, and what follows from both.

import type { DosimeterError } from "@dosimeter/core"
import { useState, type FormEvent } from "react"
import type { Trouble } from "../../api/trouble.ts"
import { Button } from "../../parts/widgets/button.tsx"
import { Choice } from "../../parts/widgets/choice.tsx"
import { Field } from "../../parts/widgets/field.tsx"
import { Loading, TroubleNotice } from "../../parts/widgets/notice.tsx"
import { PageHead } from "../../parts/widgets/page-head.tsx"
import { useStrings } from "../../strings/use-strings.ts"
import { adviceOn, firstDraft, type AdviseDraft, type Advised } from "./advise-draft.ts"
import { AdviceView } from "./advice-view.tsx"

/** The screen. */
export function AdvisePage() {
  const { advise } = useStrings()
  const [draft, setDraft] = useState(firstDraft)
  const [advised, setAdvised] = useState<Advised | "working">()
  const ask = (event: FormEvent): void => {
    event.preventDefault()
    setAdvised("working")
    // The page says that it works before the search begins, which takes a second or two.
    setTimeout(() => setAdvised(adviceOn(draft)), 30)
  }
  return (
    <>
      <PageHead title={advise.title} lead={advise.lead} />
      <div className="columns">
        <form className="stack" onSubmit={ask}>
          <Question draft={draft} onChange={setDraft} />
          <Tolerable draft={draft} onChange={setDraft} />
          <div>
            <Button type="submit" variant="primary">
              {advise.advise}
            </Button>
          </div>
        </form>
        <div className="stack">
          {advised === undefined ? null : advised === "working" ? (
            <Loading />
          ) : advised.kind === "advice" ? (
            <AdviceView advice={advised.advice} question={advised.question} />
          ) : (
            <TroubleNotice trouble={troubleIn(advised.error)} />
          )}
        </div>
      </div>
    </>
  )
}

function troubleIn({ kind, issues }: DosimeterError): Trouble {
  const [{ code, message, help, facts }] = issues
  return { kind, code, message, help, facts, others: [] }
}

interface PartProps {
  readonly draft: AdviseDraft
  readonly onChange: (draft: AdviseDraft) => void
}

type Name = Exclude<keyof AdviseDraft, "unit">

interface DraftFieldProps extends PartProps {
  readonly name: Name
  readonly help?: string
}

/** A field of the draft. */
function DraftField({ draft, onChange, name, help }: DraftFieldProps) {
  const { advise } = useStrings()
  return (
    <Field
      inputMode="decimal"
      label={advise[name]}
      value={draft[name]}
      onChange={(value) => onChange({ ...draft, [name]: value.trim() })}
      {...(help === undefined ? {} : { help })}
    />
  )
}

function Question({ draft, onChange }: PartProps) {
  const { advise } = useStrings()
  const part = { draft, onChange }
  return (
    <section className="card form" aria-label={advise.question}>
      <h2>{advise.question}</h2>
      <div className="form-grid">
        <DraftField {...part} name="population" />
        <DraftField {...part} name="count" />
        <DraftField {...part} name="groups" help={advise.groupsHelp} />
        <DraftField {...part} name="groupsPerPerson" />
        <DraftField {...part} name="releases" help={advise.releasesHelp} />
        <DraftField {...part} name="delta" />
      </div>
      <Choice
        label={advise.unit}
        value={draft.unit}
        onChange={(unit) => onChange({ ...draft, unit })}
        options={[
          { id: "person", text: advise.units.person },
          { id: "person-release", text: advise.units["person-release"] },
        ]}
      />
    </section>
  )
}

function Tolerable({ draft, onChange }: PartProps) {
  const { advise } = useStrings()
  const part = { draft, onChange }
  return (
    <>
      <section className="card form" aria-label={advise.error}>
        <h2>{advise.error}</h2>
        <p className="small soft">{advise.empty}</p>
        <div className="form-grid">
          <DraftField {...part} name="deviation" />
          <DraftField {...part} name="within" />
          <DraftField {...part} name="confidence" />
          <DraftField {...part} name="meanError" />
        </div>
      </section>
      <section className="card form" aria-label={advise.risk}>
        <h2>{advise.risk}</h2>
        <div className="form-grid">
          <DraftField {...part} name="odds" />
          <DraftField {...part} name="belief" />
          <DraftField {...part} name="advantage" />
          <DraftField {...part} name="maxEpsilon" />
        </div>
      </section>
      <details className="card">
        <summary>{advise.prices}</summary>
        <div className="form-grid">
          <DraftField {...part} name="errorPrice" />
          <DraftField {...part} name="privacyPrice" />
        </div>
      </details>
    </>
  )
}
