// What waits for the committee, loaded: studies, and answers that wait for an approval.

import { expect, test } from "vitest"
import type { Reply } from "../../api/server.ts"
import type { Study } from "../../parts/studies/study-facts.tsx"
import type { Me } from "../../parts/browser/session.tsx"
import { catalogues } from "../../strings/use-strings.ts"
import { nothing, refusal, type Replies } from "../../testing/fake-server.ts"
import { cleo, otto } from "../../testing/house.ts"
import { openScreen } from "../../testing/open-screen.tsx"
import { receipt } from "../../testing/receipt.ts"
import { heart } from "../../testing/studies.ts"
import { ReviewsPage } from "./reviews.tsx"

type Held = Reply<"listHeld">["items"][number]

const { reviews, releases, studies, incidents, ask } = catalogues.en
const waitingStudy: Study = { ...heart, state: "submitted", reviews: [] }

async function open(items: readonly Study[], held: readonly Held[] = [], more: Replies = {}, me: Me = cleo) {
  return openScreen(<ReviewsPage />, {
    me,
    replies: { "GET /api/v1/studies": { items }, "GET /api/v1/airlock": { items: held }, ...more },
  })
}

test("nothing waits: that is said, and nothing is shown of the airlock", async () => {
  const screen = await open([{ ...heart, state: "active" }])
  expect(screen.text()).toContain(reviews.empty)
  expect(screen.has("heading", reviews.airlock)).toBe(false)
})

test("a study that waits shows what it asks for, what to check, and the form", async () => {
  const screen = await open([waitingStudy])
  const card = screen.one("article").textContent
  expect(card).toContain(waitingStudy.summary)
  expect(screen.fact(studies.epsilon)).toBe(waitingStudy.epsilon)
  for (const check of reviews.checks) expect(card).toContain(check)
  expect(screen.one("button", reviews.approve)).toHaveProperty("disabled", true)
})

test("nobody judges their own study, nor twice", async () => {
  expect((await open([{ ...waitingStudy, people: ["cleo"] }])).has("article")).toBe(false)
  const judged = {
    reviewer: "cleo",
    decision: "approve",
    reasons: "Good.",
    at: heart.reviews[0]?.at ?? "",
  } as const
  const screen = await open([{ ...waitingStudy, reviews: [judged] }])
  expect(screen.text()).toContain(reviews.reviewedByYou)
  expect(screen.has("button", reviews.approve)).toBe(false)
})

test.each([
  [reviews.approve, "approve"],
  [reviews.refuse, "refuse"],
] as const)(
  "%s sends the decision with its reasons, and the study goes from the list",
  async (button, decision) => {
    const route = "POST /api/v1/studies/heart/reviews"
    const screen = await open([waitingStudy], [], { [route]: waitingStudy })
    await screen.type(studies.reasons, "It fits the purpose.")
    screen.server.change({ "GET /api/v1/studies": { items: [] } })
    await screen.press(button)
    expect(screen.server.sentTo(route).map(({ body }) => body)).toEqual([
      { decision, reasons: "It fits the purpose." },
    ])
    expect(screen.text()).toContain(reviews.done(heart.title))
    expect(screen.text()).toContain(reviews.empty)
  },
)

test("a review that is refused stays on the screen, with why", async () => {
  const screen = await open([waitingStudy], [], {
    "POST /api/v1/studies/heart/reviews": refusal("study/own"),
  })
  await screen.type(studies.reasons, "It fits.")
  await screen.press(reviews.approve)
  expect(screen.one("alert").textContent).toContain("study/own")
  expect(screen.one("field", studies.reasons)).toHaveProperty("value", "It fits.")
})

const held: Held = {
  study: "heart",
  release: "7",
  state: "waiting",
  failed: false,
  askedBy: "ada",
  askedAt: "2026-01-03T00:00:00.000Z",
  question: "SELECT COUNT(*) AS n FROM person",
  reviewer: null,
  reasons: null,
  reviewedAt: null,
}
const table = {
  columns: [{ name: "n", type: "integer", kind: "noisy" }],
  rows: [{ n: { value: 120, low: 100, high: 140, state: "released" } }],
}
const heldRoute = "GET /api/v1/airlock/7"

test("an answer that waits says who asked what, and is shown when somebody looks, as it would leave", async () => {
  const ninety = { ...receipt, confidence: "0.9" }
  const screen = await open([], [held], { [heldRoute]: { ...held, answer: table, receipt: ninety } })
  expect(screen.one("article").textContent).toContain(reviews.askedBy("ada", "heart"))
  expect(screen.one("article").textContent).toContain(held.question)
  expect(screen.server.sentTo(heldRoute)).toEqual([])
  await screen.press(reviews.look)
  expect(screen.server.sentTo(heldRoute).map(({ query }) => query)).toEqual([{ study: "heart" }])
  expect(screen.one("article").textContent).toContain("between 100 and 140, 90 % sure")
})

test("several tables of one question are all shown", async () => {
  const second = {
    ...table,
    columns: [{ name: "m", type: "integer", kind: "noisy" }],
    rows: [{ m: { value: 5, state: "released" } }],
  }
  const screen = await open([], [held], { [heldRoute]: { ...held, answer: [table, second], receipt } })
  await screen.press(reviews.look)
  expect(screen.text()).toContain("n\n120")
  expect(screen.text()).toContain("m\n5")
  expect(screen.text()).not.toContain(`${ask.result}\n${ask.result}`)
})

test("what was decided before does not wait, and what failed is said to have failed", async () => {
  const approved = { ...held, state: "approved" } as const
  expect((await open([], [approved])).has("article")).toBe(false)
  expect((await open([], [{ ...held, failed: true }])).text()).toContain(incidents.failed)
  expect((await open([], [held])).text()).not.toContain(incidents.failed)
})

test("letting one leave sends the study with the decision, and it waits no longer", async () => {
  const route = "POST /api/v1/airlock/7/review"
  const screen = await open([], [held], { [route]: nothing })
  await screen.type(studies.reasons, "Nobody can be found in it.")
  screen.server.change({ "GET /api/v1/airlock": { items: [] } })
  await screen.press(reviews.approve)
  expect(screen.server.sentTo(route).map(({ body }) => body)).toEqual([
    { decision: "approve", reasons: "Nobody can be found in it.", study: "heart" },
  ])
  expect(screen.text()).toContain(reviews.done(releases.one("7")))
  expect(screen.has("article")).toBe(false)
})

test("the airlock is asked for by those who may open it", async () => {
  const reader = { ...otto, rights: otto.rights.filter((right) => right !== "review-releases") }
  const screen = await open([], [held], {}, reader)
  expect(screen.server.sentTo("GET /api/v1/airlock")).toEqual([])
  expect(screen.has("article")).toBe(false)
})
