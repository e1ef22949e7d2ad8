// A relay between a client and a server: it counts the bytes that go through, and can shut, or fall silent
// when something is said. For tests of a server that is gone or hangs, and for measuring what moves.

import { once } from "node:events"
import { rmSync } from "node:fs"
import { connect, createServer, type NetConnectOpts, type Server, type Socket } from "node:net"

/** Where a relay listens: a port of this machine (0 for any), or the path of a socket. */
export type RelayPlace = number | string

/** A relay. */
export interface Relay {
  /** 0 where it listens at a path. */
  readonly port: number
  /** How many bytes went through so far. */
  readonly moved: { toServer: number; toClient: number }
  /** Cuts all connections, and takes none. */
  shut(): Promise<void>
  /** Takes connections again, at the same place, if it does not. */
  open(): Promise<void>
  /** When a client says `text`: what then happens in its place. Once. */
  whenSaid(text: string, what: "fall silent" | "shut"): void
  close(): Promise<void>
}

/** Opens a relay before a server. */
export async function openRelay(server: NetConnectOpts, place: RelayPlace = 0): Promise<Relay> {
  const sockets = new Set<Socket>()
  const moved = { toServer: 0, toClient: 0 }
  let watched: { readonly text: string; readonly what: "fall silent" | "shut" } | undefined
  let at = place
  let listener: Server | undefined

  const shut = async (): Promise<void> => {
    const old = listener
    listener = undefined
    for (const socket of sockets) socket.destroy()
    if (old === undefined) return
    old.close()
    await once(old, "close")
  }
  const relay = (client: Socket): void => {
    const upstream = connect(server)
    let isSilent = false
    endTogether(client, upstream, sockets)
    client.on("data", (bytes: Buffer) => {
      if (watched !== undefined && bytes.toString("latin1").includes(watched.text)) {
        isSilent = true
        if (watched.what === "shut") void shut()
        watched = undefined
      }
      if (isSilent) return
      moved.toServer += bytes.length
      upstream.write(bytes)
    })
    upstream.on("data", (bytes: Buffer) => {
      if (isSilent) return
      moved.toClient += bytes.length
      client.write(bytes)
    })
  }
  const open = async (): Promise<void> => {
    if (listener !== undefined) return
    const next = createServer(relay)
    if (typeof at === "string") next.listen(at)
    else next.listen(at, "127.0.0.1")
    await once(next, "listening")
    const address = next.address()
    if (typeof address === "object" && address !== null) at = address.port
    listener = next
  }
  await open()
  return {
    get port() {
      return typeof at === "number" ? at : 0
    },
    moved,
    shut,
    open,
    whenSaid: (text, what) => {
      watched = { text, what }
    },
    close: async () => {
      await shut()
      if (typeof at === "string") rmSync(at, { force: true })
    },
  }
}

/** Where one of two ends, the other does; until then they are among those that are open. */
function endTogether(client: Socket, upstream: Socket, open: Set<Socket>): void {
  for (const [socket, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    open.add(socket)
    socket.on("error", () => socket.destroy())
    socket.on("close", () => {
      open.delete(socket)
      other.destroy()
    })
  }
}
