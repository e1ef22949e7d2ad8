// A request that two people decide about: who asks, why, what others said, and the form for whoever may still
// say something.

import type { ReactNode } from "react"
import type { Reply } from "../../api/server.ts"
import { useSession } from "../../parts/browser/session.tsx"
import { DecisionForm, type Decided } from "../../parts/widgets/decision-form.tsx"
import { Tag } from "../../parts/widgets/tag.tsx"
import { useStrings } from "../../strings/use-strings.ts"

type Request = Pick<
  Reply<"listBudgetRequests">["items"][number],
  "requestedBy" | "reasons" | "state" | "agreements"
>

interface DecidedRequestProps {
  readonly request: Request
  /** What is asked for, and by whom. */
  readonly children: ReactNode
  readonly onDecide: (decided: Decided<"agree" | "refuse">) => Promise<void>
}

const tones = { open: "now", granted: "good", refused: "refused" } as const

/** The request, and the form unless this person asked, has decided already, or may not decide. */
export function DecidedRequest({ request, children, onDecide }: DecidedRequestProps) {
  const { budget } = useStrings()
  const { me, can } = useSession()
  const { requestedBy, reasons, state, agreements } = request
  const hasDecided = requestedBy === me.name || agreements.some(({ name }) => name === me.name)
  return (
    <div className="stack-tight">
      <p>
        {children} <Tag tone={tones[state]}>{budget.requestStates[state]}</Tag>
      </p>
      <p className="small soft">{reasons}</p>
      {agreements.map(({ name, decision, reasons: why }) => (
        <p key={name} className="small soft">
          {decision === "agree" ? budget.agreed(name) : budget.disagreed(name)}: {why}
        </p>
      ))}
      {state === "open" && !hasDecided && can("review-releases") ? (
        <DecisionForm
          yes={{ decision: "agree", text: budget.agree }}
          no={{ decision: "refuse", text: budget.disagree }}
          onDecide={onDecide}
        />
      ) : null}
    </div>
  )
}
