// A coordinator's door and the nodes that dial it: what is refused there, and that letters arrive once,
// whole and in order whatever happens between.

import { readFileSync } from "node:fs"
import { once } from "node:events"
import { createServer, type IncomingMessage, type Server } from "node:http"
import { connect, type Socket } from "node:net"
import { afterEach, expect, test } from "vitest"
import { DosimeterError } from "@dosimeter/core"
import { Signer } from "@dosimeter/engine"
import { searchAudit } from "../../audit/audit.ts"
import { Inbox } from "../../federation/node/inbox.ts"
import { lastContact, pauseAfter } from "../../federation/node/dialler.ts"
import { postJson, proxyOf } from "../../federation/node/https-client.ts"
import { keepLetters, nextLetter } from "../../federation/mail/letters.ts"
import { join, leave } from "../../federation/node/membership.ts"
import { StandingApprovals } from "../../federation/node/standing.ts"
import { readInvitation } from "../../federation/wire/invitation.ts"
import { lettersSchema, welcomeSchema } from "../../federation/wire/messages.ts"
import { sealRequest } from "../../federation/wire/sealed.ts"
import { CoordinatorLab, NodeLab, until } from "../../testing/consortium.ts"

const carl = { name: "carl", role: "committee" } as const
const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close()
})

function fixture(name: string): string {
  return readFileSync(new URL(`../../../test/fixtures/${name}`, import.meta.url), "utf8")
}

async function lab(tls = false): Promise<CoordinatorLab> {
  const made = new CoordinatorLab(
    tls ? { cert: fixture("localhost.crt"), key: fixture("localhost.key") } : undefined,
  )
  open.push(made)
  await made.open()
  return made
}

async function node(name: string, at: CoordinatorLab): Promise<NodeLab> {
  const made = new NodeLab(name)
  open.push(made)
  await made.join(at)
  return made
}

