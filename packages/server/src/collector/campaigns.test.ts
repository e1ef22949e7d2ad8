import { karyProtocol, makeReport, openDevice, readProtocol, releaseReport } from "@dosimeter/core/local"
import { seededBits } from "@dosimeter/core/testing"
import { DosimeterError } from "@dosimeter/core"
import { beforeEach, describe, expect, test } from "vitest"
import { searchAudit } from "../audit/audit.ts"
import { openSqliteState } from "../state/sqlite-state.ts"
import type { StateStore } from "../state/state-store.ts"
import type { CampaignPlan } from "./campaign.ts"
import { Campaigns } from "./campaigns.ts"
import { campaignEstimates } from "./estimates.ts"
import { snippetOf } from "./snippet.ts"

const plan: CampaignPlan = {
  id: "winter",
  title: "Winter",
  summary: "How is everybody?",
  epsilon: "2",
  people: 1000,
  reportsMax: 500,
  halfWidthMax: 0.1,
  questions: [
    { kind: "choice", name: "fever", text: "Fever?", options: ["no", "yes", "do not know"] },
    { kind: "number", name: "sleep", text: "Hours of sleep?", low: 0, high: 12 },
  ],
}
const rng = seededBits("campaigns")

let store: StateStore
let campaigns: Campaigns
beforeEach(() => {
  store = openSqliteState(":memory:")
  campaigns = new Campaigns(store)
})

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "",
    (error: unknown) => (error instanceof DosimeterError ? error.code : "another error"),
  )
}

async function opened(given: CampaignPlan = plan): Promise<ReturnType<typeof readProtocol>> {
  await campaigns.create(given, "olga")
  const { protocol } = await campaigns.move(given.id, "publish", "olga")
  // As a device gets it.
  return readProtocol(JSON.parse(JSON.stringify(protocol)))
}

test("a campaign is planned, published, paused and closed, and each step is in the audit trail", async () => {
  await campaigns.create(plan, "olga")
  expect(await codeOf(campaigns.create(plan, "olga"))).toBe("campaign/exists")
  expect(await codeOf(campaigns.move("winter", "pause", "olga"))).toBe("campaign/wrong-state")
  for (const [move, state] of [
    ["publish", "open"],
    ["pause", "paused"],
    ["publish", "open"],
    ["close", "closed"],
  ] as const) {
    expect((await campaigns.move("winter", move, "olga")).state).toBe(state)
  }
  expect(await codeOf(campaigns.move("winter", "publish", "olga"))).toBe("campaign/wrong-state")
  expect(await codeOf(campaigns.get("summer"))).toBe("campaign/unknown")
  const entries = await searchAudit(store, { about: "campaign winter" })
  expect(entries.map(({ what }) => what)).toEqual([
    "campaign-created",
    "campaign-open",
    "campaign-paused",
    "campaign-open",
    "campaign-closed",
  ])
})

test("a plan that cannot answer its questions is refused before anybody is asked", async () => {
  expect(await codeOf(campaigns.create({ ...plan, people: 20 }, "olga"))).toBe("local/cannot-answer")
  const twice = { ...plan, questions: [...plan.questions, ...plan.questions] }
  expect(await codeOf(campaigns.create(twice, "olga"))).toBe("campaign/bad-question")
  expect(await campaigns.list()).toEqual([])
})

test("reports become counters, and the counters estimates with intervals", async () => {
  const protocol = await opened()
  const reports = Array.from({ length: 400 }, (_, i) =>
    makeReport(protocol, releaseReport(protocol, { answers: [i % 4 === 0 ? 1 : 0, 512] }, rng), rng),
  )
  expect(await campaigns.collect("winter", reports)).toEqual({ accepted: 400, repeated: 0, refused: 0 })
  const tallies = await campaigns.tallies("winter")
  expect(tallies.reduce((sum, tally) => sum + tally.reports, 0)).toBe(400)
  const [fever, sleep] = campaignEstimates(await campaigns.get("winter"), tallies, 0.9999)
  for (const [index, truth] of [0.75, 0.25, 0].entries()) {
    const { lower = 1, upper = 0 } = fever?.options[index] ?? {}
    expect(lower <= truth && truth <= upper).toBe(true)
  }
  expect((sleep?.mean?.lower ?? 9) < 6 && 6 < (sleep?.mean?.upper ?? 0)).toBe(true)
  expect(fever?.options.reduce((sum, { consistent }) => sum + consistent, 0)).toBeCloseTo(1, 9)
  expect(fever?.ifOnePercentAreFakes.tooHigh).toBeGreaterThan(0.01)
})

test("[L5] the same report counts once, and bad ones do not spoil a batch", async () => {
  const protocol = await opened()
  const one = makeReport(protocol, releaseReport(protocol, { answers: [0, 0] }, rng), rng)
  const other = karyProtocol({ values: 3, epsilon: 2 })
  const foreign = makeReport(other, releaseReport(other, 1, rng), rng)
  const long = { ...one, id: "A".repeat(22), payload: `${one.payload}AA` }
  const unknown = { ...one, id: "B".repeat(22), payload: "_".repeat(one.payload.length) }
  expect(await campaigns.collect("winter", [one, one, foreign, long, unknown, null])).toEqual({
    accepted: 1,
    repeated: 1,
    refused: 4,
  })
  expect(await campaigns.collect("winter", [one])).toEqual({ accepted: 0, repeated: 1, refused: 0 })
})

