// What rows are wanted of: a table, its columns, perhaps a second table, rules and an epsilon.

import type { ReactNode } from "react"
import { columnsOf, tablesOf } from "../../parts/browser/declared-tables.ts"
import type { Dataset } from "../../parts/browser/session.tsx"
import { Button } from "../../parts/widgets/button.tsx"
import { Check, Choice } from "../../parts/widgets/choice.tsx"
import { Field } from "../../parts/widgets/field.tsx"
import { useStrings } from "../../strings/use-strings.ts"
import { none, type SyntheticDraft } from "./synthetic-draft.ts"

interface FormProps {
  readonly dataset: Dataset
  readonly draft: SyntheticDraft
  readonly onChange: (draft: SyntheticDraft) => void
  readonly onPrice: () => void
  readonly isBusy: boolean
  readonly isWhole: boolean
  readonly children: ReactNode
}

/** The form. */
export function SyntheticForm({ dataset, draft, onChange, onPrice, isBusy, isWhole, children }: FormProps) {
  const { synthetic } = useStrings()
  const tables = tablesOf(dataset)
  const table = tables.find(({ name }) => name === draft.table)
  const columns = table === undefined ? [] : columnsOf(table)
  const set = (change: Partial<SyntheticDraft>): void => onChange({ ...draft, ...change })
  return (
    <form
      className="card form"
      aria-label={synthetic.what}
      onSubmit={(event) => {
        event.preventDefault()
        onPrice()
      }}
    >
      <h2>{synthetic.what}</h2>
      {children}
      <Choice
        label={synthetic.table}
        value={draft.table}
        onChange={(name) => set({ table: name, without: [], target: none, second: none })}
        options={tables.map(({ name }) => ({ id: name, text: name }))}
      />
      <Columns columns={columns} draft={draft} set={set} isWhole={isWhole} />
      <Choice
        label={synthetic.target}
        value={draft.target === none ? "-" : draft.target}
        onChange={(target) => set({ target: target === "-" ? none : target })}
        options={[
          { id: "-", text: synthetic.noTarget },
          ...columns
            .filter((name) => !draft.without.includes(name))
            .map((name) => ({ id: name, text: name })),
        ]}
      />
      <SecondTable dataset={dataset} draft={draft} set={set} />
      <Field
        label={synthetic.rules}
        help={synthetic.rulesHelp}
        value={draft.rules}
        onChange={(rules) => set({ rules })}
        lines="many"
        isCode
      />
      <Field
        label={synthetic.epsilon}
        value={draft.epsilon}
        onChange={(epsilon) => set({ epsilon: epsilon.trim() })}
        inputMode="decimal"
        isRequired
      />
      <div>
        <Button type="submit" variant="primary" isDisabled={isBusy || !isWhole}>
          {synthetic.showPrice}
        </Button>
      </div>
    </form>
  )
}

interface ColumnsProps extends Pick<FormProps, "draft" | "isWhole"> {
  readonly columns: readonly string[]
  readonly set: (change: Partial<SyntheticDraft>) => void
}

function Columns({ columns, draft, set, isWhole }: ColumnsProps) {
  const { synthetic } = useStrings()
  return (
    <fieldset className="stack-tight">
      <legend className="label">{synthetic.columns}</legend>
      <p className="small soft">{synthetic.columnsHelp}</p>
      {columns.map((name) => (
        <Check
          key={name}
          isOn={!draft.without.includes(name)}
          onChange={(isOn) =>
            set({
              without: isOn ? draft.without.filter((one) => one !== name) : [...draft.without, name],
              ...(!isOn && draft.target === name ? { target: none } : {}),
            })
          }
        >
          {name}
        </Check>
      ))}
      {isWhole ? null : (
        <p className="field-error" role="alert">
          {synthetic.noColumn}
        </p>
      )}
    </fieldset>
  )
}

interface SecondProps extends Pick<FormProps, "dataset" | "draft"> {
  readonly set: (change: Partial<SyntheticDraft>) => void
}

function SecondTable({ dataset, draft, set }: SecondProps) {
  const { synthetic } = useStrings()
  const others = tablesOf(dataset).filter(({ name }) => name !== draft.table)
  if (others.length === 0) return null
  const chosen = others.find(({ name }) => name === draft.second)
  return (
    <>
      <Choice
        label={synthetic.second}
        help={synthetic.secondHelp}
        value={draft.second === none ? "-" : draft.second}
        onChange={(name) => {
          const next = others.find((one) => one.name === name)
          const [order = ""] = next === undefined ? [] : columnsOf(next)
          set({ second: next === undefined ? none : next.name, order })
        }}
        options={[
          { id: "-", text: synthetic.noSecond },
          ...others.map(({ name }) => ({ id: name, text: name })),
        ]}
      />
      {chosen === undefined ? null : (
        <div className="form-grid">
          <Choice
            label={synthetic.order}
            value={draft.order}
            onChange={(order) => set({ order })}
            options={columnsOf(chosen).map((name) => ({ id: name, text: name }))}
          />
          <Field
            label={synthetic.most}
            value={draft.most}
            onChange={(most) => set({ most: most.trim() })}
            inputMode="numeric"
          />
        </div>
      )}
    </>
  )
}
