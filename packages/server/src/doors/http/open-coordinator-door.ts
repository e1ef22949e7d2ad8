// A coordinator's door: the routes of nodes and, where there is a lead, theirs with the screens. Nothing of a
// dataset. The same limits, log and headers as at the door of a house.

import type { Desk } from "../../federation/coordinator/desk.ts"
import { connectionLimitOf, OpenByAddress } from "../../limits/connection-limits.ts"
import { RateLimits } from "../../limits/rate-limits.ts"
import type { TryLimits } from "../../limits/try-limits.ts"
import { KnownDevices } from "../../people/known-devices.ts"
import { makeApp } from "./app.ts"
import { coordinatorRoutes } from "./contract/coordinator.ts"
import { coordinatorContract } from "./contract/lead-contract.ts"
import { openApiDocument } from "./contract/openapi.ts"
import { connectionOf, openHttpServer, type HttpServer, type HttpServerOptions } from "./http-server.ts"
import { apiPage, landingPage } from "./pages/pages.ts"
import { openWebApp, webFolder } from "./pages/web-app.ts"
import type { AnyHandler, Handlers } from "./request/handler.ts"
import type { Site } from "./request/site.ts"
import { sessionHandlers, tokenHandlers } from "./routes/identity.ts"
import { leadHandlers, type LedStudy } from "./routes/lead.ts"
import type { AnsweredRequest } from "./services/answered-request.ts"
import type { Services } from "./services/services.ts"

/** The lead's part of a door. */
export interface LeadDoor extends LedStudy {
  readonly limits: TryLimits
  /** The code that makes the first account; undefined where there is one. */
  readonly setUpCode: string | undefined
  /** Where the screens are: beside this package, if left out. */
  readonly web?: string
}

/** What the door opens to, and how. */
export interface CoordinatorDoorOptions extends Omit<HttpServerOptions, "app"> {
  readonly desk: Desk
  /** Whoever signs in; nodes do not. */
  readonly people: Pick<Services, "accounts" | "sessions" | "tokens">
  readonly lead?: LeadDoor
  readonly requestsPerMinute?: number
  readonly answered?: (what: AnsweredRequest) => void
}

/** Opens the door. */
export async function openCoordinatorDoor(options: CoordinatorDoorOptions): Promise<HttpServer> {
  const { desk, people, lead, tls, behindProxy = false, requestsPerMinute = 1200 } = options
  const site: Site = { secure: tls !== undefined || behindProxy, behindProxy, publicUrl: undefined }
  const nodes: Handlers<typeof coordinatorRoutes> = {
    enrolNode: async ({ body }) => desk.enrol(body),
    pollLetters: async ({ body }, { request }) => desk.poll(body, request.signal),
    sendLetter: async ({ body }) => desk.send(body),
    coordinatorLives: async () => ({ alive: true }),
  }
  const open = new OpenByAddress(connectionLimitOf(options).connectionsPerAddress)
  const screens = lead === undefined ? undefined : screensOf(lead, options)
  // Each handler fits its route; by name they are all one kind.
  const handlers = { ...nodes, ...screens?.handlers } as unknown as Readonly<Record<string, AnyHandler>>
  const app = makeApp({
    routes: screens === undefined ? coordinatorRoutes : coordinatorContract,
    handlers,
    services: people,
    site,
    rates: new RateLimits({ perMinute: requestsPerMinute }),
    enter: (address) => open.enter(address),
    connectionOf,
    answered: options.answered ?? (() => {}),
    pages: screens?.pages ?? {},
    web: screens?.web,
  })
  return openHttpServer({ ...options, app, behindProxy })
}

type LeadHandlers = Handlers<Omit<typeof coordinatorContract, keyof typeof coordinatorRoutes>>

function screensOf(lead: LeadDoor, { people }: CoordinatorDoorOptions) {
  const { limits, setUpCode, coordinator } = lead
  const document = openApiDocument(coordinatorContract)
  const devices = new KnownDevices(coordinator.store)
  const sessions = { ...people, limits, devices, setUpCode, openId: undefined }
  const handlers: LeadHandlers = {
    ...leadHandlers(lead),
    ...sessionHandlers({ ...sessions, place: async () => "coordinator" }),
    ...tokenHandlers(people),
    openApi: async () => document,
  }
  const web = openWebApp(lead.web ?? webFolder)
  return {
    handlers,
    web,
    pages: {
      ...(web === undefined ? { "/": async () => landingPage(coordinator.study) } : {}),
      "/api": async () => apiPage(document),
    },
  }
}
