// A socket between a client and a PostgreSQL that gives each transaction another session of the server, as a
// pooler of transactions may.

import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { connect, createServer, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A proxy. */
export interface SwappingProxy {
  /** The folder of its socket. */
  readonly folder: string
  close(): Promise<void>
}

/** Opens a proxy before the server whose socket is in a folder. Its clients need no password. */
export async function openSwappingProxy(server: string): Promise<SwappingProxy> {
  const folder = mkdtempSync(join(tmpdir(), "swap-"))
  const sockets = new Set<Socket>()
  const listener = createServer((client) => {
    const sessions = [0, 1].map(() => connect(join(server, ".s.PGSQL.5432")))
    for (const socket of [client, ...sessions]) {
      sockets.add(socket)
      socket.on("error", () => socket.destroy())
      socket.on("close", () => [client, ...sessions].forEach((other) => other.destroy()))
    }
    let [current, isBegun] = [0, false]
    client.on("data", (bytes: Buffer) => {
      if (isBegun) return void sessions[current]?.write(bytes)
      isBegun = true
      for (const session of sessions) session.write(bytes)
    })
    for (const [index, session] of sessions.entries()) {
      // What the second one says of its beginning is not told.
      let isTold = index === 0
      eachMessage(session, (message) => {
        const isReady = message[0] === ready
        if (isTold) client.write(message)
        else if (isReady) isTold = true
        if (isReady && index === current && message[5] === outside) current = 1 - current
      })
    }
  })
  listener.listen(join(folder, ".s.PGSQL.5432"))
  await once(listener, "listening")
  return {
    folder,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      listener.close()
      await once(listener, "close")
      rmSync(folder, { recursive: true })
    },
  }
}

/** The server waits for a statement, outside of a transaction. */
const [ready, outside] = Buffer.from("ZI")

/** A message is a letter, four bytes of length that count themselves, and what it says. */
function eachMessage(socket: Socket, take: (message: Buffer) => void): void {
  let left = Buffer.alloc(0)
  socket.on("data", (bytes: Buffer) => {
    left = Buffer.concat([left, bytes])
    for (let size = sizeOf(left); left.length >= size; size = sizeOf(left)) {
      take(left.subarray(0, size))
      left = left.subarray(size)
    }
  })
}

function sizeOf(bytes: Buffer): number {
  return bytes.length < 5 ? Number.POSITIVE_INFINITY : 1 + bytes.readUInt32BE(1)
}
