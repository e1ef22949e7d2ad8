// What fails after a charge: the alarm, the closed door, and that nobody can tell it from what waits.

import { DosimeterError, rational } from "@dosimeter/core"
import type { Incident } from "@dosimeter/engine"
import { afterAll, beforeAll, expect, test } from "vitest"
import { ChargeList } from "../answers/charge-list.ts"
import { Tokens } from "../people/tokens.ts"
import { TryLimits } from "../limits/try-limits.ts"
import { Client } from "../doors/http/contract/client.ts"
import type { HttpServer } from "../doors/http/http-server.ts"
import { openHttpDoor } from "../doors/http/open-http-door.ts"
import { openSmallHouse, people, type SmallHouse } from "../testing/small-house.ts"
import { searchAudit } from "../audit/audit.ts"
import { questionsOf } from "../questions/house.ts"
import { HouseIncidents } from "./incidents.ts"
import { transparencyOf } from "./transparency.ts"

const { ada, carl, olga } = people
const told: Incident[] = []
let house: SmallHouse
let questions: ReturnType<typeof questionsOf>
let incidents: HouseIncidents
let door: HttpServer
let url = ""
const tokens = new Map<string, string>()

beforeAll(async () => {
  house = await openSmallHouse()
  const { accounts, store, studies, engine, folder } = house
  await house.openStudy("held", { airlock: true, people: ["bob"] })
  await house.openStudy("open", { people: ["bob"] })
  questions = questionsOf({ engine, accounts, studies, store, onIncident: (one) => told.push(one) })
  incidents = new HouseIncidents(engine.ledger, store)
  const shared = { questions, accounts, store, folder, needsStudies: true, setUpCode: undefined }
  door = await openHttpDoor({ ...shared, limits: new TryLimits(), host: "127.0.0.1", port: 0, web: "" })
  url = `http://127.0.0.1:${door.port}`
  for (const account of Object.values(people)) {
    tokens.set(account.name, (await new Tokens(store).add({ name: "test", account })).secret)
  }
})

afterAll(async () => {
  await door.close()
  await house.close()
})

const sqlOver = (id: number): string => `SELECT sex, COUNT(*) FROM patients WHERE id > ${id} GROUP BY sex`

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "passed",
    (error: unknown) => (error instanceof DosimeterError ? error.code : "bug"),
  )
}

async function broken<Result>(work: () => Promise<Result>): Promise<Result> {
  house.breakReleases(true)
  try {
    return await work()
  } finally {
    house.breakReleases(false)
  }
}

