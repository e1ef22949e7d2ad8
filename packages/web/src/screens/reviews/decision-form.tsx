// Approving or refusing, with the reasons that everybody can read later.

import { useState } from "react"
import { useDoing } from "../../api/use-load.ts"
import { useStrings } from "../../strings/use-strings.ts"
import { Button } from "../../parts/widgets/button.tsx"
import { Field } from "../../parts/widgets/field.tsx"
import { TroubleNotice } from "../../parts/widgets/notice.tsx"

/** A judgement as it is handed on. */
export interface Decided {
  readonly decision: "approve" | "refuse"
  readonly reasons: string
}

/** The form; nothing can be decided without reasons. */
export function DecisionForm({ onDecide }: { readonly onDecide: (decided: Decided) => Promise<void> }) {
  const { studies, reviews } = useStrings()
  const [reasons, setReasons] = useState("")
  const { isBusy, trouble, run } = useDoing()
  const isDisabled = isBusy || reasons.trim() === ""
  const decide = (decision: Decided["decision"]): void => run(() => onDecide({ decision, reasons }))
  return (
    <>
      <Field
        label={studies.reasons}
        help={studies.reasonsHelp}
        lines="many"
        value={reasons}
        onChange={setReasons}
        isRequired
      />
      {trouble === undefined ? null : <TroubleNotice trouble={trouble} />}
      <div className="row">
        <Button variant="primary" isDisabled={isDisabled} onPress={() => decide("approve")}>
          {reviews.approve}
        </Button>
        <Button variant="danger" isDisabled={isDisabled} onPress={() => decide("refuse")}>
          {reviews.refuse}
        </Button>
      </div>
    </>
  )
}
