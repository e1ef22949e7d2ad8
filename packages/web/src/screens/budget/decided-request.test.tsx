// Requests that two people decide about: more budget, and a ledger that is refused. Both have one card.

import { expect, test } from "vitest"
import type { Reply } from "../../api/server.ts"
import type { Me } from "../../parts/browser/session.tsx"
import { catalogues } from "../../strings/use-strings.ts"
import { refusal, type Replies } from "../../testing/fake-server.ts"
import { account, ada, cleo, otto } from "../../testing/house.ts"
import { openScreen } from "../../testing/open-screen.tsx"
import { BudgetRequests } from "./budget-requests.tsx"
import { LedgerTrouble } from "./ledger-trouble.tsx"

type BudgetRequest = Reply<"listBudgetRequests">["items"][number]
type Ledger = Reply<"getLedger">

const { budget, ledger, studies } = catalogues.en
const at = "2026-01-02T00:00:00.000Z"
const ottoAgrees = { name: "otto", role: "owner", decision: "agree", reasons: "They need it.", at } as const

const raise: BudgetRequest = {
  id: 4,
  account: "study:heart",
  epsilon: "1.5",
  delta: "1e-7",
  reasons: "Two more years of data.",
  requestedBy: "ada",
  requestedAt: at,
  state: "open",
  agreements: [],
}

async function requests(me: Me, items: readonly BudgetRequest[], more: Replies = {}) {
  const accounts = [account("study:heart", 0.5, "0.75"), account("analyst:ada", 0.5)]
  return openScreen(<BudgetRequests accounts={accounts} onGranted={() => {}} />, {
    me,
    replies: { "GET /api/v1/budget-requests": { items }, ...more },
  })
}

const isAsked = (screen: Awaited<ReturnType<typeof requests>>): boolean => screen.has("button", budget.agree)

test("a request says for which account, how much in all, by whom, why, and where it stands", async () => {
  const screen = await requests(cleo, [{ ...raise, agreements: [ottoAgrees] }])
  const text = screen.text()
  expect(text).toContain(budget.accountNames.study("heart"))
  expect(text).toContain(budget.requestBy("ada", "1.5"))
  expect(text).toContain(raise.reasons)
  expect(text).toContain(budget.requestStates.open)
  expect(text).toContain(`${budget.agreed("otto")}: They need it.`)
})

test("nobody has asked: that is said, and that two must agree", async () => {
  const screen = await requests(cleo, [])
  expect(screen.text()).toContain(budget.noRequests)
  expect(screen.text()).toContain(budget.twoNeeded)
})

test("whoever may decide and has not is asked; nobody else is", async () => {
  expect(isAsked(await requests(cleo, [raise]))).toBe(true)
  // An analyst decides about no request, the own one included.
  expect(isAsked(await requests(ada, [raise]))).toBe(false)
  expect(isAsked(await requests(otto, [{ ...raise, agreements: [ottoAgrees] }]))).toBe(false)
  expect(isAsked(await requests(otto, [{ ...raise, requestedBy: "otto" }]))).toBe(false)
  expect(isAsked(await requests(cleo, [{ ...raise, state: "granted" }]))).toBe(false)
  expect(isAsked(await requests(cleo, [{ ...raise, state: "refused" }]))).toBe(false)
})

test.each([
  [budget.agree, "agree"],
  [budget.disagree, "refuse"],
] as const)("%s needs reasons, and sends them with the decision", async (button, decision) => {
  const route = "POST /api/v1/budget-requests/4/decide"
  const screen = await requests(cleo, [raise], { [route]: { state: "open" } })
  expect(screen.one("button", button)).toHaveProperty("disabled", true)
  await screen.type(studies.reasons, "  ")
  expect(screen.one("button", button)).toHaveProperty("disabled", true)
  await screen.type(studies.reasons, "In proportion.")
  await screen.press(button)
  expect(screen.server.sentTo(route).map(({ body }) => body)).toEqual([
    { decision, reasons: "In proportion." },
  ])
  expect(screen.server.sentTo("GET /api/v1/budget-requests")).toHaveLength(2)
  expect(screen.text()).toContain(studies.saved)
})

test("a decision that is refused says why, and keeps the reasons", async () => {
  const route = "POST /api/v1/budget-requests/4/decide"
  const screen = await requests(cleo, [raise], { [route]: refusal("raise/agreed-already") })
  await screen.type(studies.reasons, "In proportion.")
  await screen.press(budget.agree)
  expect(screen.one("alert").textContent).toContain("raise/agreed-already")
  expect(screen.one("field", studies.reasons)).toHaveProperty("value", "In proportion.")
})

