// A coordinator's door: the routes of nodes, and nothing of a dataset. The same limits, log and headers as at
// the door of a house.

import type { Desk } from "../../federation/coordinator/desk.ts"
import { connectionLimitOf, OpenByAddress } from "../../limits/connection-limits.ts"
import { RateLimits } from "../../limits/rate-limits.ts"
import { makeApp } from "./app.ts"
import { coordinatorRoutes } from "./contract/coordinator.ts"
import { connectionOf, openHttpServer, type HttpServer, type HttpServerOptions } from "./http-server.ts"
import type { AnyHandler, Handlers } from "./request/handler.ts"
import type { Site } from "./request/site.ts"
import type { AnsweredRequest } from "./services/answered-request.ts"
import type { Services } from "./services/services.ts"

/** What the door opens to, and how. */
export interface CoordinatorDoorOptions extends Omit<HttpServerOptions, "app"> {
  readonly desk: Desk
  /** Whoever signs in; nodes do not. */
  readonly people: Pick<Services, "accounts" | "sessions" | "tokens">
  readonly requestsPerMinute?: number
  readonly answered?: (what: AnsweredRequest) => void
}

/** Opens the door. */
export async function openCoordinatorDoor(options: CoordinatorDoorOptions): Promise<HttpServer> {
  const { desk, people, tls, behindProxy = false, requestsPerMinute = 1200 } = options
  const site: Site = { secure: tls !== undefined || behindProxy, behindProxy, publicUrl: undefined }
  const handlers: Handlers<typeof coordinatorRoutes> = {
    enrolNode: async ({ body }) => desk.enrol(body),
    pollLetters: async ({ body }, { request }) => desk.poll(body, request.signal),
    sendLetter: async ({ body }) => desk.send(body),
    coordinatorLives: async () => ({ alive: true }),
  }
  const open = new OpenByAddress(connectionLimitOf(options).connectionsPerAddress)
  const app = makeApp({
    routes: coordinatorRoutes,
    // Each handler fits its route; by name they are all one kind.
    handlers: handlers as unknown as Readonly<Record<string, AnyHandler>>,
    services: people,
    site,
    rates: new RateLimits({ perMinute: requestsPerMinute }),
    enter: (address) => open.enter(address),
    connectionOf,
    answered: options.answered ?? (() => {}),
    pages: {},
    web: undefined,
  })
  return openHttpServer({ ...options, app, behindProxy })
}
