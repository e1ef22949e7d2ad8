// Everything on the screen as one question: its text, the fields beside it, its study. The same object is
// priced and asked, so that nothing is asked that was not priced.

import { useCallback, useMemo, useState } from "react"
import { keep, readKept } from "../../parts/browser/kept.ts"
import { keyOf } from "./price-state.ts"
import { isTypedAsk, questionBody, usual, wrongFields, type TypedAsk } from "../../workers/wanted.ts"

/** The question, and how to change the fields beside its text. */
export function useQuestion(user: string, sql: string, study: string | undefined) {
  const [wanted, setWanted] = useKeptWanted(user)
  const isEmpty = sql.trim() === ""
  const wrong = isEmpty ? [] : wrongFields(wanted)
  const isWhole = !isEmpty && wrong.length === 0
  const body = useMemo(
    () => (isWhole ? questionBody(sql, wanted, study) : undefined),
    [isWhole, sql, wanted, study],
  )
  const key = body === undefined ? undefined : keyOf(body)
  return { wanted, setWanted, wrong, body, key }
}

/** The fields, kept in the browser with the draft, so that the same text has the same price later. */
function useKeptWanted(user: string): readonly [TypedAsk, (next: TypedAsk) => void] {
  const name = `wanted.${user}`
  const [wanted, setWanted] = useState(() => readKept(name, isTypedAsk) ?? usual)
  const change = useCallback(
    (next: TypedAsk) => {
      setWanted(next)
      keep(name, next)
    },
    [name],
  )
  return [wanted, change]
}
