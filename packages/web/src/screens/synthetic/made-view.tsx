// What was made: how far it is from the data, as a picture and as numbers, and the rows as files.

import { useState, type FormEvent } from "react"
import { callText, type SyntheticBody } from "../../api/server.ts"
import { useDoing } from "../../api/use-load.ts"
import { lazily } from "../../parts/browser/lazily.tsx"
import { saveFile } from "../../parts/browser/save-file.ts"
import { percentOf, sureOf } from "../../parts/figures/format-number.ts"
import { Button } from "../../parts/widgets/button.tsx"
import { Field } from "../../parts/widgets/field.tsx"
import { TroubleNotice } from "../../parts/widgets/notice.tsx"
import { useLocale, useStrings } from "../../strings/use-strings.ts"
import type { Made } from "./synthetic-draft.ts"

const PairMap = lazily(async () => (await import("../../charts/pair-map.tsx")).PairMap)

interface MadeProps {
  readonly made: Made
  readonly body: SyntheticBody
}

/** The report and the files. */
export function MadeView({ made, body }: MadeProps) {
  return (
    <>
      <Report made={made} />
      <Download made={made} body={body} />
    </>
  )
}

type Line = Made["report"][number]

const worstShown = 10

function Report({ made: { report, confidence, origin, cost, rows } }: { readonly made: Made }) {
  const { synthetic } = useStrings()
  const locale = useLocale()
  const ones = report.filter(({ columns }) => columns.length === 1)
  const pairs = report.filter(({ columns }) => columns.length > 1).toSorted((a, b) => b.guess - a.guess)
  const worst = pairs.slice(0, worstShown)
  const most = Math.max(0, ...report.map(({ guess }) => guess))
  return (
    <section className="card stack" aria-label={synthetic.report}>
      <h2>{synthetic.report}</h2>
      <p role="status">
        {origin === "recorded" ? synthetic.free : synthetic.paid(cost.words)}{" "}
        {synthetic.rowsMade(rows.toLocaleString(locale))}
      </p>
      <p className="small soft">{synthetic.reportHelp(sureOf(Number(confidence), locale))}</p>
      {pairs.length === 0 ? null : (
        <PairMap lines={report} label={synthetic.mapLabel} caption={synthetic.map(percentOf(most, locale))} />
      )}
      <Lines lines={ones} name={synthetic.column} />
      {worst.length === 0 ? null : (
        <>
          <h3>{synthetic.worst(`${worst.length}`, pairs.length.toLocaleString(locale))}</h3>
          <Lines lines={worst} name={synthetic.pair} />
        </>
      )}
    </section>
  )
}

function Lines({ lines, name }: { readonly lines: readonly Line[]; readonly name: string }) {
  const { synthetic } = useStrings()
  const locale = useLocale()
  const percent = (share: number): string => percentOf(share, locale)
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label={name}>
      <table>
        <thead>
          <tr>
            <th scope="col">{name}</th>
            <th scope="col">{synthetic.off}</th>
            <th scope="col">{synthetic.between}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ columns, low, guess, high }) => (
            <tr key={columns.join(" ")}>
              <th scope="row">
                <code>{columns.join(" · ")}</code>
              </th>
              <td className="figure">{percent(guess)}</td>
              <td className="figure soft">{synthetic.range(percent(low), percent(high))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Download({ made, body }: MadeProps) {
  const { synthetic } = useStrings()
  const [rows, setRows] = useState("")
  const [seed, setSeed] = useState("1")
  const [saved, setSaved] = useState("")
  const { isBusy, trouble, run } = useDoing()
  const count = rows.trim() === "" ? undefined : Number(rows)
  const isWrong = count !== undefined && !(Number.isInteger(count) && count >= 1 && count <= 100_000)
  const second = body.rowsOf?.table
  const save = (part: "units" | "rows", table: string): void => {
    if (isWrong) return
    run(async () => {
      setSaved("")
      const which = { ...(count === undefined ? {} : { rows: count }), seed, part }
      const text = await callText("makeSynthetic", { body: { ...body, ...which } })
      const file = `synthetic-${table}.csv`
      saveFile(file, text, "text/csv")
      setSaved(file)
    })
  }
  const send = (event: FormEvent): void => {
    event.preventDefault()
    save("units", body.table ?? "rows")
  }
  return (
    <form className="card form" aria-label={synthetic.download} onSubmit={send}>
      <h2>{synthetic.download}</h2>
      <p className="small soft">{synthetic.downloadHelp}</p>
      <div className="form-grid">
        <Field
          label={synthetic.rows}
          help={synthetic.rowsPlaceholder}
          value={rows}
          onChange={(text) => setRows(text.trim())}
          inputMode="numeric"
          error={isWrong ? synthetic.rowsWrong : undefined}
        />
        <Field label={synthetic.seed} help={synthetic.seedHelp} value={seed} onChange={setSeed} />
      </div>
      <div className="row">
        <Button type="submit" variant="primary" isDisabled={isBusy || isWrong}>
          {synthetic.csv}
        </Button>
        {second === undefined || made.rowsOfSecondTable === null ? null : (
          <Button isDisabled={isBusy || isWrong} onPress={() => save("rows", second)}>
            {synthetic.csvOf(second)}
          </Button>
        )}
      </div>
      <p role="status" className="small soft">
        {saved === "" ? "" : synthetic.saved(saved)}
      </p>
      {trouble === undefined ? null : <TroubleNotice trouble={trouble} />}
    </form>
  )
}
