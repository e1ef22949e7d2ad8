// Looks again by itself while something may change: other houses decide at their own time.

import { useEffect } from "react"

const everyMs = 4000

/** Calls a function again and again while something is open and the page is in sight. */
export function useLookAgain(look: () => void, isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return undefined
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") look()
    }, everyMs)
    return () => clearInterval(timer)
  }, [look, isOpen])
}
