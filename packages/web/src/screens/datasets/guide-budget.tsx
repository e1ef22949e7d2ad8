// The third step of the guided set-up: how much may be revealed, and what that means in odds.

import { Field } from "../../parts/widgets/field.tsx"
import { Odds } from "../../parts/figures/odds.tsx"
import { useStrings } from "../../strings/use-strings.ts"
import { isLoss, type Budget } from "./guide-state.ts"
import type { StepProps } from "./guide-units.tsx"

/** The step. */
export function GuideBudget({ state, onChange }: StepProps) {
  const { guide } = useStrings()
  const { budget } = state
  const field = (name: keyof Budget, help?: string) => (
    <Field
      label={guide[name]}
      inputMode="decimal"
      value={budget[name]}
      onChange={(text) => onChange({ ...state, budget: { ...budget, [name]: text.trim() } })}
      {...(help === undefined ? {} : { help })}
    />
  )
  return (
    <section className="card stack">
      <p>{guide.budgetLead}</p>
      <div className="form-grid">
        {field("epsilon")}
        {field("delta", guide.deltaHelp)}
      </div>
      {isLoss(budget) ? (
        <div className="stack-tight" aria-live="polite">
          <h2>{guide.odds}</h2>
          <p>{guide.oddsLead}</p>
          <Odds epsilon={budget.epsilon} delta={budget.delta} />
        </div>
      ) : null}
      <div className="form-grid">
        {field("questionDefault")}
        {field("questionMax")}
      </div>
    </section>
  )
}
