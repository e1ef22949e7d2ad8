// A question on its way: its steps, its answer, or why there is none.

import { useCallback, useRef, useState } from "react"
import { askInSteps, attemptKey, type QuestionBody, type Reply, type StepName } from "../../api/server.ts"
import { troubleOf, type Trouble } from "../../api/trouble.ts"
import { keyOf } from "./price-state.ts"
import { positionOf } from "../../parts/figures/receipt.ts"

/** The state of a question that was asked. */
export type Asking =
  | { readonly kind: "idle" }
  | { readonly kind: "running"; readonly step: StepName | undefined }
  | { readonly kind: "answered"; readonly answer: Reply<"ask">; readonly key: string }
  | {
      readonly kind: "refused"
      readonly trouble: Trouble
      readonly isCharged: boolean
      /** The key of the question: everything that was sent with it. */
      readonly key: string
    }

/** Asks one question at a time. */
export function useAsking(onAnswer: (sql: string, position: string | undefined) => void) {
  const [asking, setAsking] = useState<Asking>({ kind: "idle" })
  const controller = useRef<AbortController>(undefined)
  const told = useRef(onAnswer)
  told.current = onAnswer
  const run = useCallback((body: QuestionBody) => {
    controller.current?.abort()
    const own = new AbortController()
    controller.current = own
    let isCharged = false
    const key = keyOf(body)
    setAsking({ kind: "running", step: undefined })
    const onStep = (step: StepName): void => {
      if (step !== "planned") isCharged = true
      if (!own.signal.aborted) setAsking({ kind: "running", step })
    }
    askInSteps(body, { key: attemptKey(), signal: own.signal, onStep }).then(
      (answer) => {
        if (own.signal.aborted) return
        setAsking({ kind: "answered", answer, key })
        told.current(body.sql, positionOf(answer.receipt))
      },
      (error: unknown) => {
        if (own.signal.aborted) return
        setAsking({ kind: "refused", trouble: troubleOf(error), isCharged, key })
      },
    )
  }, [])
  const stop = useCallback(() => {
    controller.current?.abort()
    setAsking({ kind: "idle" })
  }, [])
  return { asking, run, stop }
}
