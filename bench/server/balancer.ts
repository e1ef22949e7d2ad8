// A balancer as small as can be: each new connection goes to the next server in turn, and bytes go through as
// they are, so that both doors can stand behind it. What cannot be reached is passed over.

import { once } from "node:events"
import { connect, createServer, type Socket } from "node:net"

/** A balancer that listens on this machine. */
export interface Balancer {
  readonly port: number
  close(): Promise<void>
}

/** Opens a balancer before servers at these ports of this machine. */
export async function openBalancer(ports: readonly number[]): Promise<Balancer> {
  const sockets = new Set<Socket>()
  let turn = 0
  const keep = (socket: Socket): void => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
  }
  const join = (client: Socket, tries: number): void => {
    const port = ports[turn % ports.length] ?? 0
    turn += 1
    const server = connect({ port, host: "127.0.0.1" })
    keep(server)
    let isThere = false
    server.once("connect", () => {
      isThere = true
      client.pipe(server).pipe(client)
      client.on("close", () => server.destroy())
      server.on("close", () => client.destroy())
    })
    server.on("error", () => {
      // Nothing was sent yet where nobody listens: the next one may have it.
      if (!isThere && tries > 1) join(client, tries - 1)
      else client.destroy()
    })
  }
  const listener = createServer({ pauseOnConnect: true }, (client) => {
    keep(client)
    client.on("error", () => client.destroy())
    join(client, ports.length)
  })
  listener.listen(0, "127.0.0.1")
  await once(listener, "listening")
  const address = listener.address()
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      listener.close()
      await once(listener, "close")
    },
  }
}
