// The compiler off the main thread: a policy is opened once, then questions are priced as they are typed.

import { loadGrammar } from "@dosimeter/language/parse/grammar"
import grammarUrl from "libpg-query/wasm/libpg-query.wasm?url"
import type { ChargedAccount } from "./cost.ts"
import { fromPlain } from "./plain-values.ts"
import { price, tablesOf, type CompileFacts, type KnownTable, type Priced, type Unpriced } from "./price.ts"
import type { TypedAsk } from "./wanted.ts"

/** What the worker is asked; `id` comes back with the reply. */
export type WorkerRequest =
  | { readonly id: number; readonly kind: "open"; readonly facts: unknown }
  | {
      readonly id: number
      readonly kind: "price"
      readonly sql: string
      readonly wanted: TypedAsk
      readonly accounts: readonly ChargedAccount[]
    }

/** What the worker replies. */
export type WorkerReply =
  | { readonly id: number; readonly kind: "opened"; readonly tables: readonly KnownTable[] }
  | { readonly id: number; readonly kind: "price"; readonly price: Priced | Unpriced }
  | { readonly id: number; readonly kind: "failed"; readonly why: string }

let facts: CompileFacts | undefined

self.addEventListener("message", (event: MessageEvent<WorkerRequest>) => {
  const { data: request } = event
  answer(request)
    .then((reply) => self.postMessage(reply))
    // Every error is reported to the page, which then asks the server for the price.
    .catch((error: unknown) => {
      const why = error instanceof Error ? error.message : "unknown"
      self.postMessage({ id: request.id, kind: "failed", why } satisfies WorkerReply)
    })
})

async function answer(request: WorkerRequest): Promise<WorkerReply> {
  const { id } = request
  if (request.kind === "open") {
    // The server wrote it from a catalog and terms. Were it wrong, a wrong price would be shown, no more:
    // the server plans every question again.
    facts = fromPlain(request.facts) as CompileFacts
    return { id, kind: "opened", tables: tablesOf(facts) }
  }
  if (facts === undefined) return { id, kind: "failed", why: "no dataset is open" }
  const grammar = await loadGrammar({ url: grammarUrl })
  const { sql, wanted, accounts } = request
  return { id, kind: "price", price: price(sql, { facts, grammar, wanted, accounts }) }
}
