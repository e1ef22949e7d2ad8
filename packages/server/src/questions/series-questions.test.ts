// Series go through the same path as questions: a standing, the audit trail, texts, incidents, the airlock.

import { DosimeterError, exactly } from "@dosimeter/core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { searchAudit } from "../audit/audit.ts"
import { Questions } from "./questions.ts"
import { ReleaseTexts } from "./release-texts.ts"
import { AuditLog } from "../audit/audit-log.ts"
import { HouseAskers } from "./house-askers.ts"
import { openSmallHouse, people, type SmallHouse } from "../testing/small-house.ts"

const { olga } = people
const sql = "SELECT date_trunc('month', admitted) AS month, COUNT(*) AS n FROM patients GROUP BY 1"
const day = (text: string): bigint => BigInt(Date.parse(`${text}T00:00:00Z`) / 86_400_000)
const asked = { name: "admissions", sql, from: day("2026-01-01"), periods: 6, study: "heart" }
let house: SmallHouse
const incidents: bigint[] = []
let questions: Questions

beforeAll(async () => {
  house = await openSmallHouse()
  await house.openStudy("heart")
  await house.openStudy("held", { airlock: true })
  await house.openStudy("others", { people: ["bob"] })
  const { engine, accounts, studies, store, airlock } = house
  questions = new Questions({
    engine,
    askers: new HouseAskers({ engine, accounts, studies, airlock }),
    airlock,
    audit: new AuditLog(store),
    texts: new ReleaseTexts(store, engine.ledger),
    onIncident: ({ position }) => incidents.push(position),
  })
})
afterAll(async () => {
  await questions.settled()
  await house.close()
})

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "",
    (error: unknown) => (error instanceof DosimeterError ? error.code : String(error)),
  )
}

/** What the audit trail says of the last question, and how many deeds there are. */
async function lastDeed(what: string) {
  await questions.settled()
  return (await searchAudit(house.store, { what, limit: 1000 })).at(-1)
}

test("[G4] a series is charged to its study, and the audit trail and the text of its charge say so", async () => {
  const { series } = questions
  const plan = await series.plan("ada", { ...asked, ask: { epsilon: exactly("0.25", "epsilon") } })
  expect((await house.engine.ledger.entries(1n, 100)).some(({ entry }) => entry.kind === "charge")).toBe(
    false,
  )
  await series.create("ada", { ...asked, ask: { epsilon: exactly("0.25", "epsilon") } })
  const charges = await house.engine.ledger.entries(1n, 100)
  const charged = charges.find(({ entry }) => entry.kind === "charge")
  expect(charged?.entry).toMatchObject({ principal: "ada", study: "heart", steps: 6n })
  expect(charged?.entry.kind === "charge" && charged.entry.accounts).toContain("study:heart")
  expect(plan.days).toHaveLength(7)
  const charge = charged?.position ?? 0n
  const told = { who: "ada", about: "study heart", facts: { origin: "released", charge: `${charge}` } }
  expect(await lastDeed("question-answered")).toMatchObject(told)
  const texts = await new ReleaseTexts(house.store, house.engine.ledger).of([charge])
  expect(texts.get(charge)?.question).toBe(sql)
})

test("[G4] who may not ask in its study is refused, by name, and that is written down", async () => {
  const { series } = questions
  expect(await codeOf(series.create("bob", asked))).toBe("study/not-a-member")
  expect(await codeOf(series.show("bob", "admissions"))).toBe("study/not-a-member")
  expect(await codeOf(series.update("bob", { name: "admissions", through: day("2026-03-01") }))).toBe(
    "study/not-a-member",
  )
  expect(await lastDeed("question-refused")).toMatchObject({
    who: "bob",
    facts: { code: "study/not-a-member" },
  })
  expect(await codeOf(series.show("ada", "gout"))).toBe("series/unknown")
  expect(await lastDeed("question-refused")).toMatchObject({ who: "ada", facts: { code: "series/unknown" } })
})

test("an update is free, and shown to the people of the study", async () => {
  const { series } = questions
  const before = await house.engine.ledger.accounts()
  expect(await series.update("ada", { name: "admissions", through: day("2026-03-01") })).toBe(2)
  expect(await lastDeed("question-answered")).toMatchObject({ who: "ada", facts: { origin: "released" } })
  expect(await series.update("ada", { name: "admissions", through: day("2026-03-01") })).toBe(0)
  expect(await lastDeed("question-answered")).toMatchObject({ who: "ada", facts: { origin: "recorded" } })
  expect((await series.show("ada", "admissions")).table.rows).toHaveLength(2)
  expect(await house.engine.ledger.accounts()).toEqual(before)
})

test("airlock/no-series: one approval could not be about periods that are to come", async () => {
  const { series } = questions
  const held = { ...asked, name: "held", study: "held" }
  expect(await codeOf(series.plan("ada", held))).toBe("airlock/no-series")
  expect(await codeOf(series.create("ada", held))).toBe("airlock/no-series")
  expect(await lastDeed("question-refused")).toMatchObject({ facts: { code: "airlock/no-series" } })
  expect(await codeOf(house.engine.series.show("held"))).toBe("series/unknown")
})

test("the operator is told once of an update that failed, and not again of an earlier one", async () => {
  const { series } = questions
  const next = { name: "admissions", through: day("2026-04-01") }
  house.breakReleases(true)
  await codeOf(series.update("ada", next))
  house.breakReleases(false)
  expect(incidents).toHaveLength(1)
  expect(await lastDeed("incident")).toMatchObject({ who: "ada", facts: { entry: `${incidents[0]}` } })
  expect(await codeOf(series.update("ada", next))).toBe("ledger/door-closed")
  await house.engine.ledger.reopen(incidents[0] ?? 0n, { by: [olga.name], why: "a bug, mended" })
  expect(await series.update("ada", next)).toBe(1)
  expect(incidents).toHaveLength(1)
})
