// Small values in the browser's storage, by name; only what the server would show this person anyway.

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
    // A browser may forbid storage; then nothing is kept.
    return undefined
  }
}

/** Keeps a value under a name, where the browser allows it. */
export function keep(name: string, value: unknown): void {
  try {
    localStorage.setItem(`dosimeter.${name}`, JSON.stringify(value))
  } catch {
    // The storage is full or forbidden: the page works without it.
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
