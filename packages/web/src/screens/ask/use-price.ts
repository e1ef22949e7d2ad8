// The price of a question while it is typed: by the compiler in the browser, by the server if that fails.

import { useCallback, useEffect, useMemo, useState } from "react"
import { exactly } from "@dosimeter/core"
import { call, type QuestionBody } from "../../api/server.ts"
import { ServerTrouble } from "../../api/trouble.ts"
import { Compiler } from "../../workers/compiler.ts"
import { effectOf } from "@dosimeter/planner/explain/price"
import { accountOf, type ChargedAccount } from "../../workers/cost.ts"
import {
  learnsNorm,
  type KnownTable,
  type PolicyNorm,
  type Priced,
  type Unpriced,
} from "../../workers/price.ts"
import { needsServer, type TypedAsk } from "../../workers/wanted.ts"
import { keyOf, priceState, type KnownPrice, type PriceState } from "./price-state.ts"

/** What is known about the price of the question in the editor. */
export interface Pricing extends PriceState {
  readonly by: "browser" | "server"
  readonly tables: readonly KnownTable[]
  /** Whether earlier releases answer it; undefined until the server was asked. */
  readonly free: boolean | undefined
  readonly lookIfFree: () => void
  readonly retry: () => void
}

interface Question {
  /** The question as it will be sent; undefined while the editor is empty or a field is wrong. */
  readonly body: QuestionBody | undefined
  readonly wanted: TypedAsk
  readonly accounts: readonly ChargedAccount[]
  readonly norm: PolicyNorm
}

const pauseMs = 150

/** Prices a question a moment after the last key. */
export function usePrice(dataset: string, { body, wanted, accounts, norm }: Question): Pricing {
  const { compiler, tables, hasFailed } = useCompiler(dataset)
  const [known, setKnown] = useState<KnownPrice>()
  const [failedKey, setFailedKey] = useState<string>()
  const [round, setRound] = useState(0)
  const isServer = hasFailed || needsServer(wanted)
  const by = isServer ? "server" : "browser"
  const key = body === undefined ? undefined : keyOf(body)
  const byServer = useMemo(() => {
    const context = { wanted, accounts, norm }
    return body === undefined ? undefined : () => priceByServer(body, context)
  }, [body, wanted, accounts, norm])
  const work = useMemo(() => {
    if (body === undefined || isServer) return byServer
    return compiler === undefined ? undefined : () => compiler.price(body.sql, { wanted, accounts })
  }, [body, wanted, accounts, compiler, isServer, byServer])
  useEffect(() => {
    if (work === undefined || key === undefined) return undefined
    let isCurrent = true
    const timer = setTimeout(
      () =>
        void work().then(
          (price) => {
            if (!isCurrent) return
            setKnown({ key, price, by })
            setFailedKey(undefined)
          },
          // If the compiler or the network fails, the price is unknown; the question itself may be fine.
          () => {
            if (isCurrent) setFailedKey(key)
          },
        ),
      isServer ? 4 * pauseMs : pauseMs,
    )
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [work, key, by, isServer, round])
  const state = priceState(key, known, failedKey)
  const lookIfFree = useCallback(() => {
    if (byServer === undefined || key === undefined) return
    byServer().then(
      // The server knows more than this browser: what is in the record, and norms that were learnt.
      (price) => setKnown({ key, price, by: "server" }),
      // The price is known all the same; whether it has to be paid stays unknown.
      () => undefined,
    )
  }, [byServer, key])
  const retry = useCallback(() => {
    setFailedKey(undefined)
    setRound((before) => before + 1)
  }, [])
  const told = state.mayAsk && state.price?.kind === "priced" ? state.price.free : undefined
  return { ...state, by: known?.by ?? by, tables, free: told, lookIfFree, retry }
}

function useCompiler(dataset: string) {
  const [compiler, setCompiler] = useState<Compiler>()
  const [tables, setTables] = useState<readonly KnownTable[]>([])
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    const made = new Compiler()
    call("compileFacts", { params: { dataset } })
      .then((facts) => made.open(facts))
      .then(
        (known) => {
          setTables(known)
          setCompiler(made)
        },
        () => setFailed(true),
      )
    return () => made.close()
  }, [dataset])
  return { compiler, tables, hasFailed }
}

async function priceByServer(
  body: QuestionBody,
  context: Omit<Question, "body">,
): Promise<Priced | Unpriced> {
  try {
    return pricedOf(await call("explain", { body }), context)
  } catch (error) {
    // A refusal is an ordinary answer here; a server that cannot be reached is an error.
    if (!(error instanceof ServerTrouble) || error.trouble.kind === "unavailable") throw error
    const { code, message, help, facts = {}, others } = error.trouble
    const all = [{ code, message, help, facts }, ...others]
    const issues = all.map((issue) => ({
      ...issue,
      facts: issue.facts ?? {},
      start: undefined,
      end: undefined,
    }))
    return { kind: "issues", issues } as const satisfies Unpriced
  }
}

type Told = Awaited<ReturnType<typeof call<"explain">>>

function pricedOf(told: Told, { wanted, accounts, norm }: Omit<Question, "body">): Priced {
  const { cost, budget, unitName, confidence, tables, releases, notes, firstLook, free } = told
  const { accounting, amount, delta } = firstLook?.cost ?? cost
  const charge = { accounting, amount: exactly(amount, "amount"), delta: exactly(delta, "delta") }
  return {
    kind: "priced",
    cost: cost.words,
    epsilon: Number(cost.epsilon ?? 0),
    ...effectOf(charge, (accounts.length === 0 ? [budget] : accounts).map(accountOf)),
    unit: unitName,
    confidence: Number(confidence),
    tables,
    groups: releases.map(({ groups }) => groups),
    bounding: [...new Set(releases.map(({ bounding }) => bounding))],
    aggregates: releases.flatMap(({ aggregates }) => aggregates),
    notes,
    learnsNorm: learnsNorm(releases, wanted, norm),
    free,
    ...(firstLook === undefined ? {} : { looks: firstLook }),
  }
}
