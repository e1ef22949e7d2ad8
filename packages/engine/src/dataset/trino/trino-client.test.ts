import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { afterEach, describe, expect, test } from "vitest"
import { failure } from "../../testing/database/workbench.ts"
import { reach } from "./reach.ts"
import type { TrinoAddress } from "./trino-address.ts"
import { TrinoClient, TrinoFailure } from "./trino-client.ts"

/** What the stub does with a request: a page, or a status alone, or the connection is cut. */
type Step = object | number | "cut" | "silent"

const canary = "CANARY"
const next = (token: number): string => `http://elsewhere.example/v1/statement/executing/q/slug/${token}`

interface Stub {
  readonly client: TrinoClient
  readonly seen: string[]
  readonly headers: IncomingMessage["headers"][]
}

let server: Server | undefined
let stub: Stub | undefined
afterEach(() => {
  stub?.client.close()
  server?.closeAllConnections()
  server?.close()
})

/** A server that answers by a list; what comes after the list is answered with 200 and nothing. */
async function stubOf(steps: readonly Step[], headers: Readonly<Record<string, string>> = {}): Promise<Stub> {
  const [seen, heads]: [string[], IncomingMessage["headers"][]] = [[], []]
  let place = 0
  server = createServer((ask: IncomingMessage, reply: ServerResponse) => {
    seen.push(`${ask.method} ${ask.url}`)
    heads.push(ask.headers)
    if (ask.method === "DELETE") return void reply.writeHead(204).end()
    const step = steps[place]
    place += 1
    if (step === "silent") return
    if (step === "cut") return void ask.socket.destroy()
    if (typeof step === "number") return void reply.writeHead(step).end(`no ${canary}`)
    reply.writeHead(200, headers).end(JSON.stringify(step ?? {}))
  })
  const listening = server
  await new Promise<void>((resolve) => {
    listening.listen(0, "127.0.0.1", () => resolve())
  })
  const address = listening.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  stub = { client: new TrinoClient(addressAt(`http://127.0.0.1:${port}`)), seen, headers: heads }
  return stub
}

function addressAt(origin: string): TrinoAddress {
  return {
    origin,
    user: "reader",
    catalog: "lake",
    schema: "clinic",
    place: "",
    tls: {},
    authorization: () => "Basic eDp5",
  }
}

async function failureOf(work: Promise<unknown>): Promise<string> {
  const reason: unknown = await work.catch((error: unknown) => error)
  expect(`${String(reason)} ${JSON.stringify(reason)}`).not.toContain(canary)
  return reason instanceof TrinoFailure ? reason.kind : `${String(reason)}`
}

