// The page's side of the compiler: one worker for as long as the page lives, promises for its replies.

import type { WorkerReply, WorkerRequest } from "./compile.worker.ts"
import type { ChargedAccount } from "./cost.ts"
import type { KnownTable, Priced, Unpriced } from "./price.ts"
import type { TypedAsk } from "./wanted.ts"

type WithoutId<Request> = Request extends { readonly id: number } ? Omit<Request, "id"> : never

/** Prices questions about one dataset. */
export class Compiler {
  readonly #worker: Worker
  readonly #waiting = new Map<number, (reply: WorkerReply) => void>()
  #last = 0

  constructor() {
    this.#worker = new Worker(new URL("./compile.worker.ts", import.meta.url), { type: "module" })
    this.#worker.addEventListener("message", ({ data }: MessageEvent<WorkerReply>) => {
      this.#waiting.get(data.id)?.(data)
      this.#waiting.delete(data.id)
    })
    // A worker that cannot be loaded never replies: every waiting request fails, and the server prices.
    this.#worker.addEventListener("error", () => {
      const waiting = [...this.#waiting]
      this.#waiting.clear()
      for (const [id, reply] of waiting) reply({ id, kind: "failed", why: "the compiler cannot be loaded" })
    })
  }

  /** Takes what the server sends as compile-facts. */
  async open(facts: unknown): Promise<readonly KnownTable[]> {
    const reply = await this.#ask({ kind: "open", facts })
    if (reply.kind !== "opened") throw new Error(whyOf(reply))
    return reply.tables
  }

  async price(
    sql: string,
    options: {
      readonly wanted: TypedAsk
      readonly accounts: readonly ChargedAccount[]
    },
  ): Promise<Priced | Unpriced> {
    const reply = await this.#ask({ kind: "price", sql, ...options })
    if (reply.kind !== "price") throw new Error(whyOf(reply))
    return reply.price
  }

  close(): void {
    this.#worker.terminate()
  }

  #ask(request: WithoutId<WorkerRequest>): Promise<WorkerReply> {
    this.#last += 1
    const id = this.#last
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      this.#worker.postMessage({ ...request, id })
    })
  }
}

function whyOf(reply: WorkerReply): string {
  return reply.kind === "failed" ? reply.why : "an unexpected reply"
}
