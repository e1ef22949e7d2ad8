// The server about itself.

import { contract } from "../contract/contract.ts"
import type { serverRoutes } from "../contract/server.ts"
import { textReply, type MakeHandlers } from "../request/handler.ts"
import { openApiDocument } from "../contract/openapi.ts"

/** The handlers. */
export const serverHandlers: MakeHandlers<typeof serverRoutes> = ({ engine, store, metrics }) => {
  const document = openApiDocument(contract)
  return {
    health: async () => ({ alive: true }),
    ready: async () => {
      await engine.account()
      await store.all("SELECT name FROM accounts LIMIT 1")
      return { ready: true }
    },
    metrics: async () => textReply(await metrics.text(), "text/plain"),
    openApi: async () => document,
  }
}
