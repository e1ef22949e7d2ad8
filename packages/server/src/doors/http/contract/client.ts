// A client of the HTTP API, typed by the contract. Runs wherever there is fetch: browsers and Node.

import { contract } from "./contract.ts"
import { coordinatorContract } from "./lead-contract.ts"
import type { Problem } from "./common.ts"
import type { Route, RouteCall, RouteResult } from "./route.ts"

/** Where the server is, and as whom it is called. */
export interface ClientOptions {
  /** Such as https://data.example.org; the page's own host if left out. */
  readonly url?: string
  /** For programs. In a browser the session's cookie is sent by itself. */
  readonly token?: string
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

/** What goes with a call besides its input. */
export interface CallOptions {
  /** Makes it safe to send again. */
  readonly key?: string
  readonly signal?: AbortSignal
}

/** A step of a question that is answered as a stream: planned, charged, reading, released, problem. */
export interface Step {
  readonly event: string
  readonly data: unknown
}

/** What the server refused, as it said it. */
export class ApiError extends Error {
  override readonly name = "ApiError"
  readonly status: number
  readonly problem: Problem
  /** Seconds to wait, where the server named them. */
  readonly retryAfter: number | undefined

  constructor(status: number, problem: Problem, retryAfter?: number) {
    super(`${problem.message} [${problem.code}]`)
    this.status = status
    this.problem = problem
    this.retryAfter = retryAfter
  }
}

/** A house and a coordinator answer different routes; where both have one, it is the same. */
const everyRoute = { ...coordinatorContract, ...contract } as const

type Contract = typeof everyRoute
type Name = keyof Contract
type Input<N extends Name> = RouteCall<Contract[N]>
type Arguments<N extends Name> =
  Partial<Record<string, never>> extends Input<N>
    ? readonly [input?: Input<N>, options?: CallOptions]
    : readonly [input: Input<N>, options?: CallOptions]

/** Calls a server. */
export class Client {
  readonly #options: ClientOptions
  #csrfToken: string | undefined

  constructor(options: ClientOptions = {}) {
    this.#options = options
  }

  /** Calls a route by its name in the contract. */
  async call<N extends Name>(name: N, ...[input, options]: Arguments<N>): Promise<RouteResult<Contract[N]>> {
    const route: Route = everyRoute[name]
    const response = await this.#send(route, input ?? {}, { ...options, accept: "application/json" })
    const text = await response.text()
    const value: unknown = text === "" ? undefined : JSON.parse(text)
    this.#remember(value)
    // The server is held to the same schema.
    return (route.reply?.parse(value) ?? undefined) as RouteResult<Contract[N]>
  }

  /** The reply of a route as text in another form, such as text/csv. */
  async text<N extends Name>(name: N, ...[input, options]: Arguments<N>): Promise<string> {
    const route: Route = everyRoute[name]
    return (await this.#send(route, input ?? {}, { ...options, accept: route.media ?? "*/*" })).text()
  }

  /** Asks, and gives the steps as they happen; the last one has the answer, or the problem. */
  steps(input: Input<"ask">, options: CallOptions = {}): AsyncGenerator<Step, void> {
    return this.stepsOf("ask", input, options)
  }

  /** The same of a route that answers in steps. */
  async *stepsOf<N extends "ask" | "trainModel">(
    name: N,
    input: Input<N>,
    options: CallOptions = {},
  ): AsyncGenerator<Step, void> {
    const accept = "text/event-stream"
    const response = await this.#send(contract[name], input, { ...options, accept })
    let waiting = ""
    const decoder = new TextDecoder()
    const reader = response.body?.getReader()
    for (;;) {
      const read = await reader?.read()
      if (read === undefined || read.done) return
      const bytes: unknown = read.value
      if (bytes instanceof Uint8Array) waiting += decoder.decode(bytes, { stream: true })
      const parts = waiting.split("\n\n")
      waiting = parts.pop() ?? ""
      for (const part of parts) {
        const step = stepIn(part)
        if (step !== undefined) yield step
      }
    }
  }

  async #send(
    route: Route,
    input: Readonly<Record<string, unknown>>,
    options: CallOptions & { readonly accept: string },
  ): Promise<Response> {
    const { url = "", token, fetch: given = fetch } = this.#options
    const headers = new Headers({ Accept: options.accept })
    if (token !== undefined) headers.set("Authorization", `Bearer ${token}`)
    if (this.#csrfToken !== undefined) headers.set("X-CSRF-Token", this.#csrfToken)
    if (options.key !== undefined) headers.set("Idempotency-Key", options.key)
    if (route.body !== undefined) headers.set("Content-Type", "application/json")
    const response = await given(`${url}${pathOf(route, input)}`, {
      method: route.method,
      headers,
      credentials: "same-origin",
      ...(route.body === undefined ? {} : { body: JSON.stringify(input["body"]) }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    })
    // 202: it was asked and paid for, and waits for an approval.
    if (response.ok && response.status !== 202) return response
    const wait = response.headers.get("retry-after")
    throw new ApiError(response.status, await problemIn(response), wait === null ? undefined : Number(wait))
  }

  /** Signing in gives the token that changes must carry. */
  #remember(value: unknown): void {
    if (typeof value !== "object" || value === null || !("csrfToken" in value)) return
    if (typeof value.csrfToken === "string") this.#csrfToken = value.csrfToken
  }
}

function pathOf(route: Route, input: Readonly<Record<string, unknown>>): string {
  const params = fieldsOf(input["params"])
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params.get(name) ?? ""),
  )
  const query = new URLSearchParams([...fieldsOf(input["query"])]).toString()
  return query === "" ? path : `${path}?${query}`
}

function fieldsOf(value: unknown): ReadonlyMap<string, string> {
  if (typeof value !== "object" || value === null) return new Map()
  const fields: readonly (readonly [string, unknown])[] = Object.entries(value)
  return new Map(fields.flatMap(([name, field]) => (typeof field === "string" ? [[name, field]] : [])))
}

async function problemIn(response: Response): Promise<Problem> {
  try {
    // A proxy may answer in our place, with something else.
    return (await response.json()) as Problem
  } catch {
    return { kind: "unavailable", code: "request/unreadable", message: response.statusText, help: null }
  }
}

function stepIn(part: string): Step | undefined {
  const fields = new Map(
    part.split("\n").map((line): [string, string] => {
      const place = line.indexOf(": ")
      return [line.slice(0, place), line.slice(place + 2)]
    }),
  )
  const [event, data] = [fields.get("event"), fields.get("data")]
  return event === undefined || data === undefined ? undefined : { event, data: JSON.parse(data) as unknown }
}
