// Screens of a study over several sites: the inbox of a site, and the pages of its lead.

import { act } from "react"
import { expect, test, vi } from "vitest"
import type { Reply } from "../../api/server.ts"
import type { Me } from "../../parts/browser/session.tsx"
import { catalogues } from "../../strings/use-strings.ts"
import { nothing, refusal, type Replies } from "../../testing/fake-server.ts"
import { ada, cleo } from "../../testing/house.ts"
import { languages } from "../../testing/shown.tsx"
import { openScreen, type OpenScreen } from "../../testing/open-screen.tsx"
import { InboxPage } from "./inbox.tsx"
import { JobsPage } from "./jobs.tsx"
import { SitesPage } from "./sites.tsx"
import { linesOf } from "./fitted-model.tsx"
import { likely, needsOf, valuesOf } from "./pool-choices.ts"

const { inbox, jobs, sites, studies } = catalogues.en
const at = "2026-11-19T02:00:00.000Z"
const id = "3f9a02c1d5e7".padEnd(64, "0")

type InboxJob = Reply<"listInbox">["items"][number]
const offered: InboxJob = {
  id,
  state: "offered",
  receivedAt: at,
  study: "heart",
  purpose: "to plan the trial",
  sql: "SELECT sex, COUNT(*) AS n FROM patients GROUP BY sex",
  mode: "summed",
  model: null,
  sites: ["north", "south", "west"],
  words: ["It counts."],
  facts: { numbers: 2, rounds: 1, unit: "patient", threshold: 3, honest: 2, colluding: 1 },
  epsilon: "0.4999999999",
  delta: "1e-8",
  answerBy: "2026-11-26T02:00:00.000Z",
  decidedBy: null,
  decidedAt: null,
  reasons: null,
  isActedOn: false,
}
const belongs: Reply<"getMembership"> = {
  membership: {
    study: "heart",
    site: "north",
    joinedAt: at,
    url: "https://study.example.org",
    coordinator: "1712-2d90",
    lastCall: { at, trouble: null },
  },
  peers: [{ name: "south", fingerprint: "aaaa" }],
  views: [{ table: "patients", select: "SELECT 1" }],
}
const siteReplies: Replies = {
  "GET /api/v1/federation/membership": belongs,
  "GET /api/v1/federation/inbox": { items: [offered] },
  "GET /api/v1/federation/standing": { items: [] },
}
const decision = `POST /api/v1/federation/inbox/${id}/decision`

async function openInbox(replies: Replies = {}, me: Me = cleo): Promise<OpenScreen> {
  return openScreen(<InboxPage />, { me, replies: { ...siteReplies, ...replies } })
}

test("a job is shown in plain words with its price, in both languages", async () => {
  for (const language of languages) {
    const screen = await openScreen(<InboxPage />, { me: cleo, language, replies: siteReplies })
    const words = catalogues[language].inbox
    const card = screen.one("article").textContent
    expect(card).toContain(offered.sql)
    expect(card).toContain(words.doseOf("0.5", "1e-8", "patient"))
    expect(card).toContain(words.leavesSummed(words.numbers(2), 3, 3))
    expect(card).toContain(words.protectsSummed(1, 2))
    expect(card).toContain(words.severalHelp)
    expect(screen.text()).not.toMatch(/undefined|NaN/)
  }
})

test("a regression is shown with all of its sums, in both languages", async () => {
  const fitted: InboxJob = {
    ...offered,
    sql: "SELECT age, bled = 1 AS bled FROM patients",
    model: { kind: "logistic", target: "bled", rounds: 20 },
    facts: { numbers: 240, rounds: 23, unit: "patient", threshold: 3, honest: 2, colluding: 1 },
  }
  const replies = { ...siteReplies, "GET /api/v1/federation/inbox": { items: [fitted] } }
  for (const language of languages) {
    const screen = await openScreen(<InboxPage />, { me: cleo, language, replies })
    const words = catalogues[language].inbox
    const card = screen.one("article").textContent
    expect(card).toContain(words.modelOf(catalogues[language].jobs.kinds.logistic, "bled"))
    expect(card).toContain(words.doseOfRounds(23))
    expect(card).toContain(words.leavesRounds(words.numbers(240), 23, 3, 3))
  }
})

test.each([
  [inbox.approve, "approve"],
  [inbox.refuse, "refuse"],
] as const)("%s is sent with its reasons, and the job waits no longer", async (button, decided) => {
  const state = decided === "approve" ? "approved" : "refused"
  const after = { ...offered, state, decidedBy: "cleo", decidedAt: at, reasons: "A small dose." } as const
  const screen = await openInbox({ [decision]: after })
  expect(screen.one("button", inbox.approve)).toHaveProperty("disabled", true)
  await screen.type(studies.reasons, "A small dose.")
  screen.server.change({ "GET /api/v1/federation/inbox": { items: [after] } })
  await screen.press(button)
  expect(screen.server.sentTo(decision).map(({ body }) => body)).toEqual([
    { decision: decided, reasons: "A small dose." },
  ])
  expect(screen.has("button", inbox.approve)).toBe(false)
  expect(screen.text()).toContain(inbox.states[state])
})

