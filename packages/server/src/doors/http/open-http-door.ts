// Everything of the HTTP door put together: services, routes, limits, log, and the port.

import { connectionLimitOf, OpenByAddress, type ConnectionLimit } from "../../limits/connection-limits.ts"
import type { AnsweredRequest } from "./services/answered-request.ts"
import { makeApp } from "./app.ts"
import { contract } from "./contract/contract.ts"
import type { AnyHandler } from "./request/handler.ts"
import { connectionOf, openHttpServer, type HttpServer, type HttpServerOptions } from "./http-server.ts"
import { servicesOf, type ServiceOptions } from "./services/make-services.ts"
import { openApiDocument } from "./contract/openapi.ts"
import { apiPage, landingPage } from "./pages/pages.ts"
import { RateLimits } from "../../limits/rate-limits.ts"
import { publicView } from "./routes/governance.ts"
import { makeHandlers } from "./routes/routes.ts"
import type { Site } from "./request/site.ts"
import { transparencyPage } from "./pages/transparency-page.ts"
import { openWebApp, webFolder } from "./pages/web-app.ts"

/** What the door opens to, and how. */
export interface HttpDoorOptions
  extends ServiceOptions, ConnectionLimit, Pick<HttpServerOptions, "patience"> {
  readonly host: string
  /** 0 for any free one. */
  readonly port: number
  readonly tls?: { readonly cert: string; readonly key: string }
  readonly behindProxy?: boolean
  readonly publicUrl?: string
  readonly requestsPerMinute?: number
  readonly answered?: (what: AnsweredRequest) => void
  /** Where the screens are: beside this package, if left out. */
  readonly web?: string
}

/** Opens the door. */
export async function openHttpDoor(options: HttpDoorOptions): Promise<HttpServer> {
  const { tls, behindProxy = false, requestsPerMinute = 600, answered } = options
  const site: Site = { secure: tls !== undefined || behindProxy, behindProxy, publicUrl: options.publicUrl }
  const services = servicesOf(options)
  // Each handler fits its route; by name they are all one kind.
  const handlers = makeHandlers(services) as Readonly<Record<string, AnyHandler>>
  const { dataset } = services.engine.policy
  const document = openApiDocument(contract)
  const web = openWebApp(options.web ?? webFolder)
  const open = new OpenByAddress(connectionLimitOf(options).connectionsPerAddress)
  const app = makeApp({
    routes: contract,
    handlers,
    services,
    site,
    rates: new RateLimits({ perMinute: requestsPerMinute }),
    enter: (address) => open.enter(address),
    connectionOf,
    answered: (what) => {
      services.metrics.answered(what)
      answered?.(what)
    },
    web,
    pages: {
      ...(web === undefined ? { "/": async () => landingPage(dataset) } : {}),
      "/api": async () => apiPage(document),
      "/transparency": async () => transparencyPage(await publicView(services)),
    },
  })
  return openHttpServer({ ...options, app, behindProxy })
}
