// The list of campaigns, and the form that plans one with its forecast beside it.

import { expect, test } from "vitest"
import { catalogues } from "../../strings/use-strings.ts"
import { refusal, type Replies } from "../../testing/fake-server.ts"
import { ada, otto } from "../../testing/house.ts"
import { openScreen } from "../../testing/open-screen.tsx"
import { forecastOf, type CampaignDraft } from "./campaign-plan.ts"
import { CampaignsPage } from "./campaigns.tsx"

const { campaigns } = catalogues.en

test("no campaigns: the owner plans one, others are told who does", async () => {
  const none: Replies = { "GET /api/v1/campaigns": { items: [] } }
  const owner = await openScreen(<CampaignsPage />, { me: otto, replies: none })
  expect(owner.text()).toContain(campaigns.emptyHelp)
  expect(owner.all("link", campaigns.plan).map((link) => link.getAttribute("href"))).toEqual([
    "/campaigns?plan",
    "/campaigns?plan",
  ])
  const analyst = await openScreen(<CampaignsPage />, { me: ada, replies: none })
  expect(analyst.has("link", campaigns.plan)).toBe(false)
})

const shared = {
  summary: "Who was ill.",
  epsilon: "1",
  questions: [{ kind: "choice", name: "fever", text: "Fever?", options: ["yes", "no"] }],
  people: 1000,
  reportsMax: 2000,
  halfWidthMax: 0.1,
  reports: 0,
  createdBy: "otto",
  createdAt: "2026-01-01T00:00:00.000Z",
  certificate: { protocol: "p", ratio: "3/1", epsilon: 1, probabilities: {}, bytes: 1, parameters: "x" },
  snippet: "",
}

test("the newest campaign comes first, each with its state and its reports", async () => {
  const screen = await openScreen(<CampaignsPage />, {
    me: ada,
    replies: {
      "GET /api/v1/campaigns": {
        items: [
          { ...shared, id: "old", title: "Old", state: "closed", reports: 12 },
          { ...shared, id: "new", title: "New", state: "open" },
        ],
      },
    },
  })
  const cards = screen.all("article").map(({ textContent }) => textContent)
  expect(cards[0]).toContain(`New${campaigns.states.open}`)
  expect(cards[1]).toContain(`Old${campaigns.states.closed}`)
  expect(cards[1]).toContain(campaigns.reports("12", "1,000"))
  expect(screen.one("link", "New").getAttribute("href")).toBe("/campaigns/new")
})

async function plan(replies: Replies = {}) {
  const made = { ...shared, id: "winter", title: "Winter", state: "draft" }
  const screen = await openScreen(<CampaignsPage />, {
    me: otto,
    path: "/campaigns?plan",
    replies: {
      "POST /api/v1/campaigns": made,
      "GET /api/v1/campaigns/winter": made,
      "GET /api/v1/campaigns/winter/estimates": { confidence: 0.95, items: [] },
      ...replies,
    },
  })
  await screen.type(campaigns.name, "Winter")
  await screen.type(campaigns.summary, "Who was ill.")
  await screen.type(campaigns.questionText, "Fever?")
  return screen
}

const draft: CampaignDraft = {
  title: "Winter",
  id: "",
  summary: "Who was ill.",
  epsilon: "1",
  people: "1000",
  widest: "10",
  questions: [{ key: 1, kind: "choice", text: "Fever?", options: "yes\nno", low: "", high: "" }],
}

/** The half-width that the form shows. */
function widthOf(typed: CampaignDraft): string {
  const forecast = forecastOf(typed)
  if (forecast.kind !== "ready") throw new Error(`the draft is ${forecast.kind}`)
  return (forecast.questions[0]?.halfWidth ?? 0).toLocaleString("en", { maximumSignificantDigits: 3 })
}

