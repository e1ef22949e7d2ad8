// The budget, loaded: meters and promises against the accounts, and how they were spent.

import { expect, test } from "vitest"
import type { Reply } from "../../api/server.ts"
import { catalogues } from "../../strings/use-strings.ts"
import { refusal, type Replies, type Sent } from "../../testing/fake-server.ts"
import { account, ada, otto } from "../../testing/house.ts"
import { openScreen } from "../../testing/open-screen.tsx"
import { languages } from "../../testing/shown.tsx"
import { BudgetPage } from "./budget.tsx"

type Charge = Reply<"budgetHistory">["items"][number]

const { budget, meter, consent, studies, app } = catalogues.en
const historyRoute = "GET /api/v1/budget/dataset/history"

function charge(position: number, share: number): Charge {
  return {
    position,
    at: `2026-01-0${position}T00:00:00.000Z`,
    amount: "0.01",
    delta: "0",
    total: "0.01",
    totalDelta: "0",
    epsilon: "0.5",
    used: { share, loss: share, delta: 0, first: "loss" },
  }
}

function replies(accounts: readonly ReturnType<typeof account>[], charges: readonly Charge[] = []): Replies {
  return {
    "GET /api/v1/budget": { dataset: "clinic", accounts },
    [historyRoute]: { items: charges, next: null },
    "GET /api/v1/budget-requests": { items: [] },
  }
}

test.each(languages)("the promise and the meter are those of the dataset's account: %s", async (language) => {
  const said = catalogues[language]
  const screen = await openScreen(<BudgetPage />, {
    me: ada,
    language,
    replies: replies([account("dataset", 0.25)]),
  })
  expect(screen.text()).toContain(said.budget.promise("3", "1e-6"))
  expect(screen.text()).toContain(said.meter.defaultFits("4"))
  expect(screen.one("meter").textContent).toContain(said.meter.ofEpsilon("0.75", "3"))
  expect(screen.one("meter").getAttribute("aria-valuetext")).toBe(said.meter.textShort("25 %", "75 %"))
})

test("when no question of the default price fits, that is said", async () => {
  const spent = { ...account("dataset", 1), defaultQuestionsLeft: 0 }
  const screen = await openScreen(<BudgetPage />, { me: ada, replies: replies([spent]) })
  expect(screen.text()).toContain(meter.defaultFitsNone)
  expect(screen.text()).not.toContain(meter.defaultFits("0"))
})

test("nothing spent has no odds and no staircase", async () => {
  const screen = await openScreen(<BudgetPage />, { me: ada, replies: replies([account("dataset", 0)]) })
  expect(screen.text()).not.toContain(consent.oddsLead)
  expect(screen.text()).toContain(budget.none)
})

test("what was spent has its odds, and a step for each charge, of all pages", async () => {
  const pages = ({ query }: Sent) =>
    query["after"] === undefined
      ? { items: [charge(1, 0.1), charge(2, 0.2)], next: "2" }
      : { items: [charge(3, 0.25)], next: null }
  const screen = await openScreen(<BudgetPage />, {
    me: ada,
    replies: { ...replies([account("dataset", 0.25)]), [historyRoute]: pages },
  })
  expect(screen.server.sentTo(historyRoute).map(({ query }) => query)).toEqual([
    { limit: "1000" },
    { limit: "1000", after: "2" },
  ])
  expect(screen.text()).toContain(consent.oddsLead)
  expect(screen.text()).toContain(budget.burnDownText("3"))
})

test("studies and analysts have their own meters; a study leads to its screen", async () => {
  const accounts = [account("dataset", 0.1), account("study:heart", 0.5), account("analyst:ada", 0.75)]
  const screen = await openScreen(<BudgetPage />, { me: ada, replies: replies(accounts) })
  expect(screen.all("meter").map((one) => one.getAttribute("aria-valuetext"))).toEqual([
    meter.textShort("10 %", "90 %"),
    meter.textShort("50 %", "50 %"),
    meter.textShort("75 %", "25 %"),
  ])
  expect(screen.one("heading", budget.studies).tagName).toBe("H2")
  expect(screen.one("heading", budget.analysts).tagName).toBe("H2")
  expect(screen.one("link", studies.look).getAttribute("href")).toBe("/studies/heart")
})

