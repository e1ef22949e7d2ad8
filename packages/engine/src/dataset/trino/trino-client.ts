// Trino's protocol: a statement is posted, its results are fetched page by page, and a DELETE stops it. A
// page that did not arrive is asked for again, which runs nothing twice. What the server says of a failure
// stays here: only the name of its kind goes on, which is one of a fixed list.

import { setTimeout } from "node:timers/promises"
import type { TrinoAddress } from "./trino-address.ts"
import { trinoHttp, type HttpAsk, type HttpReply, type TrinoHttp } from "./trino-http.ts"

/** A cell as the protocol gives it. Printed SQL asks for texts where numbers may be long. */
export type TrinoCell = string | number | boolean | null

/** What a statement gave. */
export interface TrinoResult {
  readonly rows: readonly (readonly TrinoCell[])[]
  /** The transaction that it began, if it did. */
  readonly transaction: string | undefined
}

/** How a statement is run. */
export interface StatementOptions {
  readonly signal?: AbortSignal | undefined
  /** The transaction that it belongs to. */
  readonly transaction?: string | undefined
  /** Whether it is given up where the server does not take it at once. */
  readonly isHasty?: boolean
  /** Settings of the session. */
  readonly settings?: Readonly<Record<string, string>>
}

/** Why a statement failed: the name that Trino gives the kind of failure, or what happened on the way. */
export class TrinoFailure extends Error {
  readonly kind: string

  constructor(kind: string) {
    super("a statement of Trino failed")
    this.kind = /^[A-Z_]{1,80}$/.test(kind) ? kind : "UNKNOWN"
  }
}

/** The failures on the way to a server, in words of ours. */
export const wordsOfDoor: ReadonlyMap<string, string> = new Map([
  ["NETWORK", "nothing answers at its address"],
  ["CERTIFICATE", "its certificate is not trusted, or it does not trust ours"],
  ["AUTHENTICATION", "it does not let this user in"],
])

/** Waits before another try, in milliseconds; with the last of them it is over. */
const patience = [50, 100, 200, 400, 800, 1600, 3200, 6400]

/** A client of one address. */
export class TrinoClient {
  readonly #address: TrinoAddress
  readonly #http: TrinoHttp

  constructor(address: TrinoAddress) {
    this.#address = address
    this.#http = trinoHttp(address)
  }

  /** Runs a statement to its end. Aborting stops it at the server too, as far as the server can be told. */
  async run(sql: string, options: StatementOptions = {}): Promise<TrinoResult> {
    const headers = this.#headers(options)
    const { signal, isHasty = false } = options
    const rows: (readonly TrinoCell[])[] = []
    let transaction: string | undefined
    const ask = { method: "POST", path: "/v1/statement", headers, body: sql, signal } as const
    let reply = isHasty ? judged(await this.#once(ask)) : await this.#post(ask)
    for (;;) {
      const page = readPage(reply)
      // One by one: as arguments of one call, the rows of a large page would not fit.
      for (const row of page.rows) rows.push(row)
      transaction ??= headerOf(reply, "x-trino-started-transaction-id")
      if (page.failure !== undefined) throw new TrinoFailure(page.failure)
      const { next } = page
      if (next === undefined) return { rows, transaction }
      try {
        reply = await this.#fetch({ method: "GET", path: next, headers, signal })
      } catch (error) {
        await this.#cancel(next, headers)
        throw error
      }
    }
  }

  close(): void {
    this.#http.close()
  }

  #headers({ transaction, settings = {} }: StatementOptions): Readonly<Record<string, string>> {
    const { user, catalog, schema, authorization } = this.#address
    const shown = authorization()
    const session = Object.entries(settings).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    return {
      "X-Trino-User": user,
      "X-Trino-Source": "dosimeter",
      "X-Trino-Catalog": catalog,
      "X-Trino-Schema": schema,
      "X-Trino-Time-Zone": "UTC",
      "X-Trino-Language": "en-US",
      "X-Trino-Transaction-Id": transaction ?? "NONE",
      "Content-Type": "text/plain; charset=utf-8",
      ...(session.length === 0 ? {} : { "X-Trino-Session": session.join(",") }),
      ...(shown === undefined ? {} : { Authorization: shown }),
    }
  }