test.each([
  ["an analyst, so two others must agree", ada, [], budget.raiseDoneByOthers],
  ["the owner, who agrees by asking", otto, [ottoAgrees], budget.raiseDone],
] as const)("more is asked for by %s", async (_, me, agreements, said) => {
  const route = "POST /api/v1/budget-requests"
  const screen = await requests(me, [], { [route]: { ...raise, agreements } })
  await screen.type(budget.raiseAmount, "1.5")
  await screen.type(budget.raiseWhy, "Two more years of data.")
  await screen.press(budget.raise)
  expect(screen.server.sentTo(route).map(({ body }) => body)).toEqual([
    { account: "study:heart", epsilon: "1.5", delta: "1e-6", reasons: "Two more years of data." },
  ])
  expect(screen.text()).toContain(said)
  expect(screen.one("field", budget.raiseAmount)).toHaveProperty("value", "")
})

const refused: Ledger = {
  trouble: { code: "ledger/behind", message: "the anchor is ahead", help: "", decision: "acknowledge" },
  anchor: { kind: "user", inside: false },
  requests: [
    {
      id: 2,
      what: "acknowledge",
      share: "40%",
      trouble: "the anchor is ahead",
      reasons: "A disk was lost.",
      requestedBy: "otto",
      requestedAt: at,
      state: "open",
      agreements: [{ ...ottoAgrees, reasons: "A disk was lost." }],
    },
  ],
}

async function trouble(me: Me, state: Partial<Ledger>, more: Replies = {}) {
  return openScreen(<LedgerTrouble onEntered={() => {}} />, {
    me,
    replies: { "GET /api/v1/ledger": { ...refused, ...state }, ...more },
  })
}

test("a ledger that is refused says why, and what was asked about it", async () => {
  const screen = await trouble(cleo, {})
  const text = screen.one("alert").textContent
  for (const part of [ledger.title, ledger.acknowledge, "the anchor is ahead", "ledger/behind"]) {
    expect(text).toContain(part)
  }
  expect(screen.text()).toContain(ledger.wanted("otto", "40%"))
  expect(screen.text()).toContain(budget.agreed("otto"))
  expect(isAsked(screen)).toBe(true)
  // Whoever asked has agreed, and is not asked again.
  expect(isAsked(await trouble(otto, {}))).toBe(false)
})

test("without a share all of the budget counts as spent", async () => {
  const [request] = refused.requests
  const all = request === undefined ? [] : [{ ...request, share: "" }]
  expect((await trouble(cleo, { requests: all })).text()).toContain(ledger.wanted("otto", ledger.all))
})

test("what was decided before is not asked about any more", async () => {
  const closed = refused.requests.map((request) => ({ ...request, state: "refused" as const }))
  const screen = await trouble(cleo, { requests: closed })
  expect(screen.text()).not.toContain(ledger.wanted("otto", "40%"))
  expect(screen.has("button", ledger.ask)).toBe(true)
})

test.each([
  ["granted", ledger.entered],
  ["open", studies.saved],
] as const)("a decision that leaves it %s says so", async (state, said) => {
  const route = "POST /api/v1/ledger/decisions/2/decide"
  const screen = await trouble(cleo, {}, { [route]: { state } })
  await screen.type(studies.reasons, "I saw the disk.")
  await screen.press(budget.agree)
  expect(screen.server.sentTo(route).map(({ body }) => body)).toEqual([
    { decision: "agree", reasons: "I saw the disk." },
  ])
  expect(screen.text()).toContain(said)
})

test.each([
  ["40%", { share: "40%", reasons: "A disk was lost." }],
  ["", { reasons: "A disk was lost." }],
] as const)("a decision is asked for with the share %j", async (share, sent) => {
  const route = "POST /api/v1/ledger/decisions"
  const screen = await trouble(otto, { requests: [] }, { [route]: refused.requests[0] })
  await screen.type(ledger.share, share)
  await screen.type(budget.raiseWhy, "A disk was lost.")
  await screen.press(ledger.ask)
  expect(screen.server.sentTo(route).map(({ body }) => body)).toEqual([sent])
  expect(screen.text()).toContain(ledger.asked)
})

test("what people cannot decide is the operator's, and a sound ledger is silent", async () => {
  const fatal = { code: "ledger/broken", message: "a hash is wrong", help: "", decision: null }
  const screen = await trouble(cleo, { trouble: fatal })
  expect(screen.one("alert").textContent).toContain(ledger.other)
  expect(screen.has("button", ledger.ask)).toBe(false)
  expect((await trouble(cleo, { trouble: null })).text()).toBe("")
  const inside = await trouble(cleo, { trouble: null, anchor: { kind: "user", inside: true } })
  expect(inside.text()).toBe(ledger.inside)
})

test("an analyst is not told, and not even asked for", async () => {
  const screen = await trouble(ada, {})
  expect(screen.text()).toBe("")
  expect(screen.server.sentTo("GET /api/v1/ledger")).toEqual([])
})