test("a decision that is refused says why, and one who may not decide has no form", async () => {
  const screen = await openInbox({ [decision]: refusal("federation/decided") })
  await screen.type(studies.reasons, "Yes.")
  await screen.press(inbox.approve)
  expect(screen.one("alert").textContent).toContain("federation/decided")
  expect((await openInbox({}, ada)).has("button", inbox.approve)).toBe(false)
})

test("a job that the site itself refused says why; a house of no study says so", async () => {
  const reasons = "the site west is not known here with this key [federation/not-for-us]"
  const unfit = { ...offered, state: "unfit", facts: null, epsilon: null, delta: null, reasons } as const
  const screen = await openInbox({ "GET /api/v1/federation/inbox": { items: [unfit] } })
  expect(screen.one("article").textContent).toContain(reasons)
  const alone = { membership: null, peers: [], views: [] }
  expect((await openInbox({ "GET /api/v1/federation/membership": alone })).text()).toContain(inbox.none)
})

test("the site's budget, its line and its views are there", async () => {
  const screen = await openInbox()
  expect(screen.has("heading", inbox.budget)).toBe(true)
  expect(screen.fact(inbox.peers)).toBe("south")
  expect(screen.fact(inbox.fingerprint)).toBe("1712-2d90")
  expect(screen.text()).toContain("SELECT 1")
})

test("something is agreed to beforehand, and ended", async () => {
  const terms = { epsilonEach: "0.1", epsilon: "1", delta: "1e-7", sitesMin: 3 }
  const pattern = "SELECT sex, COUNT(*) FROM patients *"
  const screen = await openInbox({ "POST /api/v1/federation/standing": { id: 1 } })
  await screen.press(inbox.addStanding)
  await screen.type(inbox.pattern, pattern)
  const one = { id: 1, pattern, ...terms, until: "2027-06-30", madeBy: "cleo", madeAt: at, endedAt: null }
  const used = { jobs: 1, epsilon: "0.25", delta: "0" }
  screen.server.change({ "GET /api/v1/federation/standing": { items: [{ ...one, used }] } })
  await screen.press(inbox.addStanding)
  const [sent] = screen.server.sentTo("POST /api/v1/federation/standing")
  expect(sent?.body).toMatchObject({ pattern, ...terms })
  expect(screen.text()).toContain(inbox.used("0.25", "1", 1))
  screen.server.change({ "DELETE /api/v1/federation/standing/1": nothing })
  await screen.press(inbox.end)
  expect(screen.server.sentTo("DELETE /api/v1/federation/standing/1")).toHaveLength(1)
})

type Job = Reply<"getJob">
const lena: Me = {
  name: "lena",
  role: "owner",
  rights: ["ask", "see-studies", "operate"],
  by: "session",
  place: "coordinator",
  csrfToken: null,
}
const cell = (value: number) => ({ value, low: value - 5, high: value + 5, state: "released" }) as const
const table = {
  columns: [
    { name: "arm", type: "text", kind: "key" },
    { name: "n", type: "integer", kind: "noisy" },
    { name: "bleeds", type: "integer", kind: "noisy" },
  ],
  rows: [
    { arm: { value: "new", state: "released" }, n: cell(900), bleeds: cell(90) },
    { arm: { value: "old", state: "released" }, n: cell(880), bleeds: cell(130) },
  ],
} satisfies NonNullable<Job["answer"]>
const against = { epsilon: "0.5", delta: "1/100000000" }
const answered: Job = {
  id,
  askedBy: "lena",
  askedAt: at,
  purpose: "to compare hospitals",
  sql: "SELECT arm, COUNT(*) AS n, SUM(bled) AS bleeds FROM patients GROUP BY arm",
  mode: "separate",
  model: null,
  rounds: { done: 1, all: 1 },
  epsilon: "0.5",
  confidence: "0.95",
  threshold: 1,
  phase: "answered",
  step: null,
  until: null,
  why: null,
  sites: [
    { name: "north", progress: "done", why: null },
    { name: "south", progress: "done", why: null },
    { name: "west", progress: "refused", why: "not before the audit" },
  ],
  answer: table,
  bySite: ["north", "south"].map((site) => ({ site, answer: table })),
  receipt: {
    unit: "patient",
    loss: { accounting: "zcdp", amount: "1/200", delta: "0" },
    toPublic: against,
    toSite: { ...against, others: 0 },
    toCoordinator: { ...against, colluding: 1 },
    atSites: [
      { ...against, sites: 1 },
      { epsilon: "1.03", delta: "1/100000000", sites: 2 },
    ],
    survivors: ["north", "south"],
    lost: ["west"],
    honest: 1,
    notes: [],
  },
}
const jobPath = `/jobs/${id.slice(0, 12)}`
const jobRoute = `GET /api/v1/federation/jobs/${id.slice(0, 12)}`

