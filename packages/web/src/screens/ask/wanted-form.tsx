// What to spend and how people count, for those who want something other than the owner's defaults.

import { Check, Choice } from "../../parts/widgets/choice.tsx"
import { Field } from "../../parts/widgets/field.tsx"
import type { Dataset } from "../../parts/browser/session.tsx"
import { useStrings } from "../../strings/use-strings.ts"
import { hasAim, wrongFields, type AskField, type TypedAsk } from "../../workers/wanted.ts"

interface WantedFormProps {
  readonly dataset: Dataset
  readonly wanted: TypedAsk
  readonly onChange: (wanted: TypedAsk) => void
}

/** Fields, in which empty means the default, and choices. */
export function WantedForm(props: WantedFormProps) {
  const { ask } = useStrings()
  return (
    <details className="card no-print">
      <summary>{ask.options}</summary>
      <div className="stack">
        <Amounts {...props} />
        <Counting {...props} />
        <Choices {...props} />
      </div>
    </details>
  )
}

function Amounts({ dataset, wanted, onChange }: WantedFormProps) {
  const { ask, wanted: texts } = useStrings()
  const { question } = dataset
  const errorOf = useErrorOf(wanted)
  const set = (change: Partial<TypedAsk>): void => onChange({ ...wanted, ...change })
  return (
    <div className="form-grid">
      <Field
        label={ask.epsilon}
        inputMode="decimal"
        value={wanted.epsilon}
        error={errorOf("epsilon")}
        onChange={(epsilon) => set({ epsilon: epsilon.trim() })}
        help={ask.epsilonHelp(question.epsilonDefault, question.epsilonMax)}
      />
      <Field
        label={texts.within}
        value={wanted.within}
        error={errorOf("within")}
        onChange={(within) => set({ within: within.trim() })}
        help={texts.withinHelp}
      />
      <Field
        label={texts.weights}
        value={wanted.weights}
        error={errorOf("weights")}
        onChange={(weights) => set({ weights })}
        help={texts.weightsHelp}
      />
      <Field
        label={texts.keysDelta}
        value={wanted.keysDelta}
        error={errorOf("keysDelta")}
        onChange={(keysDelta) => set({ keysDelta: keysDelta.trim() })}
        help={texts.keysDeltaHelp}
      />
    </div>
  )
}

/** How much of one person counts: a norm that all of it is scaled to, or groups and rows. */
function Counting({ dataset, wanted, onChange }: WantedFormProps) {
  const { ask, wanted: texts } = useStrings()
  const { bounding, unit } = dataset
  const errorOf = useErrorOf(wanted)
  const set = (change: Partial<TypedAsk>): void => onChange({ ...wanted, ...change })
  return (
    <div className="form-grid" role="group" aria-label={texts.counting(unit)}>
      <Choice
        label={texts.norm(unit)}
        value={wanted.norm}
        onChange={(norm) => set({ norm })}
        help={texts.normHelp}
        options={(["usual", "auto", "fixed"] as const).map((id) => ({ id, text: texts.normWords[id] }))}
      />
      <Choice
        label={texts.aim}
        value={hasAim(wanted) ? wanted.aim : "usual"}
        onChange={(aim) => set({ aim })}
        help={texts.aimHelp}
        isDisabled={!hasAim(wanted)}
        options={(["usual", "below-noise", "least-error"] as const).map((id) => ({
          id,
          text: texts.aimWords[id],
        }))}
      />
      <Field
        label={ask.groupsPerUnit(unit)}
        value={wanted.groupsPerUnit}
        error={errorOf("groupsPerUnit")}
        onChange={(groupsPerUnit) => set({ groupsPerUnit: groupsPerUnit.trim() })}
        help={texts.groupsHelp(bounding.groupsPerUnit, bounding.groupsPerUnitMax)}
      />
      <Field
        label={ask.rowsPerGroup}
        inputMode="numeric"
        value={wanted.rowsPerGroup}
        error={errorOf("rowsPerGroup")}
        onChange={(rowsPerGroup) => set({ rowsPerGroup: rowsPerGroup.trim() })}
        help={ask.boundHelp(bounding.rowsPerGroup, bounding.rowsPerGroupMax)}
      />
    </div>
  )
}

/** What is wrong with a field as it stands, in words. */
function useErrorOf(wanted: TypedAsk): (field: AskField) => string | undefined {
  const { wanted: texts } = useStrings()
  const wrong = wrongFields(wanted)
  return (field) => (wrong.includes(field) ? texts.wrong[field] : undefined)
}

function Choices({ wanted, onChange }: WantedFormProps) {
  const { wanted: texts } = useStrings()
  const set = (change: Partial<TypedAsk>): void => onChange({ ...wanted, ...change })
  return (
    <>
      <div className="form-grid">
        <Choice
          label={texts.bounds}
          value={wanted.bounds}
          onChange={(bounds) => set({ bounds })}
          options={(["usual", "auto", "all", "declared"] as const).map((id) => ({
            id,
            text: texts.boundsWords[id],
          }))}
        />
        <Choice
          label={texts.reuse}
          value={wanted.reuse}
          onChange={(reuse) => set({ reuse })}
          options={(["auto", "always", "never"] as const).map((id) => ({ id, text: texts.reuseWords[id] }))}
        />
        <Choice
          label={texts.keys}
          value={wanted.keys}
          onChange={(keys) => set({ keys })}
          options={(["auto", "more", "counts"] as const).map((id) => ({ id, text: texts.keysWords[id] }))}
        />
      </div>
      <div className="stack-tight">
        <Check isOn={wanted.raw} onChange={(raw) => set({ raw, nonNegative: false })}>
          {texts.raw}
        </Check>
        <Check isOn={wanted.nonNegative} onChange={(nonNegative) => set({ nonNegative, raw: false })}>
          {texts.nonNegative}
        </Check>
        <Check isOn={!wanted.quantileIntervals} onChange={(isOff) => set({ quantileIntervals: !isOff })}>
          {texts.noQuantileIntervals}
        </Check>
      </div>
    </>
  )
}
