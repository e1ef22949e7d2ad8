// Saying yes or no, with the reasons that everybody can read later.

import { useState } from "react"
import { useDoing } from "../../api/use-load.ts"
import { Button } from "./button.tsx"
import { TroubleNotice } from "./notice.tsx"
import { ReasonsField } from "./reasons-field.tsx"

/** A decision as it is handed on. */
export interface Decided<Decision extends string> {
  readonly decision: Decision
  readonly reasons: string
}

interface Side<Decision extends string> {
  readonly decision: Decision
  /** What its button says. */
  readonly text: string
}

interface DecisionFormProps<Decision extends string> {
  readonly yes: Side<Decision>
  readonly no: Side<Decision>
  readonly onDecide: (decided: Decided<Decision>) => Promise<void>
}

/** The form; nothing can be decided without reasons. */
export function DecisionForm<Decision extends string>({ yes, no, onDecide }: DecisionFormProps<Decision>) {
  const [reasons, setReasons] = useState("")
  const { isBusy, trouble, run } = useDoing()
  const isDisabled = isBusy || reasons.trim() === ""
  const decide = ({ decision }: Side<Decision>): void => run(() => onDecide({ decision, reasons }))
  return (
    <>
      <ReasonsField value={reasons} onChange={setReasons} />
      {trouble === undefined ? null : <TroubleNotice trouble={trouble} />}
      <div className="row">
        <Button variant="primary" isDisabled={isDisabled} onPress={() => decide(yes)}>
          {yes.text}
        </Button>
        <Button variant="danger" isDisabled={isDisabled} onPress={() => decide(no)}>
          {no.text}
        </Button>
      </div>
    </>
  )
}
