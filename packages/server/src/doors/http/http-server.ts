// The door for browsers and programs: a port, with encryption where there is a certificate. Slow and large
// requests are cut off; a stop lets running ones finish.

import { serve } from "@hono/node-server"
import { getConnInfo } from "@hono/node-server/conninfo"
import type { Context, Hono } from "hono"
import { createServer, Server as HttpOneServer } from "node:http"
import { createServer as createSecureServer, Server as SecureServer } from "node:https"
import type { Server, Socket } from "node:net"
import { connectionLimitOf, OpenByAddress, type ConnectionLimit } from "../../limits/connection-limits.ts"

/** How the door is opened. */
export interface HttpServerOptions extends ConnectionLimit {
  readonly app: Hono
  readonly host: string
  /** 0 for any free one. */
  readonly port: number
  /** Certificate and key in PEM. */
  readonly tls?: { readonly cert: string; readonly key: string }
  /** All connections come from a proxy, so that their address says nothing. */
  readonly behindProxy?: boolean
  /** For tests only. */
  readonly patience?: Partial<Patience>
}

/** How long a client may take, in milliseconds. */
export interface Patience {
  /** For all of the headers. */
  readonly headersTimeout: number
  /** For all of a request; the reply may take longer. */
  readonly requestTimeout: number
  /** For what comes before requests can be sent. */
  readonly handshakeTimeout: number
  /** How often it is looked whether somebody was too slow. */
  readonly connectionsCheckingInterval: number
}

/** An open door. */
export interface HttpServer {
  readonly port: number
  /** Takes nothing new, lets running requests finish for a while, and closes. */
  close(): Promise<void>
}

const limits = {
  headersTimeout: 8_000,
  requestTimeout: 10_000,
  handshakeTimeout: 8_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16_384,
}
const finishMs = 10_000

/** Opens the door. */
export async function openHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { app, host, port, tls, behindProxy = false } = options
  const { connectionsMax, connectionsPerAddress } = connectionLimitOf(options)
  const serverOptions = { ...limits, ...options.patience }
  const server = await new Promise<Server>((resolve, reject) => {
    const shared = { fetch: app.fetch, hostname: host, port }
    const opened = serve(
      tls === undefined
        ? { ...shared, createServer, serverOptions }
        : {
            ...shared,
            createServer: createSecureServer,
            serverOptions: { ...serverOptions, ...tls, minVersion: "TLSv1.2" },
          },
      () => resolve(opened),
    )
    opened.once("error", reject)
  })
  server.maxConnections = connectionsMax
  const open = new OpenByAddress(behindProxy ? connectionsMax : connectionsPerAddress)
  server.on("connection", (socket: Socket) => {
    const leave = open.enter(socket.remoteAddress ?? "")
    if (leave === undefined) socket.destroy()
    else socket.once("close", leave)
  })
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
