// One request to a Trino and its reply. Requests of one address share connections.

import { Agent as HttpAgent, request as plainRequest } from "node:http"
import { Agent as HttpsAgent, request as encryptedRequest } from "node:https"
import type { TrinoAddress } from "./trino-address.ts"

/** A request. */
export interface HttpAsk {
  readonly method: "POST" | "GET" | "DELETE"
  /** Begins with a slash: only the address that the owner gave is ever asked. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal?: AbortSignal | undefined
}

/** A reply, whatever its status is. */
export interface HttpReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: string
}

/** Sends requests to one address. */
export interface TrinoHttp {
  send(ask: HttpAsk): Promise<HttpReply>
  close(): void
}

/** How long a server may be silent: it answers every second, if only to say that there is nothing yet. */
const silenceMs = 60_000
/** A page of results has 16 MB or so; what is far more is no page. */
const bytesMax = 512 * 2 ** 20

/** Requests to an address, with its keys. */
export function trinoHttp({ origin, tls }: TrinoAddress): TrinoHttp {
  const isEncrypted = origin.startsWith("https:")
  const agent = isEncrypted
    ? new HttpsAgent({ keepAlive: true, minVersion: "TLSv1.2", ...tls })
    : new HttpAgent({ keepAlive: true })
  const open = isEncrypted ? encryptedRequest : plainRequest
  const send = ({ method, path, headers, body, signal }: HttpAsk): Promise<HttpReply> =>
    new Promise((resolve, reject) => {
      const options = { method, headers, agent, ...(signal === undefined ? {} : { signal }) }
      const call = open(`${origin}${path}`, options, (reply) => {
        const parts: Buffer[] = []
        let size = 0
        reply.on("data", (part: Buffer) => {
          parts.push(part)
          size += part.length
          if (size > bytesMax) reply.destroy(new Error("too long"))
        })
        reply.on("error", reject)
        reply.on("end", () =>
          resolve({
            status: reply.statusCode ?? 0,
            headers: reply.headers,
            body: Buffer.concat(parts).toString("utf8"),
          }),
        )
      })
      call.setTimeout(silenceMs, () => call.destroy(new Error("silence")))
      call.on("error", reject)
      call.end(body)
    })
  return { send, close: () => agent.destroy() }
}
