// An answer: as a table, as a chart with intervals, and what can be done with it.

import { useState, type ReactNode } from "react"
import { noteText } from "@dosimeter/answers/shown/note-words"
import { answerCsv, isWhole, type Answer } from "../../api/answer.ts"
import { drawableColumns } from "../../charts/answer-points.ts"
import { useLocale, useStrings } from "../../strings/use-strings.ts"
import { AnswerTable } from "./answer-table.tsx"
import { Button } from "../widgets/button.tsx"
import { Check, Choice } from "../widgets/choice.tsx"
import { sureOf } from "./format-number.ts"
import { lazily } from "../browser/lazily.tsx"
import { saveFile } from "../browser/save-file.ts"
import { Tabs } from "../widgets/tabs.tsx"

const AnswerChart = lazily(async () => (await import("../../charts/answer-chart.tsx")).AnswerChart)

interface AnswerViewProps {
  readonly answer: Answer
  /** Of the intervals; undefined where nobody says it. */
  readonly confidence: number | undefined
  /** For the names of files. */
  readonly name: string
  readonly receipt: unknown
  readonly children?: ReactNode
}

/** Table, chart and downloads of an answer. */
export function AnswerView({ answer, confidence, name, receipt, children }: AnswerViewProps) {
  const { ask, notes, number } = useStrings()
  const locale = useLocale()
  const columns = drawableColumns(answer)
  const rows = ask.resultRows(answer.rows.length.toLocaleString(locale))
  const sure = confidence === undefined ? undefined : ask.sure(sureOf(confidence, locale))
  const [parts, setParts] = useState(false)
  const hasParts = answer.columns.some(({ bounding }) => isWhole(bounding))
  const table = (
    <div className="stack-tight">
      <AnswerTable answer={answer} confidence={confidence} caption={`${ask.result}, ${rows}`} parts={parts} />
      {hasParts && columns.length > 0 ? (
        <Check isOn={parts} onChange={setParts}>
          {number.showParts}
        </Check>
      ) : null}
    </div>
  )
  return (
    <div className="stack">
      {columns.length === 0 ? (
        table
      ) : (
        <Tabs
          label={ask.result}
          tabs={[
            { id: "table", title: ask.table, content: table },
            { id: "chart", title: ask.chart, content: <ChartTab answer={answer} caption={sure ?? ""} /> },
          ]}
        />
      )}
      {answer.noteFacts?.map((note) => (
        <p key={JSON.stringify(note)} className="small soft">
          {noteText(note, notes)}
        </p>
      ))}
      <p className="small soft">{[rows, ...(sure === undefined ? [] : [sure])].join(" · ")}</p>
      <div className="row no-print">
        <Button size="small" onPress={() => saveFile(`${name}.csv`, answerCsv(answer), "text/csv")}>
          {ask.csv}
        </Button>
        <Button size="small" onPress={() => saveJson(`${name}.json`, { ...answer, receipt })}>
          {ask.json}
        </Button>
        <Button size="small" onPress={() => saveJson(`${name}-receipt.json`, receipt)}>
          {ask.receipt}
        </Button>
        {children}
      </div>
    </div>
  )
}

function ChartTab({ answer, caption }: { readonly answer: Answer; readonly caption: string }) {
  const { ask, number } = useStrings()
  const columns = drawableColumns(answer)
  const [chosen, setChosen] = useState(columns[0]?.name ?? "")
  return (
    <div className="stack">
      {columns.length > 1 ? (
        <div style={{ maxWidth: "18rem" }}>
          <Choice
            label={ask.chart}
            value={chosen}
            onChange={setChosen}
            options={columns.map(({ name }) => ({ id: name, text: name }))}
          />
        </div>
      ) : null}
      <AnswerChart answer={answer} column={chosen} caption={caption} words={number} />
    </div>
  )
}

function saveJson(name: string, value: unknown): void {
  saveFile(name, `${JSON.stringify(value, null, 2)}\n`, "application/json")
}
