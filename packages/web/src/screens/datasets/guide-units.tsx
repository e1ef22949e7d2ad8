// The second step of the guided set-up: whose the rows of each table are.

import { Choice } from "../../parts/widgets/choice.tsx"
import { Notice } from "../../parts/widgets/notice.tsx"
import { useStrings } from "../../strings/use-strings.ts"
import { waysOf, type DraftPolicy, type GuideState } from "./guide-state.ts"

/** The properties of all steps after the first. */
export interface StepProps {
  readonly state: GuideState
  readonly draft: DraftPolicy
  readonly onChange: (state: GuideState) => void
}

/** The step. */
export function GuideUnits({ state, draft, onChange }: StepProps) {
  const { guide } = useStrings()
  const { units } = guide
  const known = state.files.length - draft.tables.length
  const textOf = (way: string): string =>
    way === "row" || way === "public" || way === "deny"
      ? units[way]
      : way.includes("->")
        ? units.path(way)
        : units.column(way)
  return (
    <section className="card stack">
      <p>{guide.unitsLead}</p>
      {known === 0 ? null : <p className="soft">{guide.known(`${known}`)}</p>}
      {draft.tables.map(({ name, unit }) => {
        const table = state.files.find((file) => file.table.name === name)?.table
        const found = table === undefined ? [] : waysOf(table, state.files)
        const ways = [...new Set([...(unit === "deny" ? [] : [unit]), ...found, "row", "public", "deny"])]
        return (
          <Choice
            key={name}
            label={guide.unitOf(name)}
            options={ways.map((way) => ({ id: way, text: textOf(way) }))}
            value={unit}
            onChange={(way) => onChange({ ...state, units: new Map([...state.units, [name, way]]) })}
          />
        )
      })}
      {draft.tables.some(({ unit }) => unit === "public") ? (
        <Notice tone="now">{guide.publicWarning}</Notice>
      ) : null}
    </section>
  )
}
