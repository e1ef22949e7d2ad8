// A word in a coloured pill: a state, a kind.

import type { ReactNode } from "react"

interface TagProps {
  readonly children: ReactNode
  readonly tone?: "plain" | "good" | "now" | "refused" | "accent"
}

/** A tag. */
export function Tag({ children, tone = "plain" }: TagProps) {
  return (
    <span className="tag" data-tone={tone}>
      {children}
    </span>
  )
}
