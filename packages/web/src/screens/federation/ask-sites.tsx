// The form that asks the sites of a study.

import { useCallback, useState, type FormEvent } from "react"
import { call, type Reply } from "../../api/server.ts"
import { useDoing, useLoad } from "../../api/use-load.ts"
import { Button } from "../../parts/widgets/button.tsx"
import { Choice } from "../../parts/widgets/choice.tsx"
import { Field } from "../../parts/widgets/field.tsx"
import { Loaded } from "../../parts/widgets/loaded.tsx"
import { TroubleNotice } from "../../parts/widgets/notice.tsx"
import { PageHead } from "../../parts/widgets/page-head.tsx"
import { tell } from "../../parts/widgets/toasts.tsx"
import { Link, useRouter } from "../../parts/browser/router.tsx"
import { useStrings } from "../../strings/use-strings.ts"

type Wanted = Reply<"getJob">["mode"] | "model"

/** The screen. */
export function AskSites() {
  const { jobs } = useStrings()
  const study = useLoad(useCallback(() => call("getStudyLed"), []))
  return (
    <>
      <PageHead title={jobs.ask} lead={jobs.lead} />
      <Loaded of={study}>{(of) => <AskForm study={of} />}</Loaded>
    </>
  )
}

function AskForm({ study }: { readonly study: Reply<"getStudyLed"> }) {
  const { jobs } = useStrings()
  const { go } = useRouter()
  const [sql, setSql] = useState("")
  const [purpose, setPurpose] = useState("")
  const [wanted, setWanted] = useState<Wanted>("summed")
  const [model, setModel] = useState(usualModel)
  const [epsilon, setEpsilon] = useState(study.epsilonDefault)
  const [hours, setHours] = useState("168")
  const { isBusy, trouble, run } = useDoing()
  const send = (event: FormEvent): void => {
    event.preventDefault()
    run(async () => {
      const mode = wanted === "separate" ? "separate" : "summed"
      const asked = { sql, purpose, mode, epsilon: epsilon.trim(), hours: Number(hours) } as const
      const fitted = { ...model, target: model.target.trim(), rounds: Number(model.rounds) }
      const body = wanted === "model" ? { ...asked, model: fitted } : asked
      const { id } = await call("askSites", { body })
      tell(jobs.offered(id.slice(0, 12)))
      go(`/jobs/${id.slice(0, 12)}`)
    })
  }
  return (
    <div className="columns">
      <form className="card form" onSubmit={send}>
        <Field
          label={jobs.question}
          help={wanted === "model" ? jobs.rowsHelp : jobs.questionHelp}
          lines="many"
          isCode
          isRequired
          value={sql}
          onChange={setSql}
          autoFocus
        />
        <Field
          label={jobs.purpose}
          help={jobs.purposeHelp}
          value={purpose}
          onChange={setPurpose}
          isRequired
        />
        <Choice
          label={jobs.mode}
          help={jobs.modeHelp[wanted]}
          value={wanted}
          onChange={setWanted}
          options={(["summed", "separate", "model"] as const).map((id) => ({ id, text: jobs.modes[id] }))}
        />
        {wanted === "model" ? <ModelFields model={model} onChange={setModel} /> : null}
        <div className="form-grid">
          <Field label={jobs.epsilon} inputMode="decimal" value={epsilon} onChange={setEpsilon} isRequired />
          <Field label={jobs.hours} inputMode="decimal" value={hours} onChange={setHours} isRequired />
        </div>
        {trouble === undefined ? null : <TroubleNotice trouble={trouble} free />}
        <div className="row">
          <Button type="submit" variant="primary" isDisabled={isBusy}>
            {jobs.ask}
          </Button>
          <Link to="/jobs" className="button">
            {jobs.title}
          </Link>
        </div>
      </form>
      <StudyTables study={study} />
    </div>
  )
}

/** A regression as it is typed. */
interface TypedModel {
  readonly kind: ModelKind
  readonly target: string
  readonly rounds: string
}

type ModelKind = NonNullable<Reply<"getJob">["model"]>["kind"]

const usualModel: TypedModel = { kind: "logistic", target: "", rounds: "200" }

interface ModelFieldsProps {
  readonly model: TypedModel
  readonly onChange: (model: TypedModel) => void
}

function ModelFields({ model, onChange }: ModelFieldsProps) {
  const { jobs } = useStrings()
  const { kind, target, rounds } = model
  return (
    <div className="form-grid">
      <Choice
        label={jobs.kind}
        value={kind}
        onChange={(value) => onChange({ ...model, kind: value })}
        options={(["linear", "logistic", "poisson"] as const).map((id) => ({ id, text: jobs.kinds[id] }))}
      />
      <Field
        label={jobs.target}
        help={jobs.targetHelp}
        value={target}
        onChange={(value) => onChange({ ...model, target: value })}
        isRequired
      />
      <Field
        label={jobs.rounds}
        help={jobs.roundsHelp}
        inputMode="numeric"
        value={rounds}
        onChange={(value) => onChange({ ...model, rounds: value })}
        isRequired
      />
    </div>
  )
}

function StudyTables({ study }: { readonly study: Reply<"getStudyLed"> }) {
  const { jobs } = useStrings()
  return (
    <section className="card stack">
      <h2>{jobs.tables}</h2>
      {study.tables.map(({ name, columns }) => (
        <div key={name}>
          <h3>{name}</h3>
          <p className="small soft">{columns.join(", ")}</p>
        </div>
      ))}
    </section>
  )
}
