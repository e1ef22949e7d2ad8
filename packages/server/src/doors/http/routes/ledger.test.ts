// A ledger that is refused, over HTTP: who sees it, who decides, and what is left afterwards.

import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { searchAudit } from "../../../audit/audit.ts"
import { Tokens } from "../../../people/tokens.ts"
import { TryLimits } from "../../../limits/try-limits.ts"
import { openSmallHouse, people, type SmallHouse } from "../../../testing/small-house.ts"
import { ApiError, Client } from "../contract/client.ts"
import type { HttpServer } from "../http-server.ts"
import { openHttpDoor } from "../open-http-door.ts"

let house: SmallHouse
let door: HttpServer
let url = ""
const clients = new Map<string, Client>()

beforeAll(async () => {
  house = await openSmallHouse("anchor: ward.anchor\n")
  const { questions, accounts, store, folder } = house
  const shared = { questions, accounts, store, folder, limits: new TryLimits(), needsStudies: false }
  door = await openHttpDoor({ ...shared, setUpCode: undefined, host: "127.0.0.1", port: 0 })
  url = `http://127.0.0.1:${door.port}`
  for (const account of Object.values(people)) {
    const { secret } = await new Tokens(store).add({ name: "test", account })
    clients.set(account.name, new Client({ url, token: secret }))
  }
})

afterAll(async () => {
  await door.close()
  await house.close()
})

const as = (name: keyof typeof people): Client => clients.get(name) ?? new Client({ url })

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "",
    (error: unknown) => (error instanceof ApiError ? error.problem.code : String(error)),
  )
}

test("a ledger that is whole has nothing to decide", async () => {
  expect(await as("olga").call("getLedger")).toMatchObject({
    trouble: null,
    anchor: { kind: "named", inside: false },
    requests: [],
  })
  const body = { reasons: "just in case" }
  expect(await codeOf(as("olga").call("requestLedgerDecision", { body }))).toBe("decision/nothing")
  for (const name of ["ada", "pat"] as const) {
    expect(await codeOf(as(name).call("getLedger"))).toBe("account/no-right")
    expect(await codeOf(as(name).call("requestLedgerDecision", { body }))).toBe("account/no-right")
  }
})

test("[B9] two people get over a lost anchor: what they state counts as spent", async () => {
  rmSync(join(house.folder, "ward.anchor"))
  expect((await as("carl").call("getLedger")).trouble).toMatchObject({
    code: "ledger/anchor-missing",
    decision: "acknowledge",
  })
  const bad = { share: "140%", reasons: "too much" }
  expect(await codeOf(as("olga").call("requestLedgerDecision", { body: bad }))).toBe("decision/bad-share")
  const body = { share: "40%", reasons: "the disk of the anchor broke" }
  const { id } = await as("olga").call("requestLedgerDecision", { body })
  const params = { id: `${id}` }
  const agree = { decision: "agree", reasons: "I have seen the disk" } as const
  expect(await codeOf(as("olga").call("decideLedger", { params, body: agree }))).toBe(
    "decision/agreed-already",
  )
  expect(await codeOf(as("ada").call("decideLedger", { params, body: agree }))).toBe("account/no-right")
  expect(await as("carl").call("decideLedger", { params, body: agree })).toEqual({ state: "granted" })
  expect((await as("carl").call("getLedger")).trouble).toBeNull()
  expect(await codeOf(as("dana").call("decideLedger", { params, body: agree }))).toBe("decision/unknown")
  const { accounts } = await as("olga").call("getBudget")
  const { spent, left } = accounts[0] ?? {}
  expect(Number(spent?.amount) / (Number(spent?.amount) + Number(left?.amount))).toBeCloseTo(0.4, 6)
  const last = (await house.engine.ledger.entries(1n, 100)).at(-1)?.entry
  expect(last).toMatchObject({ kind: "acknowledgement", by: ["olga", "carl"], why: body.reasons })
  const deeds = await searchAudit(house.store, { about: "ledger" })
  expect(deeds.map(({ who, what }) => `${who} ${what}`)).toEqual([
    "olga ledger-decision-requested",
    "carl ledger-decided",
  ])
})

test("people agree about what they saw: another loss meanwhile is another decision", async () => {
  const anchor = join(house.folder, "ward.anchor")
  const kept = readFileSync(anchor, "utf8")
  rmSync(anchor)
  const { id } = await as("carl").call("requestLedgerDecision", { body: { reasons: "it is gone" } })
  writeFileSync(anchor, kept.replace(/"hash":"[0-9a-f]{64}/, `"hash":"${"0".repeat(64)}`))
  const agree = { decision: "agree", reasons: "yes" } as const
  const late = as("olga").call("decideLedger", { params: { id: `${id}` }, body: agree })
  expect(await codeOf(late)).toBe("decision/other")
  expect((await as("carl").call("getLedger")).trouble).toMatchObject({ code: "ledger/rolled-back" })
  writeFileSync(anchor, kept)
  expect((await as("carl").call("getLedger")).trouble).toBeNull()
})

test("[B9] a refusal refuses, and without a share nothing is left", async () => {
  rmSync(join(house.folder, "ward.anchor"))
  const first = await as("carl").call("requestLedgerDecision", { body: { reasons: "again" } })
  const refuse = { decision: "refuse", reasons: "let us look for it first" } as const
  const params = { id: `${first.id}` }
  expect(await as("olga").call("decideLedger", { params, body: refuse })).toEqual({ state: "refused" })
  expect((await as("carl").call("getLedger")).trouble).not.toBeNull()
  const second = await as("carl").call("requestLedgerDecision", { body: { reasons: "it is gone" } })
  const agree = { decision: "agree", reasons: "yes" } as const
  await as("dana").call("decideLedger", { params: { id: `${second.id}` }, body: agree })
  const { accounts } = await as("olga").call("getBudget")
  expect(Number(accounts[0]?.left.amount)).toBe(0)
})
