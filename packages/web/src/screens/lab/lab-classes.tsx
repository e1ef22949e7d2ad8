// The Lab's last step: two tables that are k-anonymous, and what they tell together.

import { useMemo, useState } from "react"
import { labPerson, publish, type CoarseTable, type Diagnosis } from "./coarse-tables.ts"
import { labBelief } from "./lab-model.ts"
import { Segments } from "../../parts/widgets/choice.tsx"
import { atMostPercent, sureOf } from "../../parts/figures/format-number.ts"
import { useLocale, useStrings } from "../../strings/use-strings.ts"

const choices = ["2", "3", "4", "5", "6"] as const

/** The step. */
export function LabClasses({ epsilon }: { readonly epsilon: string }) {
  const { classes } = useStrings().lab
  const locale = useLocale()
  const [k, setK] = useState<(typeof choices)[number]>("3")
  const { tables, common } = useMemo(() => publish(Number(k)), [k])
  const after = labBelief(`${2 * Number(epsilon)}`, "0.1").upper
  return (
    <section className="card stack">
      <h2>{classes.title}</h2>
      <div>
        <Segments
          label={classes.k}
          value={k}
          onChange={setK}
          options={choices.map((id) => ({ id, text: `k = ${id}` }))}
        />
      </div>
      <p>{classes.lead(k, `${labPerson.age}`, labPerson.postcode)}</p>
      <div className="columns">
        {tables.map((table, index) => (
          <Rows key={index} title={classes.hospital(`${index + 1}`)} table={table} common={common} />
        ))}
      </div>
      <p>
        <b>{classes.both(common.map((one) => classes.diagnoses[one]).join(", "))}</b> {classes.text}
      </p>
      <p>{classes.instead(sureOf(0.1, locale), atMostPercent(after, locale))}</p>
    </section>
  )
}

interface RowsProps {
  readonly title: string
  readonly table: CoarseTable
  readonly common: readonly Diagnosis[]
}

function Rows({ title, table: { own }, common }: RowsProps) {
  const { classes } = useStrings().lab
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label={title}>
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{classes.ages}</th>
            <th scope="col">{classes.postcode}</th>
            <th scope="col">{classes.diagnosis}</th>
          </tr>
        </thead>
        <tbody>
          {own.map(({ ages, postcode, diagnosis }, index) => (
            // Rows of a published table have no key, and never move.
            <tr key={index} className={common.includes(diagnosis) ? "lab-hit" : ""}>
              <td className="figure">{ages}</td>
              <td className="figure">{postcode}</td>
              <td>{classes.diagnoses[diagnosis]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