test("a plan that is not finished has no forecast, and cannot be sent", async () => {
  const screen = await plan()
  expect(screen.text()).toContain(campaigns.fillIn)
  expect(screen.one("button", campaigns.plan)).toHaveProperty("disabled", true)
  await screen.type(campaigns.options, "yes\nyes")
  expect(screen.text()).toContain(campaigns.sameNames)
  expect(screen.one("button", campaigns.plan)).toHaveProperty("disabled", true)
})

test("the forecast is the planner's, and the plan is sent as typed", async () => {
  const screen = await plan()
  await screen.type(campaigns.options, "yes\n no \n")
  expect(screen.text()).toContain(campaigns.share(widthOf(draft)))
  await screen.press(campaigns.plan)
  expect(screen.server.sentTo("POST /api/v1/campaigns").map(({ body }) => body)).toEqual([
    {
      id: "winter",
      title: "Winter",
      summary: "Who was ill.",
      epsilon: "1",
      people: 1000,
      halfWidthMax: 0.1,
      questions: [{ kind: "choice", name: "fever", text: "Fever?", options: ["yes", "no"] }],
    },
  ])
  expect(location.pathname).toBe("/campaigns/winter")
})

test("one that cannot answer its questions says what would help, and help it does", async () => {
  const screen = await plan()
  await screen.type(campaigns.options, "yes\nno")
  await screen.type(campaigns.people, "50")
  const forecast = forecastOf({ ...draft, people: "50" })
  const needed = forecast.kind === "ready" ? (forecast.needed?.people ?? 0) : 0
  expect(screen.one("status").textContent).toContain(campaigns.askMore(needed.toLocaleString("en")))
  expect(screen.one("button", campaigns.plan)).toHaveProperty("disabled", true)
  await screen.type(campaigns.people, `${needed}`)
  expect(screen.has("status")).toBe(false)
  expect(screen.one("button", campaigns.plan)).toHaveProperty("disabled", false)
})

test("an epsilon that is no number is refused before it is sent, and the field keeps it", async () => {
  const screen = await plan()
  await screen.type(campaigns.options, "yes\nno")
  await screen.type(campaigns.epsilon, "much")
  expect(screen.text()).not.toContain(campaigns.share(widthOf(draft)))
  expect(screen.one("button", campaigns.plan)).toHaveProperty("disabled", true)
  expect(screen.one("field", campaigns.epsilon)).toHaveProperty("value", "much")
})

test("questions are added and removed; the only one stays; several share the people", async () => {
  const screen = await plan()
  const remove = `${campaigns.remove}: ${campaigns.question("2")}`
  expect(screen.has("button", new RegExp(`^${campaigns.remove}`))).toBe(false)
  expect(screen.text()).not.toContain(campaigns.eachOne)
  await screen.press(campaigns.add)
  expect(screen.all("field", campaigns.questionText)).toHaveLength(2)
  expect(screen.text()).toContain(campaigns.eachOne)
  await screen.press(remove)
  expect(screen.all("field", campaigns.questionText)).toHaveLength(1)
  expect(screen.one("field", campaigns.questionText)).toHaveProperty("value", "Fever?")
})

test("a number has two ends in place of answers, and the lowest must be below the highest", async () => {
  const screen = await plan()
  await screen.press(campaigns.kinds.number, "radio")
  expect(screen.has("field", campaigns.options)).toBe(false)
  await screen.type(campaigns.low, "5")
  await screen.type(campaigns.high, "1")
  expect(screen.text()).toContain(campaigns.badEnds)
  await screen.type(campaigns.high, "30")
  const typed = {
    ...draft,
    questions: [{ key: 1, kind: "number", text: "Fever?", options: "", low: "5", high: "30" }],
  } as const
  expect(screen.text()).toContain(campaigns.mean(widthOf(typed)))
})

test("what the server refuses is shown beside the plan", async () => {
  const screen = await plan({ "POST /api/v1/campaigns": refusal("campaign/taken", { kind: "invalid" }) })
  await screen.type(campaigns.options, "yes\nno")
  await screen.press(campaigns.plan)
  expect(screen.one("alert").textContent).toContain("campaign/taken")
})
