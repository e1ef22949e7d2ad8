// Two people are needed where the rules say so, and one who makes accounts stays one.

import { DosimeterError } from "@dosimeter/core"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { openSmallHouse, people, type SmallHouse } from "../testing/small-house.ts"
import { Accounts } from "./accounts.ts"
import { Airlock } from "../studies/airlock.ts"
import { searchAudit, verifyAudit } from "../audit/audit.ts"
import { budgetRaises } from "../studies/budget-raises.ts"
import type { Role } from "./roles.ts"
import { checkSeparate, coolingDaysOf, setCoolingDays } from "./separate-people.ts"
import { openSqliteState } from "../state/sqlite-state.ts"
import type { StateStore } from "../state/state-store.ts"
import { Studies } from "../studies/studies.ts"

const dayMs = 24 * 3_600_000
let now = Date.parse("2026-03-01T00:00:00Z")
const clock = (): Date => new Date(now)
let store: StateStore
let accounts: Accounts

beforeEach(async () => {
  now = Date.parse("2026-03-01T00:00:00Z")
  store = openSqliteState(":memory:")
  accounts = new Accounts(store, clock)
  await accounts.addFirst("olga", "a long password")
})

async function refused(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "",
    (error: unknown) => {
      if (!(error instanceof DosimeterError)) throw error
      const { code, facts } = error.issues[0]
      return code === "people/not-separate" ? `${facts["by"]} until ${facts["until"]}` : code
    },
  )
}

const add = async (name: string, role: Role, by?: string): Promise<void> => {
  await accounts.add(name, role, "a long password", by === undefined ? {} : { by })
}
const together = async (name: string, other: string): Promise<string> => {
  const at = clock().toISOString()
  return refused(checkSeparate(store, { name, at }, [{ name: other, at }]))
}

test("who made an account, and the account, are one for seven days", async () => {
  await add("carl", "committee", "olga")
  expect(await together("olga", "carl")).toBe("olga until 2026-03-08T00:00")
  expect(await together("carl", "olga")).toBe("olga until 2026-03-08T00:00")
  now += 7 * dayMs - 1
  expect(await together("carl", "olga")).toBe("olga until 2026-03-08T00:00")
  now += 1
  expect(await together("carl", "olga")).toBe("")
})

test("two accounts that one person made are one as well, and so is a chain of them", async () => {
  await add("carl", "committee", "olga")
  await add("oscar", "owner", "olga")
  await add("dana", "committee", "oscar")
  expect(await together("carl", "dana")).toBe("olga until 2026-03-08T00:00")
  expect(await together("dana", "oscar")).toMatch(/^oscar|^olga/)
  await add("kai", "committee")
  expect(await together("carl", "kai")).toBe("")
})

test("a password that an owner reset counts anew, one's own change does not", async () => {
  await add("carl", "committee", "olga")
  now += 30 * dayMs
  await accounts.setPassword("carl", "another long one", { by: "carl" })
  expect(await together("olga", "carl")).toBe("")
  await accounts.setPassword("carl", "a third long one", { by: "olga" })
  expect(await together("olga", "carl")).toBe("olga until 2026-04-07T00:00")
  await accounts.setPassword("carl", "and a fourth one", { by: "carl" })
  expect(await together("olga", "carl")).toBe("olga until 2026-04-07T00:00")
})

test("a role that an owner gave counts, what the machine or another house did does not", async () => {
  await add("carl", "analyst")
  expect(await together("olga", "carl")).toBe("")
  await accounts.setRole("carl", "committee", { by: "sign-in by login.example.org" })
  expect(await together("olga", "carl")).toBe("")
  await accounts.setRole("carl", "auditor", { by: "olga" })
  expect(await together("olga", "carl")).toBe("olga until 2026-03-08T00:00")
  // Nobody can have the name that stands for the machine.
  expect(await refused(add("operator", "owner", "olga"))).toBe("account/bad-name")
})

test("what is done to an account after it decided takes nothing back", async () => {
  await add("carl", "committee")
  const at = clock().toISOString()
  now += dayMs
  await accounts.setPassword("carl", "another long one", { by: "olga" })
  const later = { name: "olga", at: clock().toISOString() }
  expect(await refused(checkSeparate(store, later, [{ name: "carl", at }]))).toBe("")
  expect(await refused(checkSeparate(store, later, [{ name: "carl", at: later.at }]))).not.toBe("")
})

