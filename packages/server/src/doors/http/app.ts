// The routes of the contract as one application: each request is limited, identified, checked and read before
// its handler sees it, and every error leaves in one shape.

import { DosimeterError } from "@dosimeter/core"
import { Hono, type Context } from "hono"
import { randomUUID } from "node:crypto"
import { fail } from "../../errors.ts"
import type { AnsweredRequest } from "./services/answered-request.ts"
import type { Route, Routes } from "./contract/route.ts"
import type { AnyHandler, RequestContext } from "./request/handler.ts"
import type { RateLimits } from "../../limits/rate-limits.ts"
import { problemOf, retryAfterOf, statusOf } from "./request/http-error.ts"
import { checkAccess, checkOrigin, identify } from "./request/identify.ts"
import { problemPage } from "./pages/pages.ts"
import { idempotencyKey, readInput } from "./request/read-input.ts"
import type { Services } from "./services/services.ts"
import { addressOf, securityHeaders, type Site } from "./request/site.ts"
import type { WebApp } from "./pages/web-app.ts"

/** What an application is made of. */
export interface AppOptions {
  readonly routes: Routes
  readonly handlers: Readonly<Record<string, AnyHandler>>
  readonly services: Pick<Services, "accounts" | "sessions" | "tokens">
  readonly site: Site
  readonly rates: RateLimits
  /** A place for a request of an address, until it is given back: behind a proxy connections say nothing. */
  readonly enter: (address: string) => (() => void) | undefined
  /** The other end of a connection. */
  readonly connectionOf: (context: Context) => string
  readonly answered: (what: AnsweredRequest) => void
  /** Pages for people, by their path. */
  readonly pages: Readonly<Record<string, () => Promise<Response>>>
  /** The screens for browsers, if they were built: every address that nothing else claims. */
  readonly web: WebApp | undefined
}

interface Trace {
  account: string | undefined
  sql: string | undefined
}

/** Makes the application. */
export function makeApp(options: AppOptions): Hono {
  const app = new Hono()
  const fixed = Object.entries(securityHeaders(options.site))
  const wrap = (
    pattern: string,
    answer: (context: Context, trace: Trace) => Promise<Response>,
    more: Readonly<Record<string, string>> = {},
  ) => {
    return async (context: Context): Promise<Response> => {
      const started = performance.now()
      const requestId = randomUUID()
      const trace: Trace = { account: undefined, sql: undefined }
      let [code, frames]: (string | undefined)[] = []
      // The one place of this door where errors end.
      const response = await answer(context, trace).catch((error: unknown) => {
        code = error instanceof DosimeterError ? error.code : "bug/invariant"
        frames = error instanceof DosimeterError ? undefined : framesOf(error)
        return errorResponse(error, context.req.raw, trace.sql)
      })
      for (const [name, value] of [...fixed, ...Object.entries(more)]) response.headers.set(name, value)
      response.headers.set("X-Request-Id", requestId)
      if (!response.headers.has("Cache-Control")) response.headers.set("Cache-Control", "no-store")
      const ms = performance.now() - started
      const { method } = context.req
      const { account } = trace
      const { status } = response
      options.answered({ requestId, method, route: pattern, status, ms, account, code, frames })
      return response
    }
  }
  for (const [name, route] of Object.entries(options.routes)) {
    const handler = options.handlers[name]
    if (handler === undefined) throw new Error(`the route ${name} has no handler`)
    const path = route.path.replaceAll(/\{(\w+)\}/g, ":$1")
    const more = route.crossOrigin === true ? fromAnywhere : {}
    const answer = async (context: Context, trace: Trace): Promise<Response> =>
      answerRoute(context, { route, handler, options, trace })
    app.on(route.method, path, wrap(route.path, answer, more))
    if (route.crossOrigin !== true) continue
    const asked = wrap(route.path, async () => preflight(route), more)
    app.on("OPTIONS", path, asked)
  }
  for (const [path, page] of Object.entries(options.pages)) {
    app.get(
      path,
      wrap(path, async (context) => {
        limit(
          options.rates,
          `from ${addressOf(context.req.raw, options.connectionOf(context), options.site)}`,
        )
        return page()
      }),
    )
  }
  app.all(
    "*",
    wrap("none", async (context) => {
      return (await options.web?.answer(context.req.raw)) ?? noRoute(context, options.routes)
    }),
  )
  return app
}

