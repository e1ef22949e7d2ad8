// One study, loaded: what it says, its share of the budget, and what each person can do with it.

import { expect, test } from "vitest"
import type { Me } from "../../parts/browser/session.tsx"
import type { Study } from "../../parts/studies/study-facts.tsx"
import { catalogues } from "../../strings/use-strings.ts"
import { refusal, type Replies } from "../../testing/fake-server.ts"
import { account, ada, cleo, otto } from "../../testing/house.ts"
import { openScreen } from "../../testing/open-screen.tsx"
import { languages } from "../../testing/shown.tsx"
import { heart } from "../../testing/studies.ts"
import { StudiesPage } from "./studies.tsx"

const { studies, meter, app } = catalogues.en

function replies(study: Study, ...accounts: readonly ReturnType<typeof account>[]): Replies {
  return {
    "GET /api/v1/studies/heart": study,
    "GET /api/v1/budget": { dataset: "clinic", accounts },
  }
}

async function open(changes: Partial<Study> = {}, me: Me = ada, more: Replies = {}) {
  const study = { ...heart, ...changes }
  const all = { ...replies(study, account("study:heart", 0.5, "0.75")), ...more }
  return openScreen(<StudiesPage />, { me, path: "/studies/heart", replies: all })
}

test.each(languages)("a study says purposes, people, days and its share: %s", async (language) => {
  const { studies: said, purposes } = catalogues[language]
  const screen = await openScreen(<StudiesPage />, {
    me: ada,
    path: "/studies/heart",
    language,
    replies: replies(heart),
  })
  expect(screen.one("heading", heart.title).tagName).toBe("H1")
  expect(screen.text()).toContain(heart.summary)
  expect(screen.fact(said.purposes)).toContain(purposes["DUO:0000006"].name)
  // A code that this page does not know is shown as it is.
  expect(screen.fact(said.purposes)).toContain("XYZ:1")
  expect(screen.fact(said.members)).toBe(`ada, bob (${said.proposedBy("ada")})`)
  expect(screen.fact(said.starts)).toBe(heart.starts)
  expect(screen.fact(said.ends)).toBe(heart.ends)
  expect(screen.fact(said.epsilon)).toBe(heart.epsilon)
  expect(screen.fact(said.delta)).toBe(heart.delta)
  expect(screen.fact(said.leaves)).toBe(said.leavesAtOnce)
  expect(screen.text()).toContain(said.approves("cleo"))
  expect(screen.text()).toContain("In proportion.")
})

test("the meter shows the study's own account", async () => {
  const accounts = [account("dataset", 0.1), account("study:other", 0.9), account("study:heart", 0.5, "0.75")]
  const screen = await openScreen(<StudiesPage />, {
    me: ada,
    path: "/studies/heart",
    replies: replies(heart, ...accounts),
  })
  expect(screen.one("meter").textContent).toContain(meter.ofEpsilon("0.375", "0.75"))
  expect(screen.one("meter").getAttribute("aria-valuetext")).toBe(meter.textShort("50 %", "50 %"))
})

test.each([
  ["draft", true],
  ["submitted", true],
  ["approved", true],
  ["active", false],
  ["refused", false],
  ["closed", false],
] as const)(
  "a study that is %s and whose account is not seen promises a share: %s",
  async (state, isSaid) => {
    const screen = await openScreen(<StudiesPage />, {
      me: ada,
      path: "/studies/heart",
      replies: replies({ ...heart, state }),
    })
    expect(screen.text().includes(studies.noBudget)).toBe(isSaid)
    expect(screen.text()).toContain(studies.states[state])
  },
)

test("nobody has reviewed it, no summary, an airlock: each is said", async () => {
  const screen = await open({ reviews: [], summary: "", airlock: true })
  expect(screen.text()).toContain(studies.noReviews)
  expect(screen.text()).toContain(studies.noSummary)
  expect(screen.fact(studies.leaves)).toBe(studies.airlock)
})

