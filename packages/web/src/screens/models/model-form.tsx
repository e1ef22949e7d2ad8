// What a model is wanted of: which one, a SELECT of its rows, the column to be told, and an epsilon.

import type { ReactNode } from "react"
import { Button } from "../../parts/widgets/button.tsx"
import { Choice } from "../../parts/widgets/choice.tsx"
import { Field } from "../../parts/widgets/field.tsx"
import { useStrings } from "../../strings/use-strings.ts"
import { isPlacing, modelNames, type ModelDraft } from "./model-draft.ts"

interface FormProps {
  readonly draft: ModelDraft
  readonly onChange: (draft: ModelDraft) => void
  readonly onPrice: () => void
  readonly isBusy: boolean
  readonly isWhole: boolean
  /** The unit of the dataset, such as person. */
  readonly unit: string
  readonly children: ReactNode
}

/** The form. */
export function ModelForm({ draft, onChange, onPrice, isBusy, isWhole, unit, children }: FormProps) {
  const { models } = useStrings()
  const set = (change: Partial<ModelDraft>): void => onChange({ ...draft, ...change })
  return (
    <form
      className="card form"
      aria-label={models.what}
      onSubmit={(event) => {
        event.preventDefault()
        if (isWhole) onPrice()
      }}
    >
      <h2>{models.what}</h2>
      {children}
      <Choice
        label={models.model}
        value={draft.model}
        onChange={(model) => set({ model })}
        options={modelNames.map((id) => ({ id, text: models.kinds[id] }))}
      />
      <Field
        label={models.sql}
        help={models.sqlHelp(unit)}
        value={draft.sql}
        onChange={(sql) => set({ sql })}
        lines="many"
        isCode
        isRequired
      />
      {isPlacing(draft.model) ? (
        <Field
          label={models.count}
          help={models.countHelp}
          value={draft.count}
          onChange={(count) => set({ count: count.trim() })}
          inputMode="numeric"
        />
      ) : (
        <Field
          label={models.target}
          help={models.targetHelp}
          value={draft.target}
          onChange={(target) => set({ target })}
          isCode
          isRequired
        />
      )}
      <Field
        label={models.epsilon}
        value={draft.epsilon}
        onChange={(epsilon) => set({ epsilon: epsilon.trim() })}
        inputMode="decimal"
        isRequired
      />
      <div>
        <Button type="submit" variant="primary" isDisabled={isBusy || !isWhole}>
          {models.showPrice}
        </Button>
      </div>
    </form>
  )
}
