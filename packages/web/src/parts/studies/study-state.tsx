// Where a study stands, in one word and a colour.

import { useStrings } from "../../strings/use-strings.ts"
import type { Strings } from "../../strings/en.ts"
import { Tag } from "../widgets/tag.tsx"

interface StudyStateProps {
  readonly study: {
    readonly state: keyof Strings["studies"]["states"]
    readonly suspended: boolean
    readonly ends: string
  }
}

const tones = {
  draft: "plain",
  submitted: "now",
  approved: "accent",
  refused: "refused",
  active: "good",
  closed: "plain",
} as const

/** A tag. A study that is open says when its days are over: nobody asks in it any more. */
export function StudyState({ study: { state, suspended, ends } }: StudyStateProps) {
  const { studies } = useStrings()
  const isOver = state === "active" && new Date().toISOString().slice(0, 10) > ends
  if (isOver) return <Tag tone="plain">{studies.pastDays}</Tag>
  if (suspended) return <Tag tone="refused">{studies.suspended}</Tag>
  return <Tag tone={tones[state]}>{studies.states[state]}</Tag>
}

/** Whether the owner may still open a study: until then it has no share of the budget. */
export function isBeforeOpening(state: StudyStateProps["study"]["state"]): boolean {
  return state === "draft" || state === "submitted" || state === "approved"
}
