// The form that proposes a study.

import { useState, type FormEvent } from "react"
import { call } from "../../api/server.ts"
import { useDoing } from "../../api/use-load.ts"
import { Button } from "../../parts/widgets/button.tsx"
import { Check } from "../../parts/widgets/choice.tsx"
import { Field } from "../../parts/widgets/field.tsx"
import { TroubleNotice } from "../../parts/widgets/notice.tsx"
import { PageHead } from "../../parts/widgets/page-head.tsx"
import { usePurposeText } from "../../parts/studies/purpose-text.ts"
import { Link, useRouter } from "../../parts/browser/router.tsx"
import { useSession } from "../../parts/browser/session.tsx"
import { shortName } from "../../parts/widgets/short-name.ts"
import { usePurposes } from "../../parts/studies/study-facts.tsx"
import { useStrings } from "../../strings/use-strings.ts"
import { useLead } from "./use-lead.ts"

interface Proposal {
  readonly id: string
  readonly title: string
  readonly summary: string
  readonly people: string
  readonly starts: string
  readonly ends: string
  readonly epsilon: string
  readonly delta: string
}

const dayMs = 86_400_000

function today(later = 0): string {
  return new Date(Date.now() + later * dayMs).toISOString().slice(0, 10)
}

/** The screen. */
export function ProposeStudy() {
  const { studies } = useStrings()
  const { go } = useRouter()
  const { dataset } = useSession()
  const usual = dataset.kind === "ready" ? (dataset.value?.budget.delta ?? "") : ""
  const [proposal, setProposal] = useState<Proposal>({
    id: "",
    title: "",
    summary: "",
    people: "",
    starts: today(),
    ends: today(365),
    epsilon: "1",
    delta: "",
  })
  const [purposes, setPurposes] = useState<readonly string[]>([])
  const [airlock, setAirlock] = useState(false)
  const { isBusy, trouble, run } = useDoing()
  const send = (event: FormEvent): void => {
    event.preventDefault()
    run(async () => {
      const people = proposal.people.split(/[\s,;，、]+/).filter((name) => name !== "")
      const { id, delta } = proposal
      const terms = { id: id === "" ? shortName(proposal.title) : id, delta: delta === "" ? usual : delta }
      const made = await call("proposeStudy", { body: { ...proposal, ...terms, people, purposes, airlock } })
      go(`/studies/${made.id}`)
    })
  }
  return (
    <>
      <PageHead title={studies.propose} lead={useLead()} />
      <form className="card form" onSubmit={send}>
        <Words proposal={proposal} onChange={setProposal} />
        <Purposes chosen={purposes} onChange={setPurposes} />
        <Terms
          proposal={{ ...proposal, delta: proposal.delta === "" ? usual : proposal.delta }}
          onChange={setProposal}
        />
        <Check isOn={airlock} onChange={setAirlock}>
          {studies.airlock}
        </Check>
        {trouble === undefined ? null : <TroubleNotice trouble={trouble} />}
        <div className="row">
          <Button type="submit" variant="primary" isDisabled={isBusy}>
            {studies.propose}
          </Button>
          <Link to="/studies" className="button">
            {studies.title}
          </Link>
        </div>
      </form>
    </>
  )
}

interface PartProps {
  readonly proposal: Proposal
  readonly onChange: (proposal: Proposal) => void
}

function Words({ proposal, onChange }: PartProps) {
  const { studies } = useStrings()
  const set = (name: keyof Proposal) => (text: string) => onChange({ ...proposal, [name]: text })
  return (
    <>
      <div className="form-grid">
        <Field label={studies.name} value={proposal.title} onChange={set("title")} isRequired autoFocus />
        <Field
          label={studies.id}
          help={studies.idHelp}
          value={proposal.id === "" ? shortName(proposal.title) : proposal.id}
          onChange={set("id")}
          isCode
        />
      </div>
      <Field
        label={studies.summary}
        help={studies.summaryHelp}
        lines="many"
        value={proposal.summary}
        onChange={set("summary")}
        isRequired
      />
      <Field
        label={studies.people}
        help={studies.peopleHelp}
        value={proposal.people}
        onChange={set("people")}
      />
    </>
  )
}

function Terms({ proposal, onChange }: PartProps) {
  const { studies } = useStrings()
  const { dataset } = useSession()
  const all = dataset.kind === "ready" ? (dataset.value?.budget.delta ?? "") : ""
  const set = (name: keyof Proposal) => (text: string) => onChange({ ...proposal, [name]: text.trim() })
  return (
    <div className="form-grid">
      <Field label={studies.starts} type="date" value={proposal.starts} onChange={set("starts")} isRequired />
      <Field label={studies.ends} type="date" value={proposal.ends} onChange={set("ends")} isRequired />
      <Field
        label={studies.epsilon}
        inputMode="decimal"
        value={proposal.epsilon}
        onChange={set("epsilon")}
        isRequired
      />
      <Field
        label={studies.delta}
        help={studies.deltaHelp(all)}
        inputMode="decimal"
        value={proposal.delta}
        onChange={set("delta")}
        isRequired
      />
    </div>
  )
}

interface PurposesProps {
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
}

function Purposes({ chosen, onChange }: PurposesProps) {
  const { studies } = useStrings()
  const purposes = usePurposes()
  const textOf = usePurposeText()
  const toggle = (code: string, isOn: boolean): void =>
    onChange(isOn ? [...chosen, code] : chosen.filter((other) => other !== code))
  return (
    <div className="columns">
      {(["permission", "modifier"] as const).map((kind) => (
        <fieldset key={kind} className="card stack-tight">
          <legend>{kind === "permission" ? studies.purposes : studies.conditions}</legend>
          {purposes
            .filter((purpose) => purpose.kind === kind)
            .map(({ code, name }) => (
              <Check key={code} isOn={chosen.includes(code)} onChange={(isOn) => toggle(code, isOn)}>
                {textOf(code, name).name} <span className="small soft">{code}</span>
              </Check>
            ))}
        </fieldset>
      ))}
    </div>
  )
}
