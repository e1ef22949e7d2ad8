// A socket between a client and a PostgreSQL that cuts the connection around one statement: before the server
// hears it, or after, so that its answer is lost.

import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { connect, createServer, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** When the connection is cut. */
export type Cut = "before the server hears it" | "after, and the answer is lost"

/** A proxy. */
export interface CutProxy {
  /** The folder of its socket. */
  readonly folder: string
  /** Cuts at the next statement that begins so. */
  plan(statement: string, cut: Cut): void
  close(): Promise<void>
}

/** Opens a proxy before the server whose socket is in a folder. */
export async function openCutProxy(server: string): Promise<CutProxy> {
  const folder = mkdtempSync(join(tmpdir(), "cut-"))
  let [statement, cut]: [string, Cut | undefined] = ["", undefined]
  const sockets = new Set<Socket>()
  const listener = createServer((client) => {
    const upstream = connect(join(server, ".s.PGSQL.5432"))
    let isDeaf = false
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on("error", () => socket.destroy())
    }
    client.on("data", (bytes) => {
      // A simple query is Q, four bytes of length, the text.
      const isIt = cut !== undefined && bytes.subarray(5).toString("utf8").startsWith(statement)
      if (!isIt) return upstream.write(bytes)
      if (cut === "before the server hears it") upstream.destroy()
      else upstream.write(bytes)
      isDeaf = true
      cut = undefined
      return undefined
    })
    upstream.on("data", (bytes) => {
      if (isDeaf) upstream.destroy()
      else client.write(bytes)
    })
    upstream.on("close", () => client.destroy())
    client.on("close", () => upstream.destroy())
  })
  listener.listen(join(folder, ".s.PGSQL.5432"))
  await once(listener, "listening")
  return {
    folder,
    plan: (text, when) => {
      statement = text
      cut = when
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      listener.close()
      await once(listener, "close")
      rmSync(folder, { recursive: true })
    },
  }
}