async function openJobs(path: string, replies: Replies): Promise<OpenScreen> {
  return openScreen(<JobsPage />, { me: lena, path, replies })
}

test("the list says of each job how far its sites are", async () => {
  const screen = await openJobs("/jobs", { "GET /api/v1/federation/jobs": { items: [answered] } })
  expect(screen.one("article").textContent).toContain(`2 ${jobs.progress.done}, 1 ${jobs.progress.refused}`)
  expect(screen.one("link", answered.purpose).getAttribute("href")).toBe(jobPath)
})

test("one job: sites with their reasons, the answer, and what it tells of whom at most", async () => {
  const screen = await openJobs(jobPath, { [jobRoute]: answered })
  expect(screen.text()).toContain("not before the audit")
  expect(screen.text()).toContain(jobs.needed(1, 3))
  expect(screen.fact(jobs.toPublic)).toBe(jobs.against("0.5", "1e-8"))
  expect(screen.fact(jobs.atSites(2))).toBe(jobs.against("1.03", "1e-8"))
  expect(screen.fact(jobs.charged)).toBe("ρ 0.005")
  expect(screen.fact(jobs.leftOut)).toBe("west")
  expect(screen.all("row").length).toBeGreaterThanOrEqual(6)
})

test("a job that is open is looked at again by itself", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] })
  try {
    const open = {
      ...answered,
      phase: "summing",
      answer: null,
      bySite: [],
      receipt: null,
      until: at,
    } as const
    const screen = await openJobs(jobPath, { [jobRoute]: open })
    expect(screen.text()).toContain(jobs.noAnswer)
    screen.server.change({ [jobRoute]: answered })
    await act(async () => void vi.advanceTimersByTime(5000))
    await screen.until(() => screen.text().includes(jobs.protects))
  } finally {
    vi.useRealTimers()
  }
})

const coefficient = (name: string, value: number, error: number) => ({
  of: { value: "bled", state: "released" } as const,
  coefficient: { value: name, state: "released" } as const,
  value: { value, low: value - 2 * error, high: value + 2 * error, state: "released" } as const,
  standard_error: { value: error, state: "released" } as const,
})
const fittedTable: NonNullable<Job["answer"]> = {
  columns: [
    { name: "of", type: "text", kind: "key" },
    { name: "coefficient", type: "text", kind: "key" },
    { name: "value", type: "float", kind: "derived" },
    { name: "standard_error", type: "float", kind: "derived" },
  ],
  rows: [
    coefficient("(intercept)", -3, 0.4),
    coefficient("age", 0.02, 0.004),
    coefficient("arm = old", 0.5, 0.1),
  ],
}
const regression: Job = {
  ...answered,
  mode: "summed",
  model: { kind: "logistic", target: "bled", rounds: 20 },
  rounds: { done: 23, all: 23 },
  answer: fittedTable,
  bySite: [],
}

test("a regression shows how many of its sums are made, and then its coefficients", async () => {
  const open = {
    ...regression,
    phase: "summing",
    rounds: { done: 6, all: 23 },
    answer: null,
    receipt: null,
  } as const
  const screen = await openJobs(jobPath, { [jobRoute]: open })
  expect(screen.text()).toContain(jobs.sumOf(7, 23))
  expect(document.querySelector("progress")).toMatchObject({ value: 6, max: 23 })
  const done = await openJobs(jobPath, { [jobRoute]: regression })
  expect(done.text()).toContain(`${jobs.kinds.logistic}: bled`)
  expect(done.text()).toContain("arm = old")
  // Odds ratios; the intercept is none.
  const lines = linesOf(fittedTable, true)
  expect(lines.map(({ name }) => name)).toEqual(["age", "arm = old"])
  expect(lines[1]?.value).toBeCloseTo(1.6487, 3)
  expect(linesOf(fittedTable, false)[1]).toMatchObject({ value: 0.5, low: 0.3, high: 0.7 })
})

test("a job without an answer says why", async () => {
  const why = "too few sites took part for their noise to be enough"
  const failed = { ...answered, phase: "failed", why, answer: null, bySite: [], receipt: null } as const
  expect((await openJobs(jobPath, { [jobRoute]: failed })).text()).toContain(why)
})

