// What a route's handler is: checked input and the caller in, a reply out.

import { fail } from "../../../errors.ts"
import type { Route, RouteInput, RouteReply, Routes } from "../contract/route.ts"
import type { Caller, Services } from "../services/services.ts"
import type { Site } from "./site.ts"

/** What a handler knows of a request besides its input. */
export interface RequestContext {
  readonly request: Request
  readonly site: Site
  readonly caller: Caller | undefined
  readonly address: string
  /** From the header Idempotency-Key. */
  readonly key: string | undefined
  /** Headers of the reply; cookies are put here. */
  readonly headers: Headers
  /** Says which SQL an error points into. */
  readonly about: (sql: string) => void
}

/** Answers one route: with the reply as data, or with a whole response. */
export type Handler<R> = (input: RouteInput<R>, context: RequestContext) => Promise<RouteReply<R> | Response>

/** The handlers of some routes. */
export type Handlers<Given extends Routes> = { readonly [Name in keyof Given]: Handler<Given[Name]> }

/** Makes the handlers of a subject. */
export type MakeHandlers<Given extends Routes> = (services: Services) => Handlers<Given>

/** Any handler, when it no longer matters which. */
export type AnyHandler = Handler<Route>

/** The caller of a route that is not public. */
export function callerOf({ caller }: RequestContext): Caller {
  return caller ?? fail("request/not-signed-in", {})
}

/** Whether the caller wants this kind of reply. */
export function wants({ request }: RequestContext, media: string): boolean {
  return (request.headers.get("accept") ?? "").toLowerCase().includes(media)
}

/** A text of some kind as a response. */
export function textReply(text: string, media: string, file?: string): Response {
  const headers = new Headers({ "Content-Type": `${media}; charset=utf-8` })
  if (file !== undefined) headers.set("Content-Disposition", `attachment; filename="${file}"`)
  return new Response(text, { headers })
}
