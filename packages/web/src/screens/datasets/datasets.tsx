// The dataset as the owner declared it: the promise in plain words, then tables and columns.

import { useState } from "react"
import { Field } from "../../parts/widgets/field.tsx"
import { lazily } from "../../parts/browser/lazily.tsx"
import { Loading, TroubleNotice } from "../../parts/widgets/notice.tsx"
import { PageHead } from "../../parts/widgets/page-head.tsx"
import { Link, useRouter } from "../../parts/browser/router.tsx"
import { RiskForm } from "./risk-form.tsx"
import { useSession, type Dataset } from "../../parts/browser/session.tsx"
import { Tag } from "../../parts/widgets/tag.tsx"
import { useStrings } from "../../strings/use-strings.ts"

type Table = Dataset["tables"][number]
type Column = Table["columns"][number]

// The reader of policies is heavy, and only the owner needs it here.
const Guide = lazily(async () => (await import("./guide.tsx")).Guide)

/** The screen: what is declared, or the way to declare another dataset. */
export function DataPage() {
  const { path } = useRouter()
  const { can } = useSession()
  if (path !== "/data/new" || !can("manage-accounts")) return <DeclaredPage />
  return <Guide />
}

function DeclaredPage() {
  const { dataset, can } = useSession()
  const { data, guide } = useStrings()
  return (
    <>
      <PageHead title={data.title} lead={data.lead}>
        {can("manage-accounts") ? (
          <Link to="/data/new" className="button">
            {guide.open}
          </Link>
        ) : null}
      </PageHead>
      {dataset.kind === "loading" ? <Loading /> : null}
      {dataset.kind === "trouble" ? <TroubleNotice trouble={dataset.trouble} /> : null}
      {dataset.kind === "ready" && dataset.value !== undefined ? <Declared dataset={dataset.value} /> : null}
    </>
  )
}

function Declared({ dataset }: { readonly dataset: Dataset }) {
  const { data } = useStrings()
  const [wanted, setWanted] = useState("")
  const { name, unit, neighbours, budget, question, bounding, shownFrom, slotMs, studies } = dataset
  const promises = [
    `${data.protects(unit)} ${data.neighbours[neighbours]}`,
    data.budget(budget.epsilon, budget.delta),
    data.question(question.epsilonDefault, question.epsilonMax),
    data.norm[bounding.norm](unit),
    data.bounding(unit, bounding.groupsPerUnit, bounding.rowsPerGroup),
    ...(shownFrom === null ? [] : [data.shownFrom(shownFrom)]),
    ...(slotMs === null ? [] : [data.slot(`${slotMs}`)]),
    ...(studies ? [data.studies] : []),
  ]
  const tables = tablesWith(dataset.tables, wanted)
  return (
    <div className="stack">
      <section className="card">
        <h2>{name}</h2>
        <ul>
          {promises.map((promise) => (
            <li key={promise}>{promise}</li>
          ))}
        </ul>
      </section>
      <section className="stack">
        <div className="row split">
          <h2>{data.tables}</h2>
          <div style={{ width: "min(20rem, 100%)" }}>
            <Field label={data.filter} type="search" value={wanted} onChange={setWanted} />
          </div>
        </div>
        {tables.length === 0 ? <p className="soft">{data.nothingFound}</p> : null}
        {tables.map((table) => (
          <TableCard key={table.name} table={table} person={unit} isOpen={wanted !== ""} />
        ))}
      </section>
    </div>
  )
}

/** Tables whose name matches, with all columns; other tables with the columns whose names match. */
function tablesWith(tables: readonly Table[], wanted: string): readonly Table[] {
  const word = wanted.trim().toLowerCase()
  if (word === "") return tables
  return tables.flatMap((table) => {
    if (table.name.toLowerCase().includes(word)) return [table]
    const columns = table.columns.filter(({ name }) => name.toLowerCase().includes(word))
    return columns.length === 0 ? [] : [{ ...table, columns }]
  })
}

interface TableCardProps {
  readonly table: Table
  /** The dataset's word for the unit that it protects. */
  readonly person: string
  readonly isOpen: boolean
}

function TableCard({ table, person, isOpen }: TableCardProps) {
  const { data } = useStrings()
  const { can } = useSession()
  const { name, kind, unit, columns } = table
  return (
    <details className="card" open={isOpen}>
      <summary>
        <code>{name}</code> <Tag tone={kind === "public" ? "plain" : "accent"}>{data.kinds[kind]}</Tag>{" "}
        <span className="small soft">
          {unit === null ? "" : `${data.unitBy(person, unit)} · `}
          {data.columns(`${columns.length}`)}
        </span>
      </summary>
      <div className="scroll" tabIndex={0} role="region" aria-label={name}>
        <table>
          <thead>
            <tr>
              <th scope="col">{data.column}</th>
              <th scope="col">{data.type}</th>
              <th scope="col">{data.bounds}</th>
            </tr>
          </thead>
          <tbody>
            {columns.map((column) => (
              <tr key={column.name}>
                <th scope="row">
                  <code>{column.name}</code>
                </th>
                <td className="soft">{column.type}</td>
                <td>
                  <DeclaredOf column={column} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {kind === "private" && can("operate") ? <RiskForm table={name} /> : null}
    </details>
  )
}

const valuesMax = 8

function DeclaredOf({ column }: { readonly column: Column }) {
  const { data } = useStrings()
  const { min, max, values, freeText, references } = column
  const parts = [
    ...(values === null ? [] : [valuesText(values, data)]),
    ...(min === null || max === null || values !== null ? [] : [data.between(min, max)]),
    ...(freeText ? [data.freeText] : []),
    ...(references === null ? [] : [data.references(references)]),
  ]
  return <span className="small">{parts.join("; ")}</span>
}

function valuesText(values: readonly (string | null)[], data: ReturnType<typeof useStrings>["data"]): string {
  const shown = values.slice(0, valuesMax).map((value) => value ?? "NULL")
  const rest = values.length - shown.length
  return `${data.oneOf(shown.join(", "))}${rest > 0 ? ` ${data.andMore(`${rest}`)}` : ""}`
}
