// What a screen says when it has nothing to show: it is loading, it is empty, it was refused, it went wrong.

import type { ReactNode } from "react"
import type { Trouble } from "../../api/trouble.ts"
import { useStrings } from "../../strings/use-strings.ts"
import { Button } from "./button.tsx"
import { Help } from "./help.tsx"
import { useErrorText } from "./use-error-text.ts"

/** Says that something is being loaded. */
export function Loading({ what }: { readonly what?: string }) {
  const { app } = useStrings()
  return (
    <div className="loading" role="status">
      <span className="loading-bar" aria-hidden="true" />
      {what ?? app.loading}
    </div>
  )
}

interface EmptyProps {
  readonly title: string
  readonly help?: string
  readonly children?: ReactNode
}

/** Says that there is nothing yet, and what to do about it. */
export function Empty({ title, help, children }: EmptyProps) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {help === undefined ? null : <p>{help}</p>}
      {children === undefined ? null : <div className="row">{children}</div>}
    </div>
  )
}

interface NoticeProps {
  readonly title?: string
  readonly tone?: "plain" | "refused" | "now" | "good"
  readonly children: ReactNode
  readonly role?: "alert" | "status" | "note"
}

/** Something to know. */
export function Notice({ title, tone = "plain", children, role = "note" }: NoticeProps) {
  return (
    <div className="notice" data-tone={tone} role={role}>
      {title === undefined ? null : <h3>{title}</h3>}
      {children}
    </div>
  )
}

interface TroubleProps {
  readonly trouble: Trouble
  readonly onRetry?: () => void
  /** Whether to say that it cost nothing. */
  readonly free?: boolean
}

/** What was refused or went wrong, why, and what to do. */
export function TroubleNotice({ trouble, onRetry, free = false }: TroubleProps) {
  const strings = useStrings()
  const textOf = useErrorText()
  const { kind, code, others } = trouble
  const { message, help } = textOf(trouble)
  const isOffline = code === "web/offline"
  const title = isOffline ? strings.trouble.unavailable : strings.trouble[kind]
  return (
    <Notice title={title} tone="refused" role="alert">
      <p>{isOffline ? strings.trouble.offline : sentence(message)}</p>
      {help === undefined ? null : (
        <div>
          <p className="small soft">{strings.trouble.whatToDo}</p>
          <Help text={help} />
        </div>
      )}
      {others.length === 0 ? null : (
        <ul>
          {others.map(textOf).map((other) => (
            <li key={other.message}>
              {sentence(other.message)}
              {other.help === undefined ? null : <Help text={other.help} />}
            </li>
          ))}
        </ul>
      )}
      <p className="small soft">
        {free ? `${strings.trouble.free} ` : ""}
        <code>{code}</code>
      </p>
      {onRetry === undefined ? null : (
        <div>
          <Button size="small" onPress={onRetry}>
            {strings.app.tryAgain}
          </Button>
        </div>
      )}
    </Notice>
  )
}

/** A message of the server as a sentence: messages begin in lower case and have no full stop. */
function sentence(clause: string): string {
  if (/\p{Script=Han}/u.test(clause)) return `${clause}。`
  const first = clause.charAt(0).toUpperCase()
  return `${first}${clause.slice(1)}${/[.!?]$/.test(clause) ? "" : "."}`
}