test("sites are pooled: what is likely meant is chosen, and the table has weights and all three results", async () => {
  const value = { value: 0.62, low: 0.5, high: 0.8 }
  const pooled: Reply<"poolJob"> = {
    measure: "odds-ratio",
    scale: "logarithm",
    confidence: 0.95,
    sites: [
      { site: "north", ...value, weight: 0.66, sampling: 0.01, noise: 0.001 },
      { site: "south", ...value, weight: 0.34, sampling: 0.02, noise: 0.002 },
    ],
    leftOut: ["west"],
    fixed: value,
    random: value,
    hartungKnapp: { value: 0.62, low: 0.3, high: 1.2 },
    q: 0.42,
    degrees: 1,
    between: 0,
    inconsistency: 0,
  }
  const route = `GET /api/v1/federation/jobs/${id}/pooled`
  const screen = await openJobs(jobPath, { [jobRoute]: answered, [route]: pooled })
  await screen.press(jobs.poolNow)
  expect(screen.server.sentTo(route).map(({ query }) => query)).toEqual([
    { measure: "odds-ratio", count: "n", events: "bleeds", by: "arm", first: "new", second: "old" },
  ])
  expect(screen.text()).toContain("66 %")
  expect(screen.text()).toContain("0.30 – 1.20")
  expect(screen.text()).toContain(jobs.hartungKnapp)
  expect(screen.text()).toContain(jobs.drowned("west"))
})

test("which columns are meant", () => {
  expect(likely(table, "by")).toBe("arm")
  expect(likely(table, "count")).toBe("n")
  expect(likely(table, "events")).toBe("bleeds")
  expect(valuesOf(table, "arm")).toEqual(["new", "old"])
  expect(needsOf("mean")).toEqual(["mean", "variance", "count"])
})

const study: Reply<"getStudyLed"> = {
  study: "heart",
  unit: "patient",
  fingerprint: "1712-2d90-df8d",
  tables: [{ name: "patients", columns: ["id", "sex"] }],
  epsilonDefault: "0.5",
}

test("the sites are asked: what was typed is sent, and the job opens", async () => {
  const route = "POST /api/v1/federation/jobs"
  const screen = await openJobs("/jobs/new", {
    "GET /api/v1/federation/study": study,
    [route]: answered,
    [jobRoute]: answered,
  })
  await screen.type(jobs.question, answered.sql)
  await screen.type(jobs.purpose, answered.purpose)
  await screen.press(jobs.ask)
  expect(screen.server.sentTo(route).map(({ body }) => body)).toEqual([
    { sql: answered.sql, purpose: answered.purpose, mode: "summed", epsilon: "0.5", hours: 168 },
  ])
  expect(location.pathname).toBe(jobPath)
})

test("a regression is asked for with its kind, its column and its rounds", async () => {
  const route = "POST /api/v1/federation/jobs"
  const screen = await openJobs("/jobs/new", {
    "GET /api/v1/federation/study": study,
    [route]: regression,
    [jobRoute]: regression,
  })
  await screen.type(jobs.question, "SELECT age, arm, bled FROM patients")
  await screen.type(jobs.purpose, regression.purpose)
  await screen.press(new RegExp(jobs.mode))
  await screen.press(jobs.modes.model, "option")
  await screen.type(jobs.target, "bled")
  await screen.type(jobs.rounds, "60")
  await screen.press(jobs.ask)
  expect(screen.server.sentTo(route).map(({ body }) => body)).toMatchObject([
    { mode: "summed", model: { kind: "logistic", target: "bled", rounds: 60 } },
  ])
})

test("a site is invited, the invitation is shown once; another one is expelled with reasons", async () => {
  const one: Reply<"listSites">["items"][number] = {
    name: "north",
    state: "enrolled",
    invitedUntil: at,
    fingerprint: "f4af-9211",
    enrolledAt: at,
    seenAt: at,
  }
  const invite = "POST /api/v1/federation/sites"
  const expel = "POST /api/v1/federation/sites/north/expel"
  const screen = await openScreen(<SitesPage />, {
    me: lena,
    replies: {
      "GET /api/v1/federation/study": study,
      "GET /api/v1/federation/sites": { items: [one] },
      [invite]: { invitation: "dosimeter-invitation-1.eyJ", fingerprint: study.fingerprint },
      [expel]: nothing,
    },
  })
  expect(screen.text()).toContain(study.fingerprint)
  await screen.type(sites.name, "south")
  await screen.press(sites.invite)
  expect(screen.server.sentTo(invite).map(({ body }) => body)).toEqual([{ site: "south" }])
  expect(screen.one("status").textContent).toContain("dosimeter-invitation-1.eyJ")
  await screen.press(sites.expel)
  await screen.type(studies.reasons, "The contract is over.")
  await screen.press(sites.expel)
  expect(screen.server.sentTo(expel).map(({ body }) => body)).toEqual([{ reasons: "The contract is over." }])
})
