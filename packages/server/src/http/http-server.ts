// The door for browsers and programs: a port, with encryption where there is a certificate. Slow and large
// requests are cut off; a stop lets running ones finish.

import { serve } from "@hono/node-server"
import { getConnInfo } from "@hono/node-server/conninfo"
import type { Context, Hono } from "hono"
import { createServer, Server as HttpOneServer } from "node:http"
import { createServer as createSecureServer, Server as SecureServer } from "node:https"
import type { Server } from "node:net"

/** How the door is opened. */
export interface HttpServerOptions {
  readonly app: Hono
  readonly host: string
  /** 0 for any free one. */
  readonly port: number
  /** Certificate and key in PEM. */
  readonly tls?: { readonly cert: string; readonly key: string }
  readonly connectionsMax?: number
}

/** An open door. */
export interface HttpServer {
  readonly port: number
  /** Takes nothing new, lets running requests finish for a while, and closes. */
  close(): Promise<void>
}

const limits = {
  /** For all of the headers. */
  headersTimeout: 10_000,
  /** For all of a request; the reply may take longer. */
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16_384,
}
const finishMs = 10_000

/** Opens the door. */
export async function openHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { app, host, port, tls, connectionsMax = 1000 } = options
  const server = await new Promise<Server>((resolve, reject) => {
    const shared = { fetch: app.fetch, hostname: host, port }
    const opened = serve(
      tls === undefined
        ? { ...shared, createServer, serverOptions: limits }
        : {
            ...shared,
            createServer: createSecureServer,
            serverOptions: { ...limits, ...tls, minVersion: "TLSv1.2" },
          },
      () => resolve(opened),
    )
    opened.once("error", reject)
  })
  server.maxConnections = connectionsMax
  const address = server.address()
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    close: async () => closeServer(server),
  }
}

/** The other end of a connection. */
export function connectionOf(context: Context): string {
  return getConnInfo(context).remote.address ?? ""
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve())
  })
  const isHttp = server instanceof HttpOneServer || server instanceof SecureServer
  if (isHttp) server.closeIdleConnections()
  const patience = setTimeout(() => {
    if (isHttp) server.closeAllConnections()
  }, finishMs)
  await closed
  clearTimeout(patience)
}
