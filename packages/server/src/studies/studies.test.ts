import { DosimeterError } from "@dosimeter/core"
import { openMemoryLedger } from "@dosimeter/engine"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { activateStudy } from "./activate-study.ts"
import { record, searchAudit, verifyAudit } from "../audit/audit.ts"
import { openSqliteState } from "../state/sqlite-state.ts"
import type { StateStore } from "../state/state-store.ts"
import { Studies, type StudyProposal } from "./studies.ts"
import type { Actor } from "./study-state.ts"

let store: StateStore
let studies: Studies
let now = new Date("2026-03-01T09:00:00Z")

beforeEach(() => {
  store = openSqliteState(":memory:")
  studies = new Studies(store, () => now)
  now = new Date("2026-03-01T09:00:00Z")
})

afterEach(() => store.close())

const ada: Actor = { name: "ada", role: "analyst" }
const bob: Actor = { name: "bob", role: "analyst" }
const owner: Actor = { name: "olga", role: "owner" }
const [first, second]: readonly [Actor, Actor] = [
  { name: "carl", role: "committee" },
  { name: "dana", role: "committee" },
]
const heart: StudyProposal = {
  id: "heart",
  title: "Heart failure and readmission",
  summary: "Do people come back after heart failure?",
  purposes: ["DUO:0000006", "DUO:0000018"],
  people: [],
  starts: "2026-03-01",
  ends: "2026-06-30",
  epsilon: "0.5",
  delta: "1e-9",
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "",
    (error: unknown) => (error instanceof DosimeterError ? error.code : "another error"),
  )
}

async function approve(): Promise<void> {
  await studies.propose(heart, ada)
  await studies.submit("heart", ada)
  await studies.review("heart", { decision: "approve", reasons: "sound" }, first)
  await studies.review("heart", { decision: "approve", reasons: "useful" }, second)
}

test("a study can be the first thing in a ledger: its account is inside the dataset's", async () => {
  await approve()
  const policy = readPolicy(`dataset: ward
source: { duckdb: ward.duckdb }
neighbours: add-or-remove
budget: { epsilon: 3, delta: 1e-6, accounting: zcdp }
question: { epsilon: 1, delta: 1e-9 }
bounding: { groups_per_unit: 1, rows_per_group: 1, norm: fixed }
tables: { t: { unit: id, columns: { id: integer } } }
`)
  const ledger = await openMemoryLedger({ dataset: "ward" })
  await activateStudy(studies, "heart", { actor: owner, ledger, policy })
  expect((await ledger.accounts()).map(({ name }) => name)).toEqual(["dataset", "study:heart"])
  expect((await studies.requireActive("heart", ada)).id).toBe("heart")
})

test("a study goes through two reviewers before anybody can ask in it", async () => {
  await studies.propose(heart, ada)
  expect(await codeOf(studies.requireActive("heart", ada))).toBe("study/not-active")
  await studies.submit("heart", ada)
  expect(await studies.review("heart", { decision: "approve", reasons: "sound" }, first)).toBe("submitted")
  expect(await codeOf(studies.review("heart", { decision: "approve", reasons: "again" }, first))).toBe(
    "study/reviewed-already",
  )
  expect(await codeOf(studies.activate("heart", owner))).toBe("study/wrong-state")
  expect(await studies.review("heart", { decision: "approve", reasons: "useful" }, second)).toBe("approved")
  expect(await codeOf(studies.activate("heart", ada))).toBe("study/not-allowed")
  await studies.activate("heart", owner)
  expect((await studies.requireActive("heart", ada)).epsilon).toBe("0.5")
  expect(await codeOf(studies.requireActive("heart", bob))).toBe("study/not-a-member")
})

test("one refusal refuses, with reasons that stay", async () => {
  await studies.propose(heart, ada)
  await studies.submit("heart", ada)
  expect(await codeOf(studies.review("heart", { decision: "refuse", reasons: " " }, first))).toBe(
    "study/no-reasons",
  )
  expect(await studies.review("heart", { decision: "refuse", reasons: "too broad" }, first)).toBe("refused")
  expect((await studies.find("heart"))?.reviews[0]?.reasons).toBe("too broad")
  expect(await codeOf(studies.review("heart", { decision: "approve", reasons: "no" }, second))).toBe(
    "study/wrong-state",
  )
})

