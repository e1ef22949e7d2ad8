// The owner's risk report about a table: made by the server, saved as a page. Nothing of it stays on the
// screen, and whoever may not operate the server never sees the form.

import { use, useId, useState } from "react"
import { callText } from "../../api/server.ts"
import { useDoing } from "../../api/use-load.ts"
import { saveFile } from "../../parts/browser/save-file.ts"
import { useSession } from "../../parts/browser/session.tsx"
import { Button } from "../../parts/widgets/button.tsx"
import { Field } from "../../parts/widgets/field.tsx"
import { TroubleNotice } from "../../parts/widgets/notice.tsx"
import { LanguageContext, useStrings } from "../../strings/use-strings.ts"

/** The form of one table. */
export function RiskForm({ table }: { readonly table: string }) {
  const { data } = useStrings()
  const { risk } = data
  const { dataset } = useSession()
  const language = use(LanguageContext)
  const { isBusy, trouble, run } = useDoing()
  const [quasi, setQuasi] = useState("")
  const [sensitive, setSensitive] = useState("")
  const [person, setPerson] = useState("")
  const [second, setSecond] = useState<{ readonly name: string; readonly csv: string }>()
  const [pairs, setPairs] = useState("")
  const [saved, setSaved] = useState("")
  const name = dataset.kind === "ready" ? dataset.value?.name : undefined
  if (name === undefined) return null
  const make = (): void =>
    run(async () => {
      setSaved("")
      const body = {
        table,
        language,
        ...(quasi.trim() === "" ? {} : { quasi: namesIn(quasi) }),
        ...(sensitive.trim() === "" ? {} : { sensitive: namesIn(sensitive) }),
        ...(person.trim() === "" ? {} : { person: person.trim() }),
        ...(second === undefined ? {} : { link: { ...second, on: pairsIn(pairs) } }),
      }
      const page = await callText("makeRiskReport", { params: { dataset: name }, body })
      const file = `risk-${table}.html`
      saveFile(file, page, "text/html")
      setSaved(file)
    })
  return (
    <details>
      <summary>{risk.title}</summary>
      <form
        className="stack"
        aria-label={risk.title}
        onSubmit={(event) => {
          event.preventDefault()
          make()
        }}
      >
        <p>
          {risk.lead} <strong>{risk.warning}</strong>
        </p>
        <Field label={risk.quasi} help={risk.quasiHelp} value={quasi} onChange={setQuasi} />
        <Field label={risk.sensitive} value={sensitive} onChange={setSensitive} />
        <Field label={risk.person} help={risk.personHelp} value={person} onChange={setPerson} />
        <SecondFile onChange={setSecond} />
        {second === undefined ? null : (
          <Field label={risk.pairs} help={risk.pairsHelp} value={pairs} onChange={setPairs} />
        )}
        <p className="small soft">{risk.limits}</p>
        <div>
          <Button type="submit" isDisabled={isBusy}>
            {risk.make}
          </Button>
        </div>
        <p role="status" className="small soft">
          {isBusy ? risk.making : saved === "" ? "" : risk.saved(saved)}
        </p>
        {trouble === undefined ? null : <TroubleNotice trouble={trouble} />}
      </form>
    </details>
  )
}

interface SecondFileProps {
  readonly onChange: (file: { readonly name: string; readonly csv: string } | undefined) => void
}

/** A file of the owner's, to be joined with the table on the server. */
function SecondFile({ onChange }: SecondFileProps) {
  const { risk } = useStrings().data
  const id = useId()
  const read = async (file: File | undefined): Promise<void> =>
    onChange(file === undefined ? undefined : { name: file.name, csv: await file.text() })
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {risk.second}
      </label>
      <input
        id={id}
        type="file"
        accept=".csv,text/csv"
        aria-describedby={`${id}-help`}
        onChange={({ target }) => void read(target.files?.[0])}
      />
      <span id={`${id}-help`} className="small soft">
        {risk.secondHelp}
      </span>
    </div>
  )
}

/** From "age=years, zip=postcode"; what is no pair is left to the server to refuse by name. */
function pairsIn(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    namesIn(text).map((pair) => {
      const [own = "", ...theirs] = pair.split("=")
      return [own.trim(), theirs.join("=").trim()]
    }),
  )
}

function namesIn(text: string): readonly string[] {
  return text
    .split(/[,，]/)
    .map((part) => part.trim())
    .filter((part) => part !== "")
}
