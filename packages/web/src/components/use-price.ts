// The price of a question while it is typed: by the compiler in the browser, by the server if that fails.

import { useCallback, useEffect, useRef, useState } from "react"
import { call } from "../api/server.ts"
import { ServerTrouble } from "../api/trouble.ts"
import { Compiler } from "../workers/compiler.ts"
import type { KnownTable, Limit, Priced, Spent, Unpriced } from "../workers/price.ts"
import { bodyOf, needsServer, type Wanted } from "../workers/wanted.ts"

/** What is known of the price of what stands in the editor. */
export interface Pricing {
  readonly price: Priced | Unpriced | undefined
  /** Whether a newer one is on its way. */
  readonly isStale: boolean
  readonly by: "browser" | "server"
  readonly tables: readonly KnownTable[]
}

interface Question {
  readonly sql: string
  readonly wanted: Wanted
  readonly spent: Spent | undefined
  readonly limit: Limit | undefined
}

const pauseMs = 150

/** Prices a question a moment after the last key. */
export function usePrice(dataset: string, { sql, wanted, spent, limit }: Question): Pricing {
  const { compiler, tables, hasFailed } = useCompiler(dataset)
  const [price, setPrice] = useState<Priced | Unpriced>()
  const [isStale, setStale] = useState(true)
  const round = useRef(0)
  const isServer = hasFailed || needsServer(wanted)
  const work = useCallback(async (): Promise<Priced | Unpriced | undefined> => {
    if (sql.trim() === "") return undefined
    if (isServer) return priceByServer(sql, wanted)
    return compiler?.price(sql, { wanted, spent, limit })
  }, [sql, wanted, spent, limit, compiler, isServer])
  useEffect(() => {
    round.current += 1
    const own = round.current
    setStale(true)
    const timer = setTimeout(
      () => {
        // A compiler that fails says nothing about the question; the price then is not known.
        void work()
          .catch(() => undefined)
          .then((found) => {
            if (own !== round.current) return
            setPrice(found)
            setStale(false)
          })
      },
      isServer ? 4 * pauseMs : pauseMs,
    )
    return () => clearTimeout(timer)
  }, [work, isServer])
  return { price, isStale, by: isServer ? "server" : "browser", tables }
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

async function priceByServer(sql: string, wanted: Wanted) {
  try {
    const told = await call("explain", { body: bodyOf(sql, wanted) })
    return pricedOf(told)
  } catch (error) {
    // A refusal is an ordinary answer here.
    if (!(error instanceof ServerTrouble)) throw error
    const { code, message, help } = error.trouble
    return {
      kind: "issues",
      issues: [{ code, message, help, facts: {}, start: undefined, end: undefined }],
    } satisfies Unpriced
  }
}

type Told = Awaited<ReturnType<typeof call<"explain">>>

function pricedOf(told: Told): Priced {
  const { cost, budget, unitName, confidence, tables, releases, notes, firstLook } = told
  const [amount, spent, left] = [cost.amount, budget.spent.amount, budget.left.amount].map(Number)
  const limit = (spent ?? 0) + (left ?? 0)
  return {
    kind: "priced",
    cost: cost.epsilon === null ? "" : `epsilon ${Number(Number(cost.epsilon).toPrecision(3))}`,
    epsilon: Number(cost.epsilon ?? 0),
    share: limit > 0 ? (amount ?? 0) / limit : 0,
    spentShare: limit > 0 ? (spent ?? 0) / limit : 1,
    fits: (amount ?? 0) <= (left ?? 0),
    more: amount === 0 ? Infinity : Math.max(0, Math.floor((left ?? 0) / (amount ?? 1)) - 1),
    unit: unitName,
    confidence: Number(confidence),
    tables,
    groups: releases.map(({ groups }) => groups),
    bounding: [...new Set(releases.map(({ bounding }) => bounding))],
    measures: releases.flatMap(({ measures }) => measures),
    notes,
    ...(firstLook === undefined ? {} : { looks: firstLook }),
  }
}