test("nobody reviews their own study, and only the committee reviews", async () => {
  await studies.propose({ ...heart, people: ["carl"] }, ada)
  await studies.submit("heart", ada)
  const review = { decision: "approve", reasons: "mine" } as const
  expect(await codeOf(studies.review("heart", review, first))).toBe("study/not-allowed")
  expect(await codeOf(studies.review("heart", review, owner))).toBe("study/not-allowed")
})

test("suspension is immediate, and so is the end", async () => {
  await approve()
  await studies.activate("heart", owner)
  await studies.suspend("heart", "a complaint", first)
  expect(await codeOf(studies.requireActive("heart", ada))).toBe("study/not-active")
  await studies.resume("heart", "settled", owner)
  await studies.requireActive("heart", ada)
  now = new Date("2026-07-01T00:00:00Z")
  expect(await codeOf(studies.requireActive("heart", ada))).toBe("study/not-active")
  now = new Date("2026-06-30T23:00:00Z")
  await studies.close("heart", ada)
  expect(await codeOf(studies.requireActive("heart", ada))).toBe("study/not-active")
})

test.each([
  [{ id: "Heart!" }],
  [{ title: "" }],
  [{ purposes: ["DUO:0000018"] }],
  [{ purposes: ["curiosity"] }],
  [{ starts: "2026-07-01" }],
  [{ ends: "tomorrow" }],
  [{ epsilon: "much" }],
  [{ epsilon: "0" }],
])("a proposal with %j is refused", async (change) => {
  expect(await codeOf(studies.propose({ ...heart, ...change }, ada))).toBe("study/bad-proposal")
})

test("study/exists, study/unknown, and roles that may not propose", async () => {
  await studies.propose(heart, ada)
  expect(await codeOf(studies.propose(heart, ada))).toBe("study/exists")
  expect(await codeOf(studies.submit("lungs", ada))).toBe("study/unknown")
  expect(await codeOf(studies.propose({ ...heart, id: "own" }, first))).toBe("study/not-allowed")
  expect((await studies.list()).map(({ id }) => id)).toEqual(["heart"])
})

describe("the audit trail", () => {
  test("has every step, in order, by whom, and can be searched", async () => {
    await approve()
    const all = await searchAudit(store)
    expect(all.map(({ who, what }) => `${who} ${what}`)).toEqual([
      "ada study-proposed",
      "ada study-submitted",
      "carl study-reviewed",
      "dana study-reviewed",
    ])
    const found = await searchAudit(store, { what: "study-reviewed", who: "dana", about: "study heart" })
    expect(found.map(({ facts }) => facts["outcome"])).toEqual(["approved"])
    expect(await searchAudit(store, { after: 2, limit: 1 })).toHaveLength(1)
    const newest = await searchAudit(store, { order: "newest" })
    expect(newest).toEqual(all.toReversed())
    const [, second] = newest
    expect(await searchAudit(store, { order: "newest", after: second?.position ?? 0, limit: 2 })).toEqual(
      newest.slice(2, 4),
    )
    expect(await searchAudit(store, { from: "2026-04-01" })).toEqual([])
    expect(await verifyAudit(store)).toBeUndefined()
  })

  test.each([
    ["a changed name", "UPDATE audit SET who = 'eve' WHERE position = 2", 2],
    ["a changed text", "UPDATE audit SET body = replace(body, 'ada', 'eve') WHERE position = 3", 3],
    ["a removed entry", "DELETE FROM audit WHERE position = 2", 2],
    ["a new hash", "UPDATE audit SET hash = 'x' WHERE position = 4", 4],
  ])("shows %s", async (_, sql, position) => {
    await approve()
    await store.run(sql.replace("'ada', 'eve'", "'carl', 'eve'"))
    expect(await verifyAudit(store)).toBe(position)
  })

  test("has no entry of what was rolled back", async () => {
    const failing = store.transaction(async (access) => {
      await record(access, { who: "eve", what: "nothing", about: "" }, now.toISOString())
      throw new Error("no")
    })
    expect(await codeOf(failing)).toBe("another error")
    expect(await searchAudit(store)).toEqual([])
  })
})
