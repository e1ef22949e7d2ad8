// The door for clients of PostgreSQL: a port, with encryption where there is a certificate.

import { randomBytes, X509Certificate } from "node:crypto"
import { createServer, type Server, type Socket } from "node:net"
import { createSecureContext } from "node:tls"
import { connectionLimitOf, OpenByAddress, type ConnectionLimit } from "../../limits/connection-limits.ts"
import { endPointBinding } from "./channel-binding.ts"
import { serveConnection, turnAway, type Shared } from "./pg-connection.ts"
import type { WireAccess } from "./session/wire-dataset.ts"

/** How the door is opened. */
export interface PgServerOptions extends ConnectionLimit {
  readonly access: WireAccess
  readonly host: string
  /** 0 for any free one. */
  readonly port: number
  /** Certificate and key in PEM. */
  readonly tls?: { readonly cert: string; readonly key: string }
  /** Refuses connections that are not encrypted. */
  readonly tlsRequired?: boolean
  /** How long somebody may take to say who they are, in milliseconds. */
  readonly strangerMs?: number
}

/** An open door. */
export interface PgServer {
  readonly port: number
  /** Ends all connections and closes. */
  close(): Promise<void>
}

/** Opens the door. */
export async function openPgServer(options: PgServerOptions): Promise<PgServer> {
  const { access, host, port, tls, tlsRequired = false, strangerMs = 10_000 } = options
  const { connectionsMax, connectionsPerAddress } = connectionLimitOf(options)
  const shared: Shared = {
    access,
    tls: tls === undefined ? undefined : secureOf(tls),
    tlsRequired,
    strangerMs,
    decoySecret: randomBytes(32),
    sessions: new Map(),
  }
  const sockets = new Set<Socket>()
  const open = new OpenByAddress(connectionsPerAddress)
  const server = createServer({ noDelay: true, keepAlive: true }, (socket) => {
    const leave = open.enter(socket.remoteAddress ?? "")
    if (leave === undefined) return turnAway(socket)
    socket.on("close", leave)
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
    return void serveConnection(socket, shared)
  })
  server.maxConnections = connectionsMax
  await listening(server, host, port)
  const address = server.address()
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
    },
  }
}

function secureOf({
  cert,
  key,
}: {
  readonly cert: string
  readonly key: string
}): NonNullable<Shared["tls"]> {
  const context = createSecureContext({ cert, key, minVersion: "TLSv1.2" })
  return { context, binding: endPointBinding(new X509Certificate(cert).raw) }
}

async function listening(server: Server, host: string, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, host, resolve)
  })
}
