// The routes of the contract as one application: each request is limited, identified, checked and read before
// its handler sees it, and every error leaves in one shape.

import { DosimeterError } from "@dosimeter/core"
import { Hono, type Context } from "hono"
import { randomUUID } from "node:crypto"
import { fail } from "../errors.ts"
import type { AnsweredRequest } from "./answered-request.ts"
import type { Route, Routes } from "./contract/route.ts"
import type { AnyHandler, RequestContext } from "./handler.ts"
import { problemOf, retryAfterOf, statusOf } from "./http-error.ts"
import { checkAccess, checkOrigin, identify } from "./identify.ts"
import type { RateLimits } from "./rate-limits.ts"
import { idempotencyKey, readInput } from "./read-input.ts"
import type { Services } from "./services.ts"
import { addressOf, securityHeaders, type Site } from "./site.ts"
import type { WebApp } from "./web-app.ts"

/** What an application is made of. */
export interface AppOptions {
  readonly routes: Routes
  readonly handlers: Readonly<Record<string, AnyHandler>>
  readonly services: Services
  readonly site: Site
  readonly rates: RateLimits
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
  const wrap = (pattern: string, answer: (context: Context, trace: Trace) => Promise<Response>) => {
    return async (context: Context): Promise<Response> => {
      const started = performance.now()
      const requestId = randomUUID()
      const trace: Trace = { account: undefined, sql: undefined }
      let [code, frames]: (string | undefined)[] = []
      // The one place of this door where errors end.
      const response = await answer(context, trace).catch((error: unknown) => {
        code = error instanceof DosimeterError ? error.code : "bug/invariant"
        frames = error instanceof DosimeterError ? undefined : framesOf(error)
        return errorResponse(error, trace.sql)
      })
      for (const [name, value] of fixed) response.headers.set(name, value)
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
    app.on(
      route.method,
      path,
      wrap(route.path, (context, trace) => answerRoute(context, { route, handler, options, trace })),
    )
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

async function answerRoute(context: Context, { route, handler, options, trace }: Called): Promise<Response> {
  const { services, site, rates } = options
  const request = context.req.raw
  const address = addressOf(request, options.connectionOf(context), site)
  limit(rates, `from ${address}`)
  const caller = await identify(request, services, site)
  trace.account = caller?.person.name
  if (caller !== undefined) limit(rates, `account ${caller.person.name}`)
  checkAccess(caller, route.access)
  checkOrigin(request, caller, site)
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

function responseOf(reply: unknown, { status = 200 }: Route, headers: Headers): Response {
  if (reply instanceof Response) {
    for (const [name, value] of headers) reply.headers.append(name, value)
    return reply
  }
  if (status === 204) return new Response(null, { status, headers })
  headers.set("Content-Type", "application/json; charset=utf-8")
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

/** An error as a response. */
export function errorResponse(error: unknown, sql?: string): Response {
  const status = statusOf(error)
  const headers = new Headers({ "Content-Type": "application/json; charset=utf-8" })
  const wait = retryAfterOf(error)
  if (wait !== undefined) headers.set("Retry-After", `${wait}`)
  if (status === 401) headers.set("WWW-Authenticate", "Bearer")
  return new Response(JSON.stringify(problemOf(error, sql)), { status, headers })
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
