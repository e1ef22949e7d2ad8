// The process that holds the catalogs, from outside: it is started when it is needed, asked one question at a
// time, and started anew if it has ended. It ends itself when a question takes too much work or memory. What
// happens to it happens to nobody else.

import { fork, type ChildProcess } from "node:child_process"
import { fileURLToPath } from "node:url"
import { fail } from "../../../errors.ts"
import { WireError } from "../wire/wire-error.ts"
import type { WireResult } from "../wire/wire-result.ts"
import { wireTypes, type WireType } from "../wire/wire-types.ts"
import type { CatalogReply, CatalogRequest } from "./catalog-messages.ts"
import { catalogStatements, type CatalogOf } from "./catalog-tables.ts"
import { checkPrinted } from "./check-printed.ts"
import { notAnswered } from "./not-answered.ts"

/** A question for the catalogs. */
export interface CatalogQuestion {
  /** Printed by read-catalog-query.ts, and by nothing else. */
  readonly sql: string
  readonly asker: string
  readonly isDescribed: boolean
}

/** Against hanging only: on a busy machine the process may wait long for its turn. */
const hangMs = 300_000
const waitingMax = 200
const waitingOfOneMax = 20

interface Waiting {
  readonly asker: string
  readonly begin: () => void
}

/** Catalogs that can be asked. */
export class CatalogDatabase {
  readonly #statements: readonly string[]
  #child: ChildProcess | undefined
  #waiting: Waiting[] = []
  #isBusy = false
  #servedLast = ""
  #isClosed = false

  constructor(of: CatalogOf) {
    this.#statements = catalogStatements(of)
  }

  /** The process, while there is one. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  /**
   * The answer. One question at a time, in turn between people; some may wait, the rest is turned away. A
   * signal ends the wait of the asker; the question itself keeps its turn until it is over.
   */
  async answer(question: CatalogQuestion, signal?: AbortSignal): Promise<WireResult> {
    checkPrinted(question.sql)
    const answered = this.#inTurn(question, signal)
    if (signal === undefined) return answered
    return new Promise((resolve, reject) => {
      const end = (): void => reject(new WireError("57014", "the question was ended before its answer"))
      signal.addEventListener("abort", end, { once: true })
      if (signal.aborted) end()
      answered.then(resolve, reject).finally(() => signal.removeEventListener("abort", end))
    })
  }

  async #inTurn(question: CatalogQuestion, signal: AbortSignal | undefined): Promise<WireResult> {
    await this.#turn(question.asker)
    try {
      // Nobody waits for it any more.
      if (signal?.aborted === true) return notAnswered("it was ended")
      return await this.#ask(question)
    } finally {
      this.#isBusy = false
      this.#next()
    }
  }

  async #turn(asker: string): Promise<void> {
    const own = this.#waiting.filter((one) => one.asker === asker).length
    if (own >= waitingOfOneMax || this.#waiting.length >= waitingMax) fail("request/busy", {})
    await new Promise<void>((resolve) => {
      this.#waiting.push({ asker, begin: resolve })
      this.#next()
    })
  }

  /** Askers other than the one served last come first. */
  #next(): void {
    if (this.#isBusy) return
    const other = this.#waiting.findIndex(({ asker }) => asker !== this.#servedLast)
    const [chosen] = this.#waiting.splice(Math.max(0, other), 1)
    if (chosen === undefined) return
    this.#isBusy = true
    this.#servedLast = chosen.asker
    chosen.begin()
  }

  /** Ends the process. */
  close(): void {
    this.#isClosed = true
    this.#end()
  }

  async #ask({ sql, asker, isDescribed }: CatalogQuestion): Promise<WireResult> {
    if (this.#isClosed) return notAnswered("the server is closing")
    if (this.#child === undefined) await this.#start()
    const reply = await this.#exchange({ kind: "ask", sql, asker, isDescribed })
    switch (reply?.kind) {
      case "rows":
        return {
          columns: reply.columns.map(({ name, type }) => ({ name, type: wireTypeOfDuck(type) })),
          rows: reply.rows,
          tag: "SELECT",
          notices: [],
        }
      case "too-much":
        throw new WireError(
          "54000",
          "the answer is too large",
          "ask for fewer rows or columns, with WHERE or LIMIT",
        )
      case undefined:
        throw new WireError("54000", "this question about the catalogs takes too much", "ask for less")
      default:
        return notAnswered("the catalogs do not have it")
    }
  }

  async #start(): Promise<void> {
    const file = fileURLToPath(new URL(`./catalog-process${extension}`, import.meta.url))
    const execArgv = ["--max-old-space-size=128", ...(extension === ".ts" ? ["--import", "tsx"] : [])]
    this.#child = fork(file, [], { execArgv, env: {}, stdio: ["ignore", "ignore", "ignore", "ipc"] })
    this.#child.unref()
    this.#child.channel?.unref()
    const child = this.#child
    child.on("exit", () => {
      if (this.#child === child) this.#child = undefined
    })
    child.on("error", () => this.#end())
    const reply = await this.#exchange({ kind: "open", statements: this.#statements })
    if (reply?.kind === "opened") return
    this.#end()
    notAnswered("the catalogs could not be opened")
  }

  /** Says something and waits for what comes back; undefined if nothing did, and then the process is gone. */
  async #exchange(request: CatalogRequest): Promise<CatalogReply | undefined> {
    const child = this.#child
    if (child === undefined) return undefined
    const reply = await new Promise<CatalogReply | undefined>((resolve) => {
      const gone = (): void => settle(undefined)
      const came = (message: unknown): void => settle(message as CatalogReply)
      const patience = setTimeout(gone, hangMs)
      const settle = (value: CatalogReply | undefined): void => {
        clearTimeout(patience)
        child.off("exit", gone)
        child.off("message", came)
        resolve(value)
      }
      child.once("exit", gone)
      child.once("message", came)
      child.send(request, (error) => {
        if (error !== null) settle(undefined)
      })
    })
    if (reply === undefined) this.#end()
    return reply
  }

  #end(): void {
    this.#child?.kill("SIGKILL")
    this.#child = undefined
  }
}

/** The extension of this file, and of the program beside it: sources, or compiled. */
const extension = import.meta.url.endsWith(".ts") ? ".ts" : ".js"

function wireTypeOfDuck(type: string): WireType {
  if (type === "BOOLEAN") return wireTypes.boolean
  if (/^(U?(TINY|SMALL)INT|INTEGER)$/.test(type)) return wireTypes.small
  if (/^(UINTEGER|BIGINT|UBIGINT)$/.test(type)) return wireTypes.integer
  return type === "DOUBLE" || type === "FLOAT" ? wireTypes.float : wireTypes.text
}