test("the days are a setting of the house, for whoever has the files, and the audit trail has it", async () => {
  await add("carl", "committee", "olga")
  expect(await coolingDaysOf(store)).toBe(7)
  await setCoolingDays(store, 2)
  expect(await together("olga", "carl")).toBe("olga until 2026-03-03T00:00")
  await setCoolingDays(store, 0)
  expect(await together("olga", "carl")).toBe("")
  const trail = await searchAudit(store, { what: "cooling-changed" })
  expect(trail.map(({ who, facts }) => [who, facts])).toEqual([
    ["operator", { from: "7", to: "2" }],
    ["operator", { from: "2", to: "0" }],
  ])
})

const proposal = {
  title: "Heart",
  summary: "Why?",
  purposes: ["DUO:0000006"],
  people: [],
  starts: "2026-01-01",
  ends: "2099-12-31",
  epsilon: "1",
  delta: "1e-7",
}
const approve = { decision: "approve", reasons: "sound" } as const

test("studies: an owner with two made accounts neither approves nor opens one alone", async () => {
  const studies = new Studies(store, clock)
  await add("ada", "analyst")
  await add("kai", "committee")
  await add("carl", "committee", "olga")
  await add("dana", "committee", "olga")
  const olga = { name: "olga", role: "owner" } as const
  const [carl, dana, kai] = ["carl", "dana", "kai"].map((name) => ({ name, role: "committee" }) as const)
  if (carl === undefined || dana === undefined || kai === undefined) throw new Error("they are three")
  const ada = { name: "ada", role: "analyst" } as const
  for (const [id, by] of [
    ["own", olga],
    ["heart", ada],
  ] as const) {
    await studies.propose({ ...proposal, id }, by)
    await studies.submit(id, by)
  }
  // Nobody judges their own study, nor by another account.
  expect(await refused(studies.review("own", approve, carl))).toBe("olga until 2026-03-08T00:00")
  expect(await studies.review("heart", approve, carl)).toBe("submitted")
  expect(await refused(studies.review("heart", approve, dana))).toBe("olga until 2026-03-08T00:00")
  expect(await studies.review("heart", approve, kai)).toBe("approved")
  expect(await refused(studies.activate("heart", olga))).toBe("olga until 2026-03-08T00:00")
  const trail = await searchAudit(store, { what: "decision-not-separate" })
  expect(trail.map(({ who, about, facts }) => `${who}, ${about}, ${facts["other"]}`)).toEqual([
    "carl, study own, olga",
    "dana, study heart, carl",
    "olga, study heart, carl",
  ])
  expect(await verifyAudit(store)).toBeUndefined()
  // A refusal needs no second person.
  expect(await studies.review("own", { decision: "refuse", reasons: "no" }, dana)).toBe("refused")
  now += 7 * dayMs
  await studies.activate("heart", olga)
})

let house: SmallHouse

beforeAll(async () => {
  house = await openSmallHouse()
  await house.openStudy("held", { airlock: true })
})
afterAll(() => house.close())

test("raised budgets and the airlock: an account that an owner made does not stand for a second person", async () => {
  const { engine, questions } = house
  const { olga, dana, ada } = people
  for (const name of ["puppet", "second"]) {
    await house.accounts.add(name, "committee", "a long password", { by: "olga" })
  }
  const puppet = { name: "puppet", role: "committee" } as const
  const raises = budgetRaises({ store: house.store, ledger: engine.ledger, policy: engine.policy })
  const more = { account: "study:held", epsilon: "3", delta: "1e-7", reasons: "more" } as const
  const { id } = await raises.request(more, olga)
  const agree = { decision: "agree", reasons: "yes" } as const
  expect(await refused(raises.decide(id, agree, puppet))).toMatch(/^olga until /)
  expect((await raises.list()).map(({ state }) => state)).toEqual(["open"])
  expect(await raises.decide(id, agree, dana)).toBe("granted")
  const { id: other } = await raises.request({ ...more, epsilon: "4" }, puppet)
  expect(await refused(raises.decide(other, agree, { ...puppet, name: "second" }))).toMatch(/^olga until /)
  const held = await questions
    .ask("ada", { sql: "SELECT COUNT(*) FROM patients", study: "held" })
    .catch((error: unknown) => error)
  if (!(held instanceof DosimeterError)) throw held
  const release = held.issues[0].facts["release"] ?? ""
  // The owner set the password of somebody in the study: their releases are not for the owner to let out.
  await house.accounts.setPassword(ada.name, "another long one", { by: "olga" })
  const airlock = new Airlock(house.store, engine.ledger)
  expect(await refused(airlock.review(release, approve, olga))).toMatch(/^olga until /)
  expect(await refused(airlock.review(release, approve, puppet))).toMatch(/^olga until /)
  expect(await refused(airlock.review(release, approve, dana))).toBe("")
})