/** A question over HTTP: all of its reply that can depend on what became of it. */
async function asked(
  name: string,
  body: object,
  path = "ask",
  headers: Readonly<Record<string, string>> = {},
): Promise<readonly [number, string]> {
  const reply = await fetch(`${url}/api/v1/${path}`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${tokens.get(name)}`,
      "Content-Type": "application/json",
      ...headers,
    },
    body: JSON.stringify(body),
  })
  return [reply.status, await reply.text()]
}

/** The same with the number of the release left out, which counts on with each. */
function alike([status, text]: readonly [number, string]): readonly [number, string] {
  return [status, text.replaceAll(/(release"?:? ?"?)\d+/g, "$1N")]
}

const as = (name: string): Client => new Client({ url, token: tokens.get(name) ?? "" })

test("[I3] in an airlock a failure is answered exactly as an answer that waits", async () => {
  const before = (await house.engine.account()).spent
  const good = await asked("ada", { sql: sqlOver(1), study: "held" })
  const between = (await house.engine.account()).spent
  const bad = await broken(() => asked("ada", { sql: sqlOver(2), study: "held" }))
  const after = (await house.engine.account()).spent
  expect(good[0]).toBe(202)
  expect(alike(bad)).toEqual(alike(good))
  expect([between, after]).not.toContainEqual(before)
  // Asked again, by whomever, in whichever study, both wait for the same release, and cost nothing more.
  for (const name of ["ada", "bob"]) {
    for (const study of ["held", "open"]) {
      expect(await asked(name, { sql: sqlOver(1), study })).toEqual(good)
      expect(await asked(name, { sql: sqlOver(2), study })).toEqual(bad)
    }
  }
  expect((await house.engine.account()).spent).toEqual(after)
  // Neither the door here nor the one elsewhere closes: that would tell it.
  expect((await asked("ada", { sql: sqlOver(3), study: "held" }))[0]).toBe(202)
  expect((await asked("ada", { sql: sqlOver(4), study: "open" }))[0]).toBe(200)
  // Several questions at once, and a request that is sent again.
  const together = { questions: [{ sql: sqlOver(5) }, { sql: sqlOver(6) }], study: "held" }
  const several = await broken(() => asked("ada", together, "plan/release"))
  expect(several[0]).toBe(202)
  const key = { sql: sqlOver(7), study: "held", requestId: "key" }
  const first = await broken(() => codeOf(questions.ask("ada", key)))
  expect([first, await codeOf(questions.ask("ada", key))]).toEqual(["airlock/waiting", "airlock/waiting"])
  expect(told.map(({ isUntold, cause }) => [isUntold, cause])).toEqual([
    [true, "bug"],
    [true, "bug"],
    [true, "bug"],
  ])
})

test("[I3] no page that others see tells a failure from an answer that waits", async () => {
  const pages = [
    await (await fetch(`${url}/transparency`)).text(),
    await (await fetch(`${url}/api/v1/transparency`)).text(),
    JSON.stringify(await as("ada").call("listReleases", { query: { study: "held" } })),
    JSON.stringify(await as("bob").call("listReleases", { query: { study: "held" } })),
    JSON.stringify(await as("ada").call("budgetHistory", { params: { account: "study:held" } })),
  ]
  for (const page of pages) expect(page).not.toMatch(/failed/i)
  const { items } = await as("ada").call("listReleases", { query: { study: "held" } })
  const looks = items.map(({ position: _position, at: _at, planHash: _hash, question: _question, ...rest }) =>
    JSON.stringify(rest),
  )
  // Equal questions of one study: whether they failed makes no difference. The plan of several costs more.
  expect(new Set(looks).size).toBe(2)
  const all = await new ChargeList(house.engine.ledger).all()
  expect(all.filter(({ study, outcome }) => study === "held" && outcome === "failed")).toHaveLength(3)
  const failed = all.find(({ study, outcome }) => study === "held" && outcome === "failed")
  const params = { position: `${failed?.position}` }
  for (const route of ["getRelease", "getReceipt"] as const) {
    await expect(as("ada").call(route, { params })).rejects.toMatchObject({ status: 202 })
  }
  expect(
    (
      await transparencyOf({
        ...house,
        charges: new ChargeList(house.engine.ledger),
        rules: await house.airlock.rules(),
      })
    ).releases.map(({ state }) => state),
  ).toEqual(["held", "held", "charged", "held", "held", "held"])
})

test("[I3] owners and reviewers see the truth, and nothing is approved before an owner has looked", async () => {
  const shown = (await as("olga").call("listIncidents")).items
  expect(shown).toMatchObject([
    { cause: "bug", principal: "ada", study: "held", closes: "approvals", seen: null },
    { closes: "approvals" },
    { closes: "approvals", question: sqlOver(2) },
  ])
  const { items } = await as("carl").call("listHeld")
  const [good, bad] = [items.find(({ failed }) => !failed), items.find(({ failed }) => failed)]
  const approve = { decision: "approve", reasons: "groups are large" } as const
  expect(await codeOf(house.airlock.review(bad?.release ?? "", approve, carl))).toBe("airlock/nothing")
  expect(await codeOf(house.airlock.review(good?.release ?? "", approve, carl))).toBe("airlock/incident")
  for (const name of ["ada", "carl"]) {
    const call = as(name).call("acknowledgeIncident", {
      params: { position: `${shown[0]?.position}` },
      body: { reason: "mine" },
    })
    await expect(call).rejects.toMatchObject({ status: 403 })
  }
  for (const { position } of shown) {
    const body = { reason: "a bug, mended in version 2" }
    await as("olga").call("acknowledgeIncident", { params: { position: `${position}` }, body })
    const again = as("olga").call("acknowledgeIncident", { params: { position: `${position}` }, body })
    await expect(again).rejects.toMatchObject({ status: 404 })
  }
  expect(await codeOf(house.airlock.review(bad?.release ?? "", approve, carl))).toBe("airlock/nothing")
  await house.airlock.review(good?.release ?? "", approve, carl)
  await house.airlock.review(bad?.release ?? "", { decision: "refuse", reasons: "not in the protocol" }, carl)
  const trail = await searchAudit(house.store, { what: "incident-acknowledged" })
  expect(trail).toHaveLength(3)
  expect(trail[0]).toMatchObject({ who: "olga", about: "account ada", facts: { cause: "bug" } })
  expect(await searchAudit(house.store, { what: "incident" })).toHaveLength(3)
})

test("[I1] elsewhere whoever asked is told, and gets nothing more by any way until an owner has looked", async () => {
  const paid = await questions.ask("ada", { sql: sqlOver(20), study: "open" })
  expect(await broken(() => codeOf(questions.ask("ada", { sql: sqlOver(21), study: "open" })))).toBe("bug")
  const position = `${told.at(-1)?.position}`
  const { engine } = house
  const workload = { questions: [{ sql: sqlOver(22), weight: rational(1n) }], study: "open" }
  const tries = [
    () => questions.ask("ada", { sql: sqlOver(22), study: "open" }),
    () => questions.ask("ada", { sql: sqlOver(22), study: "held" }),
    () => questions.ask("ada", { sql: sqlOver(22), study: "open", reuse: "never", requestId: "new" }),
    () => questions.release("ada", workload),
    () => engine.ask(sqlOver(22), { principal: "ada" }),
  ]
  for (const one of tries) expect(await codeOf(one())).toBe("ledger/door-closed")
  expect((await asked("ada", { sql: sqlOver(22), study: "open" }))[1]).toContain(`acknowledge ${position}`)
  // What is recorded, or costs nothing, can be read; others go on.
  expect((await questions.ask("ada", { sql: sqlOver(20), study: "open" })).answer).toEqual(paid.answer)
  await questions.explain("ada", { sql: sqlOver(22), study: "open" })
  await questions.ask("bob", { sql: sqlOver(23), study: "open" })
  // To others of the study it looks as what was answered.
  const outcomes = async (name: string): Promise<ReadonlySet<string>> =>
    new Set(
      (await as(name).call("listReleases", { query: { study: "open", principal: "ada" } })).items.map(
        ({ outcome }) => outcome,
      ),
    )
  expect(await outcomes("bob")).toEqual(new Set(["charged"]))
  expect(await outcomes("ada")).toEqual(new Set(["released", "failed"]))
  expect(await outcomes("olga")).toEqual(new Set(["released", "failed"]))
  await incidents.acknowledge(BigInt(position), "the disk was full", olga)
  await questions.ask("ada", { sql: sqlOver(22), study: "open" })
})

test("[I1] an owner who asks does not acknowledge for themselves", async () => {
  const { engine } = house
  await broken(() => codeOf(engine.ask(sqlOver(30), { principal: "olga" })))
  const position = (await engine.ledger.incidents()).at(-1)?.position ?? 0n
  expect(await codeOf(incidents.acknowledge(position, "fine", olga))).toBe("incident/own")
  expect(await codeOf(incidents.acknowledge(position, "fine", ada))).toBe("account/no-right")
  expect(await codeOf(incidents.acknowledge(position, "", { name: "otto", role: "owner" }))).toBe(
    "ledger/bad-name",
  )
})

test("[I3] equal questions at once, sent again, wait each for its own release, failed or not", async () => {
  const replies = async (id: number, isBroken: boolean): Promise<readonly (readonly [number, string])[]> => {
    const send = async (key: string): Promise<readonly [number, string]> =>
      asked("bob", { sql: sqlOver(id), study: "held" }, "ask", { "Idempotency-Key": `${key}-${id}` })
    const both = async () => Promise.all([send("one"), send("two")])
    const first = isBroken ? await broken(both) : await both()
    const again = [await send("one"), await send("two")]
    expect(again).toEqual(first)
    return again.map(alike)
  }
  expect(await replies(40, true)).toEqual(await replies(41, false))
})

test("[I3] when an owner has looked, what failed untold can be asked anew, and no request is told", async () => {
  const question = { sql: sqlOver(42), study: "held", requestId: "looked-at" }
  expect(await broken(() => codeOf(questions.ask("bob", question)))).toBe("airlock/waiting")
  const elsewhere = { sql: sqlOver(42), study: "open" }
  expect(await codeOf(questions.ask("ada", elsewhere))).toBe("airlock/waiting")
  const [found] = (await house.engine.ledger.incidents()).slice(-1)
  await incidents.acknowledge(found?.position ?? 0n, "a cable", olga)
  expect(await codeOf(questions.ask("bob", question))).toBe("airlock/waiting")
  expect(await codeOf(questions.ask("ada", elsewhere))).toBe("passed")
})

test("[I3] where answers wait, a stop tells nothing: the question runs to its end", async () => {
  const signal = AbortSignal.abort()
  const stopped = (id: number, study: string): Promise<string> =>
    codeOf(questions.ask("bob", { sql: sqlOver(id), study, signal }))
  expect(await stopped(43, "held")).toBe("airlock/waiting")
  expect(await broken(() => stopped(44, "held"))).toBe("airlock/waiting")
  const [last, before] = (await new ChargeList(house.engine.ledger).all()).toReversed()
  expect([before?.outcome, last?.outcome]).toEqual(["released", "failed"])
  expect(await stopped(45, "open")).toBe("backend/cancelled")
})