test("whoever sees the dataset only sees no empty lists of parts", async () => {
  const screen = await openScreen(<BudgetPage />, { me: ada, replies: replies([account("dataset", 0.1)]) })
  for (const title of [budget.studies, budget.analysts, budget.requests]) {
    expect(screen.has("heading", title)).toBe(false)
  }
})

test("a history that cannot be read leaves the meter, and is read again on demand", async () => {
  const screen = await openScreen(<BudgetPage />, {
    me: ada,
    replies: { ...replies([account("dataset", 0.1)]), [historyRoute]: refusal("budget/hidden") },
  })
  expect(screen.one("alert").textContent).toContain("budget/hidden")
  expect(screen.has("meter")).toBe(true)
  screen.server.change(replies([], [charge(1, 0.1)]))
  await screen.press(app.tryAgain)
  expect(screen.text()).toContain(budget.burnDownText("1"))
})

const { incidents } = catalogues.en
const noLedgerTrouble = {
  "GET /api/v1/ledger": { trouble: null, anchor: { kind: "user", inside: false }, requests: [] },
}
const incident = {
  position: 12,
  at: "2026-01-05T00:00:00.000Z",
  charge: 11,
  cause: "database",
  principal: "ada",
  study: null,
  planHash: "ab",
  question: null,
  closes: "door",
  seen: null,
} as const

async function alarm(items: readonly object[], more: Replies = {}) {
  return openScreen(<BudgetPage />, {
    me: otto,
    replies: {
      ...replies([account("dataset", 0.1)]),
      ...noLedgerTrouble,
      "GET /api/v1/incidents": { items },
      ...more,
    },
  })
}

test("an incident says its cause, whose door it closes, and where it stands in the ledger", async () => {
  const screen = await alarm([incident])
  const text = screen.one("alert").textContent
  for (const part of [
    incidents.title,
    incidents.causes.database,
    incidents.one("12"),
    incidents.closesDoor("ada"),
  ]) {
    expect(text).toContain(part)
  }
})

test("one of a study closes its approvals, and shows the question where it is kept", async () => {
  const held = { ...incident, study: "heart", closes: "approvals", question: "SELECT 1" }
  const text = (await alarm([held])).one("alert").textContent
  expect(text).toContain(incidents.closesApprovals("heart"))
  expect(text).toContain("SELECT 1")
  expect(text).not.toContain(incidents.closesDoor("ada"))
})

test("what an owner has acknowledged is no alarm any more, and analysts are not asked about it", async () => {
  const seen = { at: incident.at, by: ["otto"], why: "a full disk" }
  expect((await alarm([{ ...incident, closes: null, seen }])).has("alert")).toBe(false)
  const analyst = await openScreen(<BudgetPage />, { me: ada, replies: replies([account("dataset", 0.1)]) })
  expect(analyst.server.sentTo("GET /api/v1/incidents")).toEqual([])
})

test("acknowledging needs a reason, sends it, and the alarm goes", async () => {
  const route = "POST /api/v1/incidents/12/acknowledgement"
  const screen = await alarm([incident], { [route]: () => new Response(null, { status: 204 }) })
  await screen.press(incidents.acknowledge)
  expect(screen.one("dialog").textContent).toContain(incidents.sure)
  expect(screen.one("button", incidents.acknowledge)).toHaveProperty("disabled", true)
  await screen.type(incidents.reason, " a full disk ")
  screen.server.change({ "GET /api/v1/incidents": { items: [{ ...incident, closes: null }] } })
  await screen.press(incidents.acknowledge)
  expect(screen.server.sentTo(route).map(({ body }) => body)).toEqual([{ reason: "a full disk" }])
  expect(screen.has("dialog")).toBe(false)
  expect(screen.has("alert")).toBe(false)
})
