// Which exercises somebody has solved, kept in this browser alone.

import { useCallback, useState } from "react"
import { keep, readKept } from "../../../parts/browser/kept.ts"

const name = "lab.solved"

/** The ids of the chapters that are solved, and how to add one. */
export function useProgress(): readonly [readonly string[], (chapter: string) => void] {
  const [solved, setSolved] = useState<readonly string[]>(() => readKept(name, isList) ?? [])
  const solve = useCallback((chapter: string) => {
    setSolved((before) => {
      const after = before.includes(chapter) ? before : [...before, chapter]
      keep(name, after)
      return after
    })
  }, [])
  return [solved, solve]
}

function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string")
}
