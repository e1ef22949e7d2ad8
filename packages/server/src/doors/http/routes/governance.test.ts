// Governance over HTTP, as a committee, an analyst, a participant and a stranger see it.

import { withoutRandomText } from "@dosimeter/core/testing"
import { afterAll, beforeAll, expect, test } from "vitest"
import { searchAudit } from "../../../audit/audit.ts"
import { linkParticipant } from "../../../people/participants.ts"
import { Tokens } from "../../../people/tokens.ts"
import { TryLimits } from "../../../limits/try-limits.ts"
import { openSmallHouse, people, type SmallHouse } from "../../../testing/small-house.ts"
import { ApiError, Client } from "../contract/client.ts"
import type { HttpServer } from "../http-server.ts"
import { openHttpDoor } from "../open-http-door.ts"

const sql = "SELECT sex, COUNT(*) AS n FROM patients GROUP BY sex"
let house: SmallHouse
let door: HttpServer
let url = ""
const clients = new Map<string, Client>()

beforeAll(async () => {
  house = await openSmallHouse("consent: required\n")
  const { questions, accounts, store, folder } = house
  await house.openStudy("heart", { airlock: true, summary: "<b>Who</b> comes back?" })
  await linkParticipant(store, "pat", "8")
  const limits = new TryLimits()
  const shared = { questions, accounts, store, folder, limits, needsStudies: true, setUpCode: undefined }
  door = await openHttpDoor({ ...shared, host: "127.0.0.1", port: 0 })
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

async function problemOf(work: Promise<unknown>): Promise<readonly [number, string]> {
  return work.then(
    () => [200, ""] as const,
    (error: unknown) => {
      if (!(error instanceof ApiError)) throw error
      return [error.status, error.problem.code] as const
    },
  )
}

test("people agree by a file and by the portal, and see and change only their own", async () => {
  const rows = Array.from({ length: 300 }, (_, id) => `${id},DUO:0000042,given,2026-01-01`)
  const text = `participant,purpose,decision,date\n${rows.join("\n")}\n`
  const body = { file: "consents.csv", text }
  expect(await problemOf(as("ada").call("importConsents", { body }))).toEqual([403, "account/no-right"])
  expect(await as("olga").call("importConsents", { body })).toEqual({ read: 300, changed: 300 })
  const bad = { file: "bad.csv", text: "participant\n" }
  expect(await problemOf(as("olga").call("importConsents", { body: bad }))).toEqual([400, "consent/bad-file"])
  const { holds, history } = await as("pat").call("getConsent")
  expect(holds).toMatchObject([{ purpose: "DUO:0000042", name: "general research use", decision: "given" }])
  expect(history).toHaveLength(1)
  const decision = { purpose: "DUO:0000018", decision: "given" } as const
  expect(await problemOf(as("pat").call("setConsent", { body: decision }))).toEqual([
    400,
    "consent/bad-purpose",
  ])
})

test("[G3] a release waits with 202, is looked at, approved, and then leaves", async () => {
  expect(await problemOf(as("ada").call("ask", { body: { sql } }))).toEqual([202, "airlock/waiting"])
  const [held] = (await as("carl").call("listHeld")).items
  expect(held).toMatchObject({ study: "heart", state: "waiting", askedBy: "ada", question: sql })
  const params = { release: held?.release ?? "" }
  // Neither the list of releases nor the other side of the house shows it.
  const position = { position: params.release }
  expect(await problemOf(as("ada").call("getRelease", { params: position }))).toEqual([
    202,
    "airlock/waiting",
  ])
  expect(await problemOf(as("dana").call("getRelease", { params: position }))).toEqual([
    202,
    "airlock/waiting",
  ])
  expect(await problemOf(as("ada").call("getReceipt", { params: position }))).toEqual([
    202,
    "airlock/waiting",
  ])
  expect((await as("ada").call("listReleases")).items).toMatchObject([{ held: true }])
  expect(await problemOf(as("ada").call("getHeld", { params }))).toEqual([403, "account/no-right"])
  const shown = await as("dana").call("getHeld", { params })
  expect(shown.answer).toMatchObject({ rows: [{ sex: {}, n: {} }, {}] })
  const review = { decision: "approve", reasons: "large groups" } as const
  await as("dana").call("reviewHeld", { params, body: review })
  expect(await problemOf(as("carl").call("reviewHeld", { params, body: review }))).toEqual([
    409,
    "airlock/decided",
  ])
  const answer = await as("ada").call("ask", { body: { sql } })
  expect(answer).toMatchObject({ origin: "recorded", receipt: { consent: { purposes: ["DUO:0000006"] } } })
  expect(answer.rows).toEqual(Reflect.get(Object(shown.answer), "rows"))
  expect((await as("ada").call("getRelease", { params: position })).answer?.rows).toHaveLength(2)
})

test("[G1] a participant withdraws, sees what was used before, and is left out afterwards", async () => {
  expect((await as("pat").call("getParticipation")).items).toMatchObject([
    { study: "heart", releasesWith: 1, releasesWithout: 0 },
  ])
  await as("pat").call("setConsent", { body: { purpose: "DUO:0000006", decision: "withdrawn" } })
  const { holds, history } = await as("pat").call("getConsent")
  expect(holds).toHaveLength(2)
  expect(history.map(({ decision }) => decision)).toEqual(["withdrawn", "given"])
  expect(await problemOf(as("ada").call("ask", { body: { sql } }))).toEqual([202, "airlock/waiting"])
  const [used] = (await as("pat").call("getParticipation")).items
  expect(used).toMatchObject({ releasesWith: 1, releasesWithout: 1 })
  expect(Number(used?.epsilon)).toBeGreaterThan(0)
  expect(await problemOf(as("ada").call("getParticipation"))).toEqual([403, "account/no-right"])
})

test("a participant without data is told so, until the owner links the account to a record", async () => {
  await as("olga").call("addAccount", { body: { name: "pia", role: "participant" } })
  const { secret } = await new Tokens(house.store).add({
    name: "t",
    account: { name: "pia", role: "participant" },
  })
  const pia = new Client({ url, token: secret })
  expect(await problemOf(pia.call("getConsent"))).toEqual([403, "consent/not-linked"])
  const link = (name: string, participant: string, by: keyof typeof people = "olga") =>
    problemOf(as(by).call("linkAccount", { params: { name }, body: { participant } }))
  expect(await link("pia", "11", "carl")).toEqual([403, "account/no-right"])
  expect(await link("pia", "x")).toEqual([400, "consent/bad-participant"])
  expect(await link("pia", "8")).toEqual([400, "consent/linked-already"])
  expect(await link("ada", "11")).toEqual([400, "consent/no-participant"])
  expect(await link("nobody", "11")).toEqual([404, "account/unknown"])
  // A mistake can be mended.
  expect(await link("pia", "12")).toEqual([200, ""])
  expect(await link("pia", "11")).toEqual([200, ""])
  expect((await pia.call("getConsent")).history).toHaveLength(1)
  const body = { name: "pio", role: "participant", participant: "12" } as const
  expect(await as("olga").call("addAccount", { body })).toMatchObject({ name: "pio", linked: true })
  // With a record that is taken no account is made.
  const second = { ...body, name: "pip" }
  expect(await problemOf(as("olga").call("addAccount", { body: second }))).toEqual([
    400,
    "consent/linked-already",
  ])
  const { items } = await as("olga").call("listAccounts")
  expect(items.map(({ name, linked }) => [name, linked])).toEqual(
    expect.arrayContaining([
      ["ada", null],
      ["pia", true],
      ["pio", true],
    ]),
  )
  expect(items.map(({ name }) => name)).not.toContain("pip")
  const entries = await searchAudit(house.store, { what: "account-linked" })
  expect(entries).toMatchObject([{ who: "olga", about: "account pia", facts: {} }, {}])
})

test("[G2] more budget by two people", async () => {
  const body = { account: "study:heart", epsilon: "3", delta: "1e-7", reasons: "a second year" }
  const { id } = await as("ada").call("requestBudget", { body })
  const params = { id: `${id}` }
  const agree = { decision: "agree", reasons: "yes" } as const
  expect(await problemOf(as("ada").call("decideBudget", { params, body: agree }))).toEqual([
    403,
    "account/no-right",
  ])
  expect(await as("olga").call("decideBudget", { params, body: agree })).toEqual({ state: "open" })
  expect(await as("carl").call("decideBudget", { params, body: agree })).toEqual({ state: "granted" })
  expect((await as("bob").call("listBudgetRequests")).items).toMatchObject([{ state: "granted" }])
})

test("drafts are edited, and an airlock demanded, over HTTP", async () => {
  const { title, summary, purposes, starts, ends } = await as("ada").call("getStudy", {
    params: { id: "heart" },
  })
  const body = {
    id: "lungs",
    title,
    summary,
    purposes,
    people: [],
    starts,
    ends,
    epsilon: "1",
    delta: "1e-8",
  }
  await as("ada").call("proposeStudy", { body })
  const params = { id: "lungs" }
  expect(await as("ada").call("editStudy", { params, body: { title: "Lungs" } })).toMatchObject({
    title: "Lungs",
  })
  expect(await as("carl").call("demandAirlock", { params })).toMatchObject({ airlock: true })
})

test("the community's board reads plain words, and its view is on the record and public without names", async () => {
  const params = { id: "heart" }
  const body = { view: "concern", comment: "<i>Results</i> to us first." } as const
  for (const name of ["ada", "carl", "olga", "pat"] as const) {
    expect(await problemOf(as(name).call("listProposals"))).toEqual([403, "account/no-right"])
    expect(await problemOf(as(name).call("voiceStudy", { params, body }))).toEqual([403, "account/no-right"])
  }
  const coco = as("coco")
  for (const work of [coco.call("listStudies"), coco.call("getStudy", { params }), coco.call("getBudget")])
    expect(await problemOf(work)).toEqual([403, "account/no-right"])
  const { items } = await coco.call("listProposals")
  expect(items).toMatchObject([{ id: "heart", state: "active", own: null, others: [] }])
  expect(await coco.call("voiceStudy", { params, body })).toMatchObject({ own: body })
  expect(await as("carl").call("getStudy", { params })).toMatchObject({
    state: "active",
    voices: [{ name: "coco", ...body }],
  })
  const view = await new Client({ url }).call("getTransparency")
  expect(view.studies[0]?.community).toEqual([body])
  const html = await (await fetch(`${url}/transparency`)).text()
  expect(html).toContain("<li>With concerns: &lt;i&gt;Results&lt;/i&gt; to us first.</li>")
  expect(withoutRandomText(html)).not.toContain("coco")
})

test("everybody sees studies, doses and releases, and nothing of what was asked", async () => {
  const view = await new Client({ url }).call("getTransparency")
  expect(view).toMatchObject({
    dataset: "ward",
    consent: "required",
    studies: [{ id: "heart", state: "active", people: 1, airlock: true, releases: 2 }],
    releases: [{ state: "held" }, { state: "charged" }],
  })
  expect(Number(view.spent.epsilon)).toBeGreaterThan(0)
  expect(view.spent.words[0]).toMatch(/odds/)
  const page = await fetch(`${url}/transparency`)
  const html = await page.text()
  expect(page.headers.get("content-security-policy")).toContain("script-src 'self'")
  expect(html).toContain("Heart failure and readmission")
  expect(html).toContain("&lt;b&gt;Who&lt;/b&gt; comes back?")
  expect(html).toContain("waits for an approval")
  for (const text of [html, JSON.stringify(view)]) {
    for (const secret of ["SELECT", "ada", "carl", '"8"'])
      expect(withoutRandomText(text)).not.toContain(secret)
  }
})
