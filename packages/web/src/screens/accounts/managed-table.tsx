// A table of things that can be changed: their names first, what can be done with them last.

import type { ReactNode } from "react"
import { useStrings } from "../../strings/use-strings.ts"

interface ManagedTableProps {
  readonly label: string
  /** The heads of all columns but the last. */
  readonly heads: readonly string[]
  /** Rows. */
  readonly children: ReactNode
}

/** The table. */
export function ManagedTable({ label, heads, children }: ManagedTableProps) {
  const { app } = useStrings()
  return (
    <div className="scroll managed" tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
            <th scope="col">
              <span className="sr-only">{app.menu}</span>
            </th>
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}
