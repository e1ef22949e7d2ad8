// What to spend and how people count, for those who want something other than the owner's defaults.

import { Field } from "../components/field.tsx"
import type { Dataset } from "../components/session.tsx"
import { useStrings } from "../strings/use-strings.ts"
import type { Wanted } from "../workers/price.ts"

interface WantedFormProps {
  readonly dataset: Dataset
  readonly wanted: Wanted
  readonly onChange: (wanted: Wanted) => void
}

/** Three fields, empty for the defaults. */
export function WantedForm({ dataset, wanted, onChange }: WantedFormProps) {
  const { ask } = useStrings()
  const { question, bounding, unit } = dataset
  return (
    <details className="card no-print">
      <summary>{ask.options}</summary>
      <div className="form-grid">
        <Field
          label={ask.epsilon}
          inputMode="decimal"
          value={wanted.epsilon}
          onChange={(epsilon) => onChange({ ...wanted, epsilon: epsilon.trim() })}
          help={ask.epsilonHelp(question.epsilonDefault, question.epsilonMax)}
        />
        <Field
          label={ask.groupsPerUnit(unit)}
          inputMode="numeric"
          value={wanted.groupsPerUnit}
          onChange={(groupsPerUnit) => onChange({ ...wanted, groupsPerUnit: groupsPerUnit.trim() })}
          help={ask.boundHelp(bounding.groupsPerUnit, bounding.groupsPerUnitMax)}
        />
        <Field
          label={ask.rowsPerGroup}
          inputMode="numeric"
          value={wanted.rowsPerGroup}
          onChange={(rowsPerGroup) => onChange({ ...wanted, rowsPerGroup: rowsPerGroup.trim() })}
          help={ask.boundHelp(bounding.rowsPerGroup, bounding.rowsPerGroupMax)}
        />
      </div>
    </details>
  )
}