/** The port of a server, which is closed after the test. */
async function listening(server: Server): Promise<number> {
  server.listen(0, "localhost")
  await once(server, "listening")
  open.push({
    close: async () => {
      server.close()
      await once(server, "close")
    },
  })
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

/** The code of what a promise was refused with, and what the coordinator said of it. */
async function refusal(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return error instanceof DosimeterError ? `${error.code}: ${error.message}` : `no refusal: ${String(error)}`
}

test("an invitation enrols one key, once, and shows nobody its code", async () => {
  const coordinator = await lab()
  const line = await coordinator.coordinator.invite("north", { url: coordinator.url, by: "lead" })
  const invitation = readInvitation(line)
  const [north, thief] = [new NodeLab("north"), new NodeLab("north")]
  open.push(north, thief)
  const by = "olga"
  const asNorth = { invitation, signer: north.signer, line: north.line(coordinator), by }
  await join(north.store, asNorth)
  const asThief = { invitation, signer: thief.signer, line: thief.line(coordinator), by }
  expect(await refusal(join(thief.store, asThief))).toContain("federation/no-invitation")
  expect(await refusal(join(thief.store, asThief))).toContain("federation/refused")
  // A node whose reply was lost asks again with the same key.
  await north.store.run("UPDATE federation_settings SET value = '' WHERE name = 'membership'")
  await join(north.store, asNorth)
  const sites = await coordinator.coordinator.sites.list()
  expect(sites.map(({ name, state, publicKey }) => [name, state, publicKey])).toEqual([
    ["north", "enrolled", north.signer.publicKey],
  ])
  expect(await refusal(coordinator.coordinator.invite("north", { by }))).toContain("federation/site-exists")
  const deeds = await searchAudit(coordinator.store)
  expect(deeds.map(({ who, what }) => `${who} ${what}`)).toEqual([
    "lead site-invited",
    "site north site-enrolled",
  ])
})

test("an invitation is over after two weeks, and a newer one replaces it", async () => {
  const coordinator = await lab()
  const late = new NodeLab("late")
  open.push(late)
  const first = readInvitation(
    await coordinator.coordinator.invite("late", { url: coordinator.url, by: "lead" }),
  )
  const second = readInvitation(await coordinator.coordinator.invite("late", { by: "lead" }))
  const { store, signer } = late
  const enrol = async (invitation: typeof first): Promise<unknown> =>
    join(store, { invitation, signer, line: late.line(coordinator), by: "olga" })
  expect(await refusal(enrol(first))).toContain("federation/no-invitation")
  await coordinator.store.run("UPDATE federation_sites SET invited_until = '2020-01-01T00:00:00.000Z'")
  expect(await refusal(enrol(second))).toContain("federation/no-invitation")
})

test("a request is refused that is stale, sent twice, altered, for something else or of a stranger", async () => {
  const coordinator = await lab()
  const north = await node("north", coordinator)
  const head = { coordinator: coordinator.signer.publicKey, site: "north", at: new Date() }
  const content = { after: 0, waitSeconds: 0 }
  const poll = sealRequest(north.signer, { ...head, kind: "poll" }, content).sealed
  const send = async (path: string, body: unknown): Promise<readonly [number, string]> => {
    const { status, text } = await postJson(
      `${coordinator.url}/api/v1/federation/${path}`,
      JSON.stringify(body),
      { timeoutMs: 60_000 },
    )
    const { code = "" }: { readonly code?: string } = JSON.parse(text)
    return [status, code]
  }
  expect(await send("poll", poll)).toEqual([200, ""])
  expect(await send("poll", poll)).toEqual([403, "federation/replayed"])
  // A coordinator that was started anew remembers.
  await coordinator.shut()
  await coordinator.open()
  expect(await send("poll", poll)).toEqual([403, "federation/replayed"])
  expect(await send("send", poll)).toEqual([400, "federation/bad-request"])
  const fresh = (signer = north.signer, at = new Date(), other = head.coordinator) =>
    sealRequest(signer, { ...head, at, coordinator: other, kind: "poll" }, content).sealed
  const altered = { ...fresh(), text: fresh().text.replace('"after":0', '"after":9') }
  expect(await send("poll", altered)).toEqual([400, "federation/bad-request"])
  expect(await send("poll", fresh(Signer.make()))).toEqual([403, "federation/not-enrolled"])
  const old = new Date(Date.now() - 6 * 60_000)
  expect(await send("poll", fresh(north.signer, old))).toEqual([403, "federation/clock"])
  const elsewhere = fresh(north.signer, new Date(), Signer.make().publicKey)
  expect(await send("poll", elsewhere)).toEqual([403, "federation/other-coordinator"])
  expect(await send("poll", { text: "{}", signature: "" })).toEqual([400, "federation/bad-request"])
  expect(await send("send", { text: "x".repeat(1_400_000), signature: "" })).toEqual([
    413,
    "request/too-large",
  ])
  await coordinator.coordinator.sites.expel("north", "lead", "the contract is over")
  expect(await send("poll", fresh())).toEqual([403, "federation/not-enrolled"])
})

test("a reply counts only if the pinned key signed it for this request", async () => {
  const coordinator = await lab()
  const north = await node("north", coordinator)
  // Something at another address that answers for the coordinator, as a proxy that looks into TLS could.
  const seen: string[] = []
  const liar = createServer((request: IncomingMessage, response) => {
    void (async () => {
      let body = ""
      for await (const chunk of request) body += String(chunk)
      const { text } = await postJson(`${coordinator.url}${request.url ?? ""}`, body, { timeoutMs: 60_000 })
      seen.push(text)
      // The reply to the request before, signed by the right key.
      response.end(seen.length === 1 ? text : (seen[0] ?? ""))
    })()
  })
  const port = await listening(liar)
  const line = north.line(coordinator, `http://localhost:${port}`)
  const ask = { after: 0, waitSeconds: 0 }
  await line.call("poll", ask, lettersSchema)
  expect(await refusal(line.call("poll", ask, lettersSchema))).toContain("federation/not-the-coordinator")
})

test("a job is offered, decided by people, and letters of any length go both ways through any restart", async () => {
  const coordinator = await lab()
  const nodes = [await node("north", coordinator), await node("south", coordinator)]
  const [north, south] = nodes
  if (north === undefined || south === undefined) throw new Error("two nodes were made")
  for (const one of nodes) one.start(coordinator)
  const job = await coordinator.offer(nodes)
  const inbox = new Inbox(north.store)
  await until(
    async () => (await inbox.list()).length === 1 && (await new Inbox(south.store).list()).length === 1,
  )
  expect((await inbox.find(job.slice(0, 8))).offer?.words).toEqual(["It counts, and the sum leaves."])
  expect(
    await refusal(inbox.decide(job, { decision: "approve", reasons: "" }, { name: "ada", role: "analyst" })),
  ).toContain("federation/not-allowed")
  await inbox.decide(job, { decision: "approve", reasons: "useful" }, carl)
  expect(await refusal(inbox.decide(job, { decision: "refuse", reasons: "no" }, carl))).toContain(
    "federation/decided",
  )
  await until(async () => (await coordinator.came()).includes("north approve"))
  // The coordinator is away while the other decides, and a node is while a letter is laid ready.
  await coordinator.shut()
  await north.stop()
  await new Inbox(south.store).decide(job, { decision: "refuse", reasons: "not now" }, carl)
  const long = "a long letter ".repeat(60_000)
  const message = { job, step: "share", from: "coordinator", to: "north", sequence: 1, body: long }
  await coordinator.open()
  await coordinator.say(message)
  await until(async () => (await coordinator.came()).includes("south refuse"))
  north.start(coordinator)
  await until(async () => (await coordinator.came()).includes("north echo"))
  // Nothing came twice, and no part of it is left.
  expect((await coordinator.came()).toSorted()).toEqual(["north approve", "north echo", "south refuse"])
  const [echo] = await coordinator.store.all(
    "SELECT length(body) AS size FROM federation_letters WHERE step = 'echo'",
  )
  expect(Number(echo?.["size"])).toBeGreaterThan(long.length)
  expect(await coordinator.store.all("SELECT * FROM federation_parts")).toEqual([])
  expect((await lastContact(north.store))?.trouble).toBeNull()
  const deeds = await searchAudit(north.store)
  expect(deeds.map(({ who, what }) => `${who} ${what}`)).toEqual([
    "olga consortium-joined",
    "coordinator job-offered",
    "carl job-approved",
  ])
})

test("what stands before a coordinator moves nothing on the terminal of a node, nor does a study's name", async () => {
  const said = { code: "x\u001b[2J", message: "no\njob 1 was approved\u202e" }
  const port = await listening(
    createServer((_, response) => response.writeHead(500).end(JSON.stringify(said))),
  )
  const at = await lab()
  const line = (await node("north", at)).line(at, `http://localhost:${port}`)
  const told = await refusal(line.call("poll", { after: 0, waitSeconds: 0 }, lettersSchema))
  expect(told).toContain("no\ufffdjob 1 was approved\ufffd [x\ufffd[2J]")
  expect(welcomeSchema.safeParse({ study: "heart" }).success).toBe(true)
  for (const study of ["heart\u001b[2J", "heart\n", "", "\u202etraeh"])
    expect(welcomeSchema.safeParse({ study }).success).toBe(false)
})

test("what was for one coordinator goes to no other", async () => {
  const [one, other] = [await lab(), await lab()]
  const north = await node("north", one)
  const letter = { peer: "coordinator", job: "1".repeat(64), step: "numbers", body: "{}" }
  await north.store.transaction((access) => keepLetters(access, "out", [letter], "2026-11-19T00:00:00.000Z"))
  expect(await nextLetter(north.store, "out")).toMatchObject(letter)
  await leave(north.store, "olga")
  await north.join(other)
  expect(await nextLetter(north.store, "out")).toBeUndefined()
})

test("a standing approval takes jobs that fit it, until its budget is used", async () => {
  const coordinator = await lab()
  const north = await node("north", coordinator)
  const approvals = new StandingApprovals(north.store)
  const terms = { pattern: "select count(*) from *", epsilonEach: "0.1", delta: "0", sitesMin: 1 }
  await approvals.add({ ...terms, epsilon: "0.2", until: "2099-12-31" }, carl)
  expect(await refusal(approvals.add({ ...terms, epsilon: "much", until: "2099-12-31" }, carl))).toContain(
    "federation/bad-standing",
  )
  north.start(coordinator)
  const inbox = new Inbox(north.store)
  for (const table of ["person", "death", "visit", "drug"]) {
    await coordinator.offer([north], `SELECT COUNT(*)  FROM ${table}`)
  }
  await coordinator.offer([north], "SELECT sex, COUNT(*) FROM person GROUP BY sex")
  await until(async () => (await inbox.list()).length === 5)
  const states = (await inbox.list()).map(({ state }) => state).toSorted()
  expect(states).toEqual(["approved", "approved", "offered", "offered", "offered"])
  expect((await approvals.list()).map(({ used }) => used.jobs)).toEqual([2])
})

test("a node dials over TLS with the house's own authority, through the house's proxy, and nothing else", async () => {
  const coordinator = await lab(true)
  const asked: string[] = []
  const proxy = createServer()
  proxy.on("connect", (request: IncomingMessage, socket: Socket) => {
    asked.push(`${request.url ?? ""} ${request.headers["proxy-authorization"] ?? ""}`.trim())
    const [host = "", port = ""] = (request.url ?? "").split(":")
    const onward = connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n")
      onward.pipe(socket).pipe(onward)
    })
    onward.on("error", () => socket.destroy())
    socket.on("error", () => onward.destroy())
  })
  const port = await listening(proxy)
  const authorities = fixture("localhost.crt")
  const through = new NodeLab("north", { proxy: `http://ada:secret@localhost:${port}`, authorities })
  const without = new NodeLab("south")
  open.push(through, without)
  await through.join(coordinator)
  const place = new URL(coordinator.url).host
  expect(asked).toEqual([`${place} Basic ${Buffer.from("ada:secret").toString("base64")}`])
  expect(await refusal(without.join(coordinator))).toContain("federation/unreachable")
})

test("the environment's proxy is for HTTPS, and not where it says so", () => {
  const env = { HTTPS_PROXY: "http://proxy:3128", NO_PROXY: "localhost, .inside.example.org" }
  expect(proxyOf("https://study.example.org", env)).toBe("http://proxy:3128")
  expect(proxyOf("https://a.inside.example.org", env)).toBeUndefined()
  expect(proxyOf("https://localhost", env)).toBeUndefined()
  expect(proxyOf("http://127.0.0.1", env)).toBeUndefined()
})

test("after failures a node waits longer each time, up to a limit, and as long as it was told", () => {
  const pauses = { first: 1000, most: 300_000, look: 1 }
  const plain = new Error("away")
  for (const [failures, longest] of [
    [1, 1000],
    [2, 2000],
    [5, 16_000],
    [40, 300_000],
  ] as const) {
    const pause = pauseAfter(failures, plain, pauses)
    expect(pause).toBeGreaterThanOrEqual(longest / 2)
    expect(pause).toBeLessThanOrEqual(longest)
  }
})
