// The fourth step of the guided set-up: bounds of numbers and days, public values, what stays closed.

import type { ColumnFacts } from "@dosimeter/policy/file/source-facts"
import type { ProposedTable } from "@dosimeter/policy/propose/propose-policy"
import { Check } from "../../parts/widgets/choice.tsx"
import { Field } from "../../parts/widgets/field.tsx"
import { useStrings } from "../../strings/use-strings.ts"
import type { ColumnDraft } from "./guide-state.ts"
import type { StepProps } from "./guide-units.tsx"

/** The step. */
export function GuideColumns({ state, draft, onChange }: StepProps) {
  const { guide } = useStrings()
  const setOf =
    (table: string) =>
    (column: string, change: ColumnDraft): void => {
      const before = state.columns.get(table) ?? new Map<string, ColumnDraft>()
      const after = new Map([...before, [column, { ...before.get(column), ...change }]])
      onChange({ ...state, columns: new Map([...state.columns, [table, after]]) })
    }
  return (
    <div className="stack">
      <p>{guide.columnsLead}</p>
      {draft.tables.map((table) => (
        <TableColumns
          key={table.name}
          table={table}
          columns={state.files.find((file) => file.table.name === table.name)?.table.columns ?? []}
          drafts={state.columns.get(table.name) ?? new Map()}
          onChange={setOf(table.name)}
        />
      ))}
    </div>
  )
}

interface TableProps {
  readonly table: ProposedTable
  readonly columns: readonly ColumnFacts[]
  readonly drafts: ReadonlyMap<string, ColumnDraft>
  readonly onChange: (column: string, change: ColumnDraft) => void
}

function TableColumns({ table, columns, drafts, onChange }: TableProps) {
  const { guide, data } = useStrings()
  const isPlain = table.unit === "deny" || table.unit === "public"
  return (
    <section className="card">
      <h2>
        <code>{table.name}</code>
      </h2>
      {table.unit === "deny" ? <p className="soft">{guide.closed}</p> : null}
      {table.unit === "public" ? <p className="soft">{data.kinds.public}</p> : null}
      {isPlain ? null : (
        <div className="guide-columns">
          {columns.map((column) => (
            <ColumnFields
              key={column.name}
              column={column}
              isLeading={table.leading.includes(column.name)}
              isDenied={table.denied.includes(column.name)}
              draft={drafts.get(column.name) ?? {}}
              onChange={(change) => onChange(column.name, change)}
            />
          ))}
        </div>
      )}
    </section>
  )
}

interface ColumnProps {
  readonly column: ColumnFacts
  readonly isLeading: boolean
  readonly isDenied: boolean
  readonly draft: ColumnDraft
  readonly onChange: (change: ColumnDraft) => void
}

function ColumnFields(props: ColumnProps) {
  const { column, isLeading, isDenied, onChange } = props
  const { guide } = useStrings()
  const { name, type } = column
  return (
    <fieldset className="guide-column">
      <legend>
        <code>{name}</code> <span className="small soft">{type?.kind ?? column.typeName}</span>
      </legend>
      {isLeading || type === undefined ? (
        <p className="small soft">{isLeading ? guide.leads : guide.noType}</p>
      ) : (
        <>
          <Check isOn={!isDenied} onChange={(isOpen) => onChange({ isOpen })}>
            {guide.mayAsk}
          </Check>
          {isDenied ? null : <Declared {...props} />}
        </>
      )}
    </fieldset>
  )
}

function Declared({ column: { name, type }, draft, onChange }: ColumnProps) {
  const { guide } = useStrings()
  switch (type?.kind) {
    case "integer":
    case "decimal":
    case "float":
    case "date":
    case "timestamp": {
      // An id gets no bounds: clamping would turn several ids into one.
      if (/(^|_)id$/i.test(name)) return null
      const isDay = type.kind === "date" || type.kind === "timestamp"
      const kind = isDay ? ({ type: "date" } as const) : ({ inputMode: "decimal" } as const)
      return (
        <div className="stack-tight">
          <div className="form-grid">
            <Field
              label={guide.least}
              {...kind}
              value={draft.min ?? ""}
              onChange={(min) => onChange({ min })}
            />
            <Field
              label={guide.greatest}
              {...kind}
              value={draft.max ?? ""}
              onChange={(max) => onChange({ max })}
            />
          </div>
          <p className="small soft">{isDay ? guide.daysHelp : guide.boundsHelp}</p>
        </div>
      )
    }
    case "text":
      return (
        <Field
          label={guide.values}
          help={guide.valuesHelp}
          value={draft.values ?? ""}
          onChange={(values) => onChange({ values })}
        />
      )
    default:
      return null
  }
}