  /** Only where the statement was certainly not taken is it sent again. */
  async #post(ask: HttpAsk): Promise<HttpReply> {
    return this.#again(ask, (outcome) =>
      outcome instanceof Error ? codeOf(outcome) === "ECONNREFUSED" : [429, 503].includes(outcome.status),
    )
  }

  /** A page can be asked for any number of times until the next one was. */
  async #fetch(ask: HttpAsk): Promise<HttpReply> {
    return this.#again(
      ask,
      (outcome) => outcome instanceof Error || [429, 502, 503, 504].includes(outcome.status),
    )
  }

  async #again(ask: HttpAsk, isWorthIt: (outcome: HttpReply | Error) => boolean): Promise<HttpReply> {
    for (const wait of [...patience, undefined]) {
      const outcome = await this.#once(ask)
      ask.signal?.throwIfAborted()
      if (wait === undefined || !isWorthIt(outcome)) return judged(outcome)
      await setTimeout(wait, undefined, ask.signal === undefined ? {} : { signal: ask.signal })
    }
    throw new TrinoFailure("NETWORK")
  }

  async #once(ask: HttpAsk): Promise<HttpReply | Error> {
    return this.#http.send(ask).catch((error: unknown) => errorOf(error))
  }

  async #cancel(path: string, headers: Readonly<Record<string, string>>): Promise<void> {
    // The server ends what nobody asks for by itself after a while (query.client.timeout).
    await this.#http.send({ method: "DELETE", path, headers }).catch(() => undefined)
  }
}

function judged(outcome: HttpReply | Error): HttpReply {
  if (outcome instanceof Error) throw new TrinoFailure(isOfTls(outcome) ? "CERTIFICATE" : "NETWORK")
  if (outcome.status === 401 || outcome.status === 403) throw new TrinoFailure("AUTHENTICATION")
  if (outcome.status !== 200) throw new TrinoFailure("PROTOCOL")
  return outcome
}

interface Page {
  readonly rows: readonly (readonly TrinoCell[])[]
  readonly next: string | undefined
  readonly failure: string | undefined
}

/** A page of results. What is not one is a failure, never an end. */
function readPage({ body }: HttpReply): Page {
  const page: unknown = parsed(body)
  if (!isRecord(page) || typeof page["id"] !== "string") throw new TrinoFailure("PROTOCOL")
  const { error, data, nextUri } = page
  const rows = data === undefined || data === null ? [] : data
  if (!Array.isArray(rows) || !rows.every(isRow)) throw new TrinoFailure("PROTOCOL")
  return { rows, next: pathOf(nextUri), failure: failureOf(error) }
}

function failureOf(error: unknown): string | undefined {
  if (error === undefined || error === null) return undefined
  return isRecord(error) && typeof error["errorName"] === "string" ? error["errorName"] : "UNKNOWN"
}

// The path alone: a server behind another one may not know its own address, and nobody else gets our keys.
function pathOf(uri: unknown): string | undefined {
  if (uri === undefined || uri === null) return undefined
  if (typeof uri !== "string" || !URL.canParse(uri)) throw new TrinoFailure("PROTOCOL")
  const { pathname, search } = new URL(uri)
  if (!pathname.startsWith("/v1/statement/")) throw new TrinoFailure("PROTOCOL")
  return `${pathname}${search}`
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function isRow(value: unknown): value is readonly TrinoCell[] {
  return Array.isArray(value) && value.every((cell) => cell === null || typeof cell !== "object")
}

function headerOf({ headers }: HttpReply, name: string): string | undefined {
  const value = headers[name]
  return typeof value === "string" ? value : undefined
}

function errorOf(error: unknown): Error {
  return error instanceof Error ? error : new Error("unknown")
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : ""
}

function isOfTls(error: Error): boolean {
  return /CERT|SSL|TLS|SELF_SIGNED|ALTNAME|UNABLE_TO/.test(codeOf(error))
}
