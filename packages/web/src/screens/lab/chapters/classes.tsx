// k-anonymity and its attacks: two tables that are k-anonymous, and what they tell together.

import { useMemo, useState } from "react"
import { labPerson, publish, type CoarseTable, type Diagnosis } from "./coarse-tables.ts"
import { labBelief } from "../parts/lab-model.ts"
import { Segments } from "../../../parts/widgets/choice.tsx"
import { atMostPercent, sureOf } from "../../../parts/figures/format-number.ts"
import { useLabTexts } from "../../../strings/lab-texts.ts"
import { useLocale } from "../../../strings/use-strings.ts"
import type { Chapter } from "../parts/chapter.ts"

const choices = ["2", "3", "4", "5", "6"] as const

function ClassesPlay() {
  const words = useLabTexts().chapters.classes
  const locale = useLocale()
  const [k, setK] = useState<(typeof choices)[number]>("3")
  const { tables, common } = useMemo(() => publish(Number(k)), [k])
  const after = labBelief("1", "0.1").upper
  return (
    <>
      <div>
        <Segments
          label={words.k}
          value={k}
          onChange={setK}
          options={choices.map((id) => ({ id, text: `k = ${id}` }))}
        />
      </div>
      <p>{words.lead(k, `${labPerson.age}`, labPerson.postcode)}</p>
      <div className="columns">
        {tables.map((table, index) => (
          <Rows key={index} title={words.hospital(`${index + 1}`)} table={table} common={common} />
        ))}
      </div>
      <p>
        <b>{words.both(common.map((one) => words.diagnoses[one]).join(", "))}</b> {words.text}
      </p>
      <p>{words.instead(sureOf(0.1, locale), atMostPercent(after, locale))}</p>
    </>
  )
}

interface RowsProps {
  readonly title: string
  readonly table: CoarseTable
  readonly common: readonly Diagnosis[]
}

function Rows({ title, table: { own }, common }: RowsProps) {
  const words = useLabTexts().chapters.classes
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label={title}>
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{words.ages}</th>
            <th scope="col">{words.postcode}</th>
            <th scope="col">{words.diagnosis}</th>
          </tr>
        </thead>
        <tbody>
          {own.map(({ ages, postcode, diagnosis }, index) => (
            // Rows of a published table have no key, and never move.
            <tr key={index} className={common.includes(diagnosis) ? "lab-hit" : ""}>
              <td className="figure">{ages}</td>
              <td className="figure">{postcode}</td>
              <td>{words.diagnoses[diagnosis]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const ks = [3, 6, 12] as const

/** The first k at which the two tables share more than one diagnosis. */
function safeK(): string {
  return `${ks.find((k) => publish(k).common.length > 1) ?? "none"}`
}

/** The chapter. */
export const classes: Chapter = {
  id: "classes",
  Play: ClassesPlay,
  exercise: { kind: "choice", options: [...ks.map(String), "none"], answer: safeK },
}
