// A server for the tests of screens: replies by method and path, and everything that was sent to it. What it
// replies is read by the real client, which holds it to the schema of the contract.

import { vi } from "vitest"

/** A request as it arrived. */
export interface Sent {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
  readonly headers: Headers
}

/** Replies by "METHOD /path": a value, a response, or what makes one of them from the request. */
export type Replies = Readonly<Record<string, unknown>>

function isMaker(reply: unknown): reply is (request: Sent) => unknown {
  return typeof reply === "function"
}

/** What was sent, and what nobody had a reply for. */
export interface FakeServer {
  readonly sent: readonly Sent[]
  /** The requests with a method and a path. */
  readonly sentTo: (route: string) => readonly Sent[]
  /** How many requests wait for their reply. */
  readonly waiting: () => number
  readonly unexpected: readonly string[]
  /** Replaces some replies from now on. */
  readonly change: (replies: Replies) => void
}

/** Lets `fetch` reply from a table. */
export function startFakeServer(first: Replies): FakeServer {
  let replies = first
  let waiting = 0
  const sent: Sent[] = []
  const unexpected: string[] = []
  const answer = async (request: Sent): Promise<Response> => {
    const route = `${request.method} ${request.path}`
    if (!(route in replies)) unexpected.push(route)
    const found = replies[route] ?? refusal("test/no-such-route", { status: 404 })
    const value: unknown = isMaker(found) ? await found(request) : found
    return value instanceof Response ? value.clone() : jsonReply(value)
  }
  vi.stubGlobal("fetch", async (url: string, init: RequestInit = {}) => {
    const request = requestOf(url, init)
    sent.push(request)
    waiting += 1
    return answer(request).finally(() => {
      waiting -= 1
    })
  })
  return {
    sent,
    sentTo: (route) => sent.filter(({ method, path }) => route === `${method} ${path}`),
    waiting: () => waiting,
    unexpected,
    change: (more) => {
      replies = { ...replies, ...more }
    },
  }
}

/** A refusal as the server sends it. */
export function refusal(
  code: string,
  {
    status = 403,
    kind = "refused",
    message = `message of ${code}`,
    help = null,
  }: {
    readonly status?: number
    readonly kind?: string
    readonly message?: string
    readonly help?: string | null
  } = {},
): Response {
  return new Response(JSON.stringify({ kind, code, message, help }), { status })
}

/** Where nothing comes back. */
export const nothing = (): Response => new Response(null, { status: 204 })

/** What `fetch` does when nobody is there. */
export const unreachable = async (): Promise<never> => Promise.reject(new TypeError("Failed to fetch"))

function jsonReply(value: unknown): Response {
  return new Response(JSON.stringify(value), { headers: { "Content-Type": "application/json" } })
}

function requestOf(url: string, init: RequestInit): Sent {
  const { pathname, searchParams } = new URL(url, "http://localhost")
  const body: unknown = typeof init.body === "string" ? JSON.parse(init.body) : undefined
  return {
    method: init.method ?? "GET",
    path: decodeURIComponent(pathname),
    query: Object.fromEntries(searchParams),
    body,
    headers: new Headers(init.headers),
  }
}
