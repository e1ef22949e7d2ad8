// One client cannot shut a door: not by many connections, and not by slow ones. With real sockets and small
// limits.

import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { afterAll, beforeAll, expect, test } from "vitest"
import { OpenByAddress } from "../../../limits/connection-limits.ts"
import { openPgServer, type PgServer } from "../../pgwire/pg-server.ts"
import type { WireAccess } from "../../pgwire/session/wire-dataset.ts"
import { httpLab, type HttpLab } from "../../../testing/http-lab.ts"

let lab: HttpLab
let url = ""
const patience = { headersTimeout: 300, requestTimeout: 300, connectionsCheckingInterval: 50 }

beforeAll(async () => {
  lab = await httpLab()
  url = await lab.door({ connectionsMax: 8, patience })
})
afterAll(() => lab.close())

interface Opened {
  readonly socket: Socket
  /** All that came, once it is over. */
  readonly over: Promise<string>
}

async function open(port: number, sent = "", from = "127.0.0.1"): Promise<Opened> {
  const socket = connect({ port, host: "127.0.0.1", localAddress: from })
  let came = ""
  const over = new Promise<string>((resolve) => {
    socket.on("data", (chunk: Buffer) => (came += chunk.toString("latin1")))
    socket.on("error", () => socket.destroy())
    socket.on("close", () => resolve(came))
  })
  await new Promise<void>((resolve) => {
    socket.once("connect", resolve)
    socket.once("close", () => resolve())
  })
  socket.write(sent, "latin1")
  return { socket, over }
}

const portOf = (address: string): number => Number(new URL(address).port)
const whole = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

test("an address has a quarter of all connections at most, and others still come in", async () => {
  const door = await lab.door({ connectionsMax: 8 })
  const held = [await open(portOf(door), "GET"), await open(portOf(door), "GET")]
  const third = await open(portOf(door), whole)
  expect(await third.over).toBe("")
  expect(await (await open(portOf(door), whole, "127.0.0.2")).over).toMatch(/^HTTP\/1.1 200 OK/)
  held[0]?.socket.destroy()
  await expect
    .poll(async () => (await (await open(portOf(door), whole)).over).slice(0, 15))
    .toBe("HTTP/1.1 200 OK")
  held[1]?.socket.destroy()
})

test.each(["", "GET /", "POST /api/v1/sign-in HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n{"])(
  "a request that goes on too long is cut: %j",
  async (sent) => {
    const { over } = await open(portOf(url), sent)
    expect(await over).toMatch(/^$|^HTTP\/1.1 (400|408) /)
  },
)

test("behind a proxy the address that it names has a share of the requests under way", async () => {
  const door = await lab.door({ behindProxy: true, connectionsPerAddress: 2 })
  const slow = (from: string): string =>
    `POST /api/v1/sign-in HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${from}\r\n` +
    "Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{"
  const held = [await open(portOf(door), slow("192.0.2.1")), await open(portOf(door), slow("192.0.2.1"))]
  const statusFrom = async (from: string): Promise<number> =>
    (await fetch(`${door}/api/v1/sign-in`, { headers: { "X-Forwarded-For": from } })).status
  await expect.poll(() => statusFrom("192.0.2.1"), { interval: 20 }).toBe(429)
  expect(await statusFrom("192.0.2.2")).toBe(200)
  for (const { socket } of held) socket.destroy()
  await expect.poll(() => statusFrom("192.0.2.1")).toBe(200)
})

const nobody: WireAccess = {
  verifierOf: async () => undefined,
  begin: async () => ({ settle: () => {} }),
  open: async () => Promise.reject(new Error("nobody comes in")),
}

async function pgDoor(strangerMs: number): Promise<PgServer> {
  return openPgServer({ access: nobody, host: "127.0.0.1", port: 0, connectionsMax: 8, strangerMs })
}

test("psql: whoever does not say who they are is cut, and an address has its share only", async () => {
  const server = await pgDoor(300)
  const silent = await open(server.port)
  expect(await silent.over).toBe("")
  // Half of a startup message, and one that never answers with a password.
  expect(await (await open(server.port, "\0\0")).over).toBe("")
  const started = Buffer.from("\0\0\0\0\0\x03\0\0user\0ada\0\0", "latin1")
  started.writeInt32BE(started.length)
  await (
    await open(server.port, started.toString("latin1"))
  ).over
  await server.close()
  const patient = await pgDoor(600_000)
  const asked = await open(patient.port, started.toString("latin1"))
  const [question]: unknown[] = await once(asked.socket, "data")
  expect(String(question)).toContain("SCRAM-SHA-256")
  asked.socket.destroy()
  await asked.over
  const held = [await open(patient.port), await open(patient.port)]
  expect(await (await open(patient.port)).over).toContain("too many connections from this address")
  held[0]?.socket.destroy()
  await expect
    .poll(async () => {
      const next = await open(patient.port, "\0\0\0\x08\x04\xd2\x16\x2f")
      next.socket.end()
      return next.over
    })
    .toBe("N")
  for (const { socket } of held) socket.destroy()
  await patient.close()
})

test("places are given back once", () => {
  const places = new OpenByAddress(1)
  const leave = places.enter("2001:db8::1")
  expect(places.enter("2001:db8::2")).toBeUndefined()
  expect(places.enter("2001:db8:0:1::2")).toBeDefined()
  leave?.()
  leave?.()
  expect(places.enter("2001:db8::3")).toBeDefined()
  expect(places.enter("2001:db8::4")).toBeUndefined()
})
