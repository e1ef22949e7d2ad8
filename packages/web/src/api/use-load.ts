// Something that is loaded when a screen opens, with what to show until it is there or if it cannot be.

import { useCallback, useEffect, useState } from "react"
import { troubleOf, type Trouble } from "./trouble.ts"

/** Where a load stands. */
export type Load<Value> =
  | { readonly kind: "loading" }
  | { readonly kind: "ready"; readonly value: Value }
  | { readonly kind: "trouble"; readonly trouble: Trouble }

/** A load, and a function that repeats it; the old value stays until the new one has arrived. */
export interface Loading<Value> {
  readonly load: Load<Value>
  readonly reload: () => void
}

/** Loads with a function, and again whenever the function changes: wrap it in useCallback. */
export function useLoad<Value>(work: () => Promise<Value>): Loading<Value> {
  const [load, setLoad] = useState<Load<Value>>({ kind: "loading" })
  const [round, setRound] = useState(0)
  useEffect(() => {
    let isCurrent = true
    const settle = (next: Load<Value>): void => {
      if (isCurrent) setLoad(next)
    }
    work().then(
      (value) => settle({ kind: "ready", value }),
      (error: unknown) => settle({ kind: "trouble", trouble: troubleOf(error) }),
    )
    return () => {
      isCurrent = false
    }
  }, [work, round])
  const reload = useCallback(() => setRound((before) => before + 1), [])
  return { load, reload }
}

/** The state of an action that a button starts. */
export interface Doing {
  readonly isBusy: boolean
  readonly trouble: Trouble | undefined
  readonly run: (work: () => Promise<void>) => void
}

/** Runs actions: whether one is running, and the trouble of the last one. */
export function useDoing(): Doing {
  const [isBusy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<Trouble>()
  const run = useCallback((work: () => Promise<void>) => {
    setBusy(true)
    setTrouble(undefined)
    work().then(
      () => setBusy(false),
      (error: unknown) => {
        setBusy(false)
        setTrouble(troubleOf(error))
      },
    )
  }, [])
  return { isBusy, trouble, run }
}
