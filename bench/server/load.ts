// Load for a server: so many callers, each with a connection of its own, one question after the other.

import { Agent, request } from "node:http"
import pg from "pg"
import type { ServedHospital } from "./serve-child.ts"

/** Sends something and waits for the reply; throws if it is not a good one. */
export type Call = (turn: number) => Promise<void>

/** Callers that keep their connections. */
export interface Callers {
  readonly calls: readonly Call[]
  close(): Promise<void>
}

/** What a run showed. */
export interface LoadResult {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly errors: number
}

/** Lets every caller call, `times` in all. */
export async function load({ calls }: Callers, times: number, from = 0): Promise<LoadResult> {
  const took: number[] = []
  let [next, errors] = [from, 0]
  const started = performance.now()
  await Promise.all(
    calls.map(async (call) => {
      while (next < from + times) {
        const turn = next
        next += 1
        const begun = performance.now()
        await call(turn).catch(() => {
          errors += 1
        })
        took.push(performance.now() - begun)
      }
    }),
  )
  const seconds = (performance.now() - started) / 1000
  const sorted = took.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
  return { perSecond: times / seconds, p50: at(0.5), p99: at(0.99), errors }
}

/** Callers over HTTP. */
export function httpCallers(
  { httpPort, token }: Pick<ServedHospital, "httpPort" | "token">,
  count: number,
  bodyOf: (turn: number) => object | undefined,
): Callers {
  const agent = new Agent({ keepAlive: true, maxSockets: count })
  const call: Call = (turn) =>
    new Promise((resolve, reject) => {
      const body = bodyOf(turn)
      const sent = request(
        {
          agent,
          host: "127.0.0.1",
          port: httpPort,
          path: body === undefined ? "/healthz" : "/api/v1/ask",
          method: body === undefined ? "GET" : "POST",
          headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
        },
        (response) => {
          response.resume()
          response.on("error", reject)
          response.on("end", () => {
            if (response.statusCode === 200) resolve()
            else reject(new Error(`status ${response.statusCode}`))
          })
        },
      )
      sent.on("error", reject)
      sent.end(body === undefined ? undefined : JSON.stringify(body))
    })
  return {
    calls: Array.from({ length: count }, () => call),
    close: async () => agent.destroy(),
  }
}

/** Callers over PostgreSQL's protocol. */
export async function pgCallers(
  { pgPort, password }: ServedHospital,
  count: number,
  questionOf: (turn: number) => { readonly text: string; readonly values: unknown[] },
): Promise<Callers> {
  const login = { host: "127.0.0.1", port: pgPort, user: "ada", password, database: "hospital" }
  const clients = await Promise.all(
    Array.from({ length: count }, async () => {
      const client = new pg.Client(login)
      await client.connect()
      return client
    }),
  )
  return {
    calls: clients.map((client) => async (turn) => {
      await client.query(questionOf(turn))
    }),
    close: async () => {
      await Promise.all(clients.map((client) => client.end()))
    },
  }
}
