// Small things that this browser remembers, by name; nothing that the server would not show again.

import { useCallback, useState } from "react"

/** What was kept under a name, if it can still be read. */
export function readKept<Value>(
  name: string,
  isValue: (value: unknown) => value is Value,
): Value | undefined {
  try {
    const text = localStorage.getItem(`dosimeter.${name}`)
    const value: unknown = text === null ? undefined : JSON.parse(text)
    return isValue(value) ? value : undefined
  } catch {
    // A browser may forbid it; then nothing is kept.
    return undefined
  }
}

/** Keeps a value under a name, where the browser allows it. */
export function keep(name: string, value: unknown): void {
  try {
    localStorage.setItem(`dosimeter.${name}`, JSON.stringify(value))
  } catch {
    // Full or forbidden: the page works without.
  }
}

/** A text that is kept. */
export function useKeptText(name: string, usual: string): readonly [string, (value: string) => void] {
  const [value, setValue] = useState(() => readKept(name, isText) ?? usual)
  const change = useCallback(
    (next: string) => {
      setValue(next)
      keep(name, next)
    },
    [name],
  )
  return [value, change]
}

/** Whether something is a text. */
export function isText(value: unknown): value is string {
  return typeof value === "string"
}