test("no report and no id is kept: only counters, and hashes until the campaign is closed", async () => {
  const protocol = await opened()
  const report = makeReport(protocol, releaseReport(protocol, { answers: [2, 9] }, rng), rng)
  await campaigns.collect("winter", [report])
  const everything = async (): Promise<string> => {
    const tables = ["campaigns", "campaign_tallies", "campaign_seen", "audit"]
    const rows = await Promise.all(tables.map(async (table) => store.all(`SELECT * FROM ${table}`)))
    return JSON.stringify(rows)
  }
  expect(await everything()).not.toContain(report.id)
  expect(await store.all("SELECT hash FROM campaign_seen")).toHaveLength(1)
  await campaigns.move("winter", "close", "olga")
  expect(await store.all("SELECT hash FROM campaign_seen")).toHaveLength(0)
  expect(await codeOf(campaigns.collect("winter", [report]))).toBe("campaign/not-open")
})

test("more reports than were planned for are refused", async () => {
  const protocol = await opened({ ...plan, reportsMax: 3 })
  const report = () => makeReport(protocol, releaseReport(protocol, { answers: [2, 9] }, rng), rng)
  const batch = [report(), report(), report(), report(), report()]
  expect(await campaigns.collect("winter", batch)).toEqual({ accepted: 3, repeated: 0, refused: 2 })
  expect(await codeOf(campaigns.collect("winter", [report()]))).toBe("campaign/full")
})

test("a report that comes again takes no room, and one that found none is not remembered", async () => {
  const protocol = await opened({ ...plan, reportsMax: 4 })
  const report = () => makeReport(protocol, releaseReport(protocol, { answers: [2, 9] }, rng), rng)
  const [a, b, c] = [report(), report(), report()]
  expect(await campaigns.collect("winter", [a, a, b])).toEqual({ accepted: 2, repeated: 1, refused: 0 })
  expect(await campaigns.collect("winter", [a, b, b, c, c, report(), report()])).toEqual({
    accepted: 2,
    repeated: 4,
    refused: 1,
  })
  expect(await store.all("SELECT hash FROM campaign_seen")).toHaveLength(4)
})

test("a batch of more than one statement remembers is counted whole", async () => {
  const protocol = await opened({ ...plan, reportsMax: 5000 })
  const reports = Array.from({ length: 1100 }, () =>
    makeReport(protocol, releaseReport(protocol, { answers: [2, 9] }, rng), rng),
  )
  const outcome = { accepted: 1100, repeated: 0, refused: 0 }
  expect(await campaigns.collect("winter", reports)).toEqual(outcome)
  const tallies = await campaigns.tallies("winter")
  expect(tallies.reduce((sum, tally) => sum + tally.reports, 0)).toBe(1100)
})

describe("one question", () => {
  test("needs no part, and a device's memory fits it", async () => {
    const protocol = await opened({ ...plan, questions: plan.questions.slice(0, 1) })
    let saved: string | undefined
    const device = openDevice({ limit: 4, store: { load: () => saved, save: (text) => (saved = text) } })
    const question = { study: "winter", question: "survey", protocol, answer: 1 }
    const first = device.report(question, rng)
    // What a device sends again is counted once.
    expect(await campaigns.collect("winter", [first, device.report(question, rng)])).toEqual({
      accepted: 1,
      repeated: 1,
      refused: 0,
    })
    expect((await campaigns.tallies("winter")).map(({ reports }) => reports)).toEqual([1])
  })
})

test("the snippet is two lines of HTML", () => {
  expect(snippetOf({ id: "winter", epsilon: "2" }, "https://data.example.org").split("\n")).toEqual([
    '<div data-dosimeter-survey="winter" data-limit="2"></div>',
    '<script type="module" src="https://data.example.org/survey.js" crossorigin></script>',
  ])
})

test("one fake in a hundred moves a share as far as is said, and no further", async () => {
  const choice = { ...plan, questions: plan.questions.slice(0, 1) }
  await campaigns.create(choice, "olga")
  // Everybody says "no"; what is expected of 9,900 of them, and 100 fakes that speak for "yes".
  const [e, honest] = [Math.exp(2), 9900]
  const counts = [e, 1, 1].map((part, option) => (honest * part) / (e + 2) + (option === 1 ? 100 : 0))
  const [found] = campaignEstimates(await campaigns.get("winter"), [{ reports: 10_000, counts }], 0.95)
  const [no, yes] = found?.options ?? []
  expect(1 - (no?.share ?? 1)).toBeCloseTo(found?.ifOnePercentAreFakes.tooLow ?? 0, 9)
  expect(yes?.share).toBeCloseTo(found?.ifOnePercentAreFakes.tooHigh ?? 0, 9)
})