describe("Trino's protocol", () => {
  test("a page may have any number of rows", async () => {
    const data = Array.from({ length: 300_000 }, (_, index) => [index])
    const { client } = await stubOf([{ id: "q", data }])
    expect((await client.run("SELECT 1")).rows).toEqual(data)
  })

  test("rows of all pages come in their order, from the address that was given", async () => {
    const { client, seen, headers } = await stubOf([
      { id: "q", nextUri: next(1) },
      { id: "q", nextUri: next(2), data: [["a"], ["b"]] },
      { id: "q", data: [["c"]] },
    ])
    expect((await client.run("SELECT 1")).rows).toEqual([["a"], ["b"], ["c"]])
    expect(seen).toEqual([
      "POST /v1/statement",
      "GET /v1/statement/executing/q/slug/1",
      "GET /v1/statement/executing/q/slug/2",
    ])
    expect(headers[0]).toMatchObject({ "x-trino-user": "reader", "x-trino-time-zone": "UTC" })
    expect(headers.every(({ authorization }) => authorization === "Basic eDp5")).toBe(true)
  })

  test("a page that does not come is asked for again, and the statement runs once", async () => {
    const { client, seen } = await stubOf([
      { id: "q", nextUri: next(1) },
      "cut",
      503,
      { id: "q", data: [["a"]] },
    ])
    expect((await client.run("SELECT 1")).rows).toEqual([["a"]])
    expect(seen.filter((one) => one.startsWith("POST"))).toHaveLength(1)
    expect(seen.filter((one) => one.endsWith("/slug/1"))).toHaveLength(3)
  })

  test("a statement is sent again where the server did not take it, and never where it may have", async () => {
    const refused = await stubOf([503, 429, { id: "q", data: [["a"]] }])
    expect((await refused.client.run("SELECT 1")).rows).toEqual([["a"]])
    server?.close()
    const lost = await stubOf(["cut", { id: "q", data: [["a"]] }])
    expect(await failureOf(lost.client.run("SELECT 1"))).toBe("NETWORK")
    expect(lost.seen).toHaveLength(1)
  })

  test("an error is one in whichever page it comes, and its message stays inside", async () => {
    const error = { errorName: "DIVISION_BY_ZERO", message: canary, failureInfo: { message: canary } }
    const first = await stubOf([{ id: "q", error }])
    expect(await failureOf(first.client.run("SELECT 1"))).toBe("DIVISION_BY_ZERO")
    server?.close()
    const later = await stubOf([
      { id: "q", nextUri: next(1), data: [["a"]] },
      { id: "q", error, data: [["b"]] },
    ])
    expect(await failureOf(later.client.run("SELECT 1"))).toBe("DIVISION_BY_ZERO")
    server?.close()
    const odd = await stubOf([{ id: "q", error: { errorName: `${canary} 1`, message: canary } }])
    expect(await failureOf(odd.client.run("SELECT 1"))).toBe("UNKNOWN")
  })

  test.each([
    ["no page", {}],
    ["rows that are none", { id: "q", data: "x" }],
    ["cells that are none", { id: "q", data: [[{ a: 1 }]] }],
    ["another path", { id: "q", nextUri: "http://127.0.0.1/v1/other" }],
    ["no URL", { id: "q", nextUri: "next" }],
    ["an error of HTTP", 500],
    ["a page that is not there any more", 410],
  ])("%s is a failure, not an end", async (_, step) => {
    const { client } = await stubOf([step])
    expect(await failureOf(client.run("SELECT 1"))).toBe("PROTOCOL")
  })

  test("who is not let in is told so", async () => {
    const { client } = await stubOf([401])
    expect(await failureOf(client.run("SELECT 1"))).toBe("AUTHENTICATION")
  })

  test("what is stopped is stopped at the server", async () => {
    const { client, seen } = await stubOf([{ id: "q", nextUri: next(7) }, "silent"])
    const stop = new AbortController()
    const work = client.run("SELECT 1", { signal: stop.signal })
    await expect.poll(() => seen.length).toBe(2)
    stop.abort()
    expect(await failureOf(work)).toContain("AbortError")
    expect(seen.at(-1)).toBe("DELETE /v1/statement/executing/q/slug/7")
  })

  test("settings, and a transaction that was begun", async () => {
    const { client, headers } = await stubOf([{ id: "q" }], { "X-Trino-Started-Transaction-Id": "t1" })
    expect((await client.run("START TRANSACTION READ ONLY")).transaction).toBe("t1")
    await client
      .run("SELECT 1", { transaction: "t1", settings: { query_max_execution_time: "5s", other: "a,b" } })
      .catch(() => undefined)
    expect(headers.map((one) => one["x-trino-transaction-id"])).toEqual(["NONE", "t1"])
    expect(headers[1]?.["x-trino-session"]).toBe("query_max_execution_time=5s,other=a%2Cb")
  })
})

test.each(["475", "468-e.1", "unknown"])(
  "a server of version %s is too old, and asked nothing else",
  async (version) => {
    const { client, seen } = await stubOf([{ id: "q", data: [[version]] }])
    const error = await failure(reach(client, addressAt("http://trino.example")))
    const says = expect.stringContaining("older than Trino 476")
    expect([error.code, error.message]).toEqual(["dataset/unreachable", says])
    expect(seen).toEqual(["POST /v1/statement"])
  },
)
