// A port for servers of tests that are stopped and started again.

import { randomInt } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:net"

/** A port below those that connections are given, so that it is still free after each stop. */
export async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer()
    const port = 20_000 + randomInt(10_000)
    const isFree = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false))
      server.listen(port, () => resolve(true))
    })
    if (!isFree) continue
    server.close()
    await once(server, "close")
    return port
  }
}