interface Called {
  readonly route: Route
  readonly handler: AnyHandler
  readonly options: AppOptions
  readonly trace: Trace
}

async function answerRoute(context: Context, called: Called): Promise<Response> {
  const { rates, enter, connectionOf, site } = called.options
  const address = addressOf(context.req.raw, connectionOf(context), site)
  limit(rates, `from ${address}`)
  const leave = enter(address)
  if (leave === undefined) return fail("request/too-many", { seconds: "1" })
  try {
    return await answerFrom(address, context, called)
  } finally {
    leave()
  }
}

async function answerFrom(
  address: string,
  context: Context,
  { route, handler, options, trace }: Called,
): Promise<Response> {
  const { services, site, rates } = options
  const request = context.req.raw
  const caller = route.crossOrigin === true ? undefined : await identify(request, services, site)
  trace.account = caller?.person.name
  if (caller !== undefined) limit(rates, `account ${caller.person.name}`)
  checkAccess(caller, route.access)
  // A public route uses no session, so no token of one is needed; the request must come from a page of ours.
  const signedIn = route.access === "public" ? undefined : caller
  if (route.crossOrigin !== true) checkOrigin(request, signedIn, site)
  const key = route.idempotent === true ? idempotencyKey(request) : undefined
  const input = await readInput(route, request, context.req.param())
  const headers = new Headers()
  const about = (sql: string): void => {
    trace.sql = sql
  }
  const known: RequestContext = { request, site, caller, address, key, headers, about }
  // Each schema has just read its part: the handler's types are those schemas'.
  const reply = await handler(input as Parameters<AnyHandler>[0], known)
  return responseOf(reply, route, headers)
}

/** What lets the pages of other sites read a reply. */
const fromAnywhere = { "Access-Control-Allow-Origin": "*" }

/** The answer to a browser that asks beforehand whether another site's page may call. */
async function preflight(route: Route): Promise<Response> {
  const headers = {
    "Access-Control-Allow-Methods": route.method,
    "Access-Control-Allow-Headers": "Content-Type",
  }
  return new Response(null, { status: 204, headers })
}

function responseOf(reply: unknown, { status = 200 }: Route, headers: Headers): Response {
  if (reply instanceof Response) {
    for (const [name, value] of headers) reply.headers.append(name, value)
    return reply
  }
  if (status === 204) return new Response(null, { status, headers })
  headers.set("Content-Type", jsonType)
  return new Response(JSON.stringify(reply), { status, headers })
}

function limit(rates: RateLimits, key: string): void {
  const seconds = rates.take(key)
  if (seconds > 0) fail("request/too-many", { seconds: `${seconds}` })
}

function framesOf(error: unknown): string {
  const lines = error instanceof Error ? (error.stack ?? "").split("\n") : []
  return lines.filter((line) => /^ +at /.test(line)).join("\n")
}

/** An error as a response: a page for people who look at it in a browser. */
function errorResponse(error: unknown, request: Request, sql: string | undefined): Response {
  const status = statusOf(error)
  const problem = problemOf(error, sql)
  const response = isForPeople(request)
    ? problemPage(problem, status)
    : new Response(JSON.stringify(problem), { status, headers: { "Content-Type": jsonType } })
  const wait = retryAfterOf(error)
  if (wait !== undefined) response.headers.set("Retry-After", `${wait}`)
  if (status === 401) response.headers.set("WWW-Authenticate", "Bearer")
  return response
}

const jsonType = "application/json; charset=utf-8"

/** Whether the request is of a person who opens an address in a browser, and not of a program. */
function isForPeople({ headers }: Request): boolean {
  return (headers.get("accept") ?? "").startsWith("text/html")
}

function noRoute(context: Context, routes: Routes): never {
  const path = new URL(context.req.url).pathname
  const isAt = (pattern: string): boolean =>
    new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path)
  const there = Object.values(routes).filter((route) => isAt(route.path))
  if (there.length === 0) return fail("request/no-route", { path: path.slice(0, 200) })
  const allowed = there.map(({ method }) => method).join(" or ")
  return fail("request/wrong-method", { method: context.req.method.slice(0, 20), allowed })
}
