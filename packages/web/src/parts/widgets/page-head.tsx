// The head of a screen: what it is, in one line what it is for, and what can be done.

import { useEffect, type ReactNode } from "react"
import { useStrings } from "../../strings/use-strings.ts"

interface PageHeadProps {
  readonly title: string
  readonly lead?: string
  readonly children?: ReactNode
}

/** The head of a screen; it names the tab of the browser, too. */
export function PageHead({ title, lead, children }: PageHeadProps) {
  const { app } = useStrings()
  useEffect(() => {
    document.title = `${title} · ${app.name}`
  }, [title, app.name])
  return (
    <header className="page-head">
      <div>
        <h1>{title}</h1>
        {lead === undefined ? null : <p>{lead}</p>}
      </div>
      {children === undefined ? null : <div className="row no-print">{children}</div>}
    </header>
  )
}