test("a refusal of a reviewer is not shown as an approval", async () => {
  const reviews = [
    { reviewer: "cleo", decision: "refuse", reasons: "No.", at: "2026-01-02T00:00:00.000Z" },
  ] as const
  const screen = await open({ reviews, state: "refused" })
  expect(screen.text()).toContain(studies.refuses("cleo"))
  expect(screen.text()).not.toContain(studies.approves("cleo"))
})

const moves = [studies.submit, studies.activate, studies.suspend, studies.resume, studies.close]
const cases: readonly (readonly [string, Partial<Study>, Me, readonly string[]])[] = [
  ["a member hands in a draft", { state: "draft" }, ada, [studies.submit]],
  ["the owner does not hand in the draft of others", { state: "draft" }, otto, []],
  ["nobody moves what is in review", { state: "submitted" }, ada, []],
  ["the owner opens what is approved", { state: "approved" }, otto, [studies.activate]],
  ["a member does not open it", { state: "approved" }, ada, []],
  ["a member closes what is open", {}, ada, [studies.close]],
  ["the owner suspends and closes", {}, otto, [studies.suspend, studies.close]],
  ["the committee suspends", {}, cleo, [studies.suspend]],
  ["the committee lets it go on", { suspended: true }, cleo, [studies.resume]],
  ["nobody moves what is closed", { state: "closed" }, otto, []],
]

test.each(cases)("%s", async (_, changes, me, wanted) => {
  const screen = await open(changes, me)
  expect(moves.filter((name) => screen.has("button", name))).toEqual(wanted)
})

test("members ask in a study that is open, and nobody in one that is suspended", async () => {
  const member = await open()
  expect(member.one("link", studies.askIn).getAttribute("href")).toBe("/ask?study=heart")
  expect((await open({ suspended: true })).has("link", studies.askIn)).toBe(false)
  expect((await open({}, otto)).has("link", studies.askIn)).toBe(false)
})

test("a draft is handed in at once, and the screen shows where it stands then", async () => {
  const screen = await open({ state: "draft" }, ada, {
    "POST /api/v1/studies/heart/submit": { ...heart, state: "submitted" },
  })
  screen.server.change({ "GET /api/v1/studies/heart": { ...heart, state: "submitted" } })
  await screen.press(studies.submit)
  expect(screen.server.sentTo("POST /api/v1/studies/heart/submit")).toHaveLength(1)
  expect(screen.text()).toContain(studies.states.submitted)
  expect(screen.has("button", studies.submit)).toBe(false)
  expect(screen.text()).toContain(studies.saved)
})

test("closing asks first; Escape leaves the study open", async () => {
  const screen = await open()
  await screen.press(studies.close)
  expect(screen.one("dialog").textContent).toContain(studies.closeSure)
  await screen.key("Escape")
  expect(screen.has("dialog")).toBe(false)
  expect(screen.server.sentTo("POST /api/v1/studies/heart/close")).toEqual([])
})

test("suspending sends the reasons, to everybody's eyes", async () => {
  const route = "POST /api/v1/studies/heart/suspend"
  const screen = await open({}, cleo, { [route]: { ...heart, suspended: true } })
  await screen.press(studies.suspend)
  await screen.type(studies.reasons, "Too many questions.")
  expect(screen.one("dialog").textContent).toContain(studies.reasonsHelp)
  screen.server.change({ "GET /api/v1/studies/heart": { ...heart, suspended: true } })
  await screen.press(studies.suspend)
  expect(screen.server.sentTo(route).map(({ body }) => body)).toEqual([{ reasons: "Too many questions." }])
  expect(screen.has("dialog")).toBe(false)
  expect(screen.text()).toContain(studies.suspended)
})

test("a move that is refused says so in the dialog, which stays", async () => {
  const route = "POST /api/v1/studies/heart/close"
  const screen = await open({}, ada, { [route]: refusal("study/not-yours") })
  await screen.press(studies.close)
  await screen.press(studies.close)
  expect(screen.one("dialog").textContent).toContain("study/not-yours")
  expect(screen.all("alert")).toHaveLength(1)
  await screen.press(app.cancel)
  expect(screen.has("dialog")).toBe(false)
})
