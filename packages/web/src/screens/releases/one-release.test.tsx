// One release, loaded: every statement about it is compared with the receipt and the ledger's entry.

import { expect, test } from "vitest"
import type { Reply } from "../../api/server.ts"
import { catalogues, locales } from "../../strings/use-strings.ts"
import { nothing, refusal, unreachable, type Replies } from "../../testing/fake-server.ts"
import { ada, cleo, otto } from "../../testing/house.ts"
import { openScreen } from "../../testing/open-screen.tsx"
import { receipt } from "../../testing/receipt.ts"
import { languages } from "../../testing/shown.tsx"
import { ReleasesPage } from "./releases.tsx"

type Release = Reply<"getRelease">

const { releases, ask, app, trouble } = catalogues.en

const answer = {
  columns: [
    { name: "sex", type: "text", kind: "key" },
    { name: "n", type: "integer", kind: "noisy" },
  ],
  rows: [
    { sex: { value: "f", state: "released" }, n: { value: 120, low: 100, high: 140, state: "released" } },
    { sex: { value: "m", state: "released" }, n: { value: null, state: "below-threshold" } },
  ],
} as const

const release: Release = {
  position: 7,
  at: receipt.ledger.at,
  principal: "ada",
  study: "heart",
  planHash: receipt.planHash,
  outcome: "released",
  held: false,
  accounting: "zcdp",
  amount: "0.125",
  delta: "0",
  epsilon: "0.5",
  title: null,
  question: "SELECT sex, COUNT(*) AS n FROM person GROUP BY sex",
  questionWithheld: false,
  answer,
  answers: [answer],
  series: null,
  receipt,
}

function replies(changes: Partial<Release> = {}): Replies {
  return { "GET /api/v1/releases/7": { ...release, ...changes } }
}

const at = { me: ada, path: "/releases/7" } as const

test.each(languages)("the facts are those of the receipt: %s", async (language) => {
  const { releases: said, ask: asked, data } = catalogues[language]
  const screen = await openScreen(<ReleasesPage />, { ...at, language, replies: replies() })
  expect(screen.one("heading", said.one("7")).tagName).toBe("H1")
  expect(screen.fact(said.cost)).toBe(said.costAlone(receipt.epsilon, receipt.loss.words))
  expect(screen.fact(said.when)).toBe(new Date(receipt.ledger.at).toLocaleString(locales[language]))
  expect(screen.fact(said.who)).toBe(release.principal)
  expect(screen.fact(said.study)).toBe(release.study)
  expect(screen.fact(said.plan)).toBe(receipt.planHash)
  expect(screen.fact(said.ledger)).toBe(`${receipt.id}, ${receipt.ledger.hash}`)
  expect(screen.fact(said.software)).toBe(receipt.library)
  expect(screen.fact(said.publicParts)).toBe(receipt.public.join("; "))
  const [{ groupsPerUnit, rowsPerGroup }] = receipt.bounding
  expect(screen.fact(asked.bounding)).toContain(`${groupsPerUnit}, rows per group ${rowsPerGroup}`)
  expect(screen.fact(said.protects)).toContain(data.protects(receipt.unit))
  expect(screen.fact(said.protects)).toContain(data.neighbours[receipt.neighbours])
})

test("the answer has every row, its intervals at the receipt's confidence, and what is below the threshold", async () => {
  const ninety = { ...receipt, confidence: "0.9" }
  const screen = await openScreen(<ReleasesPage />, { ...at, replies: replies({ receipt: ninety }) })
  expect(screen.all("row").map(({ textContent }) => textContent)).toEqual([
    "f120 ± 20, between 100 and 140, 90 % sure",
    "mbelow threshold",
  ])
  expect(screen.text()).toContain(ask.sure("90 %"))
  expect(screen.text()).not.toContain("95 %")
})

test("a receipt that this page cannot read makes it claim no confidence, and no agreement", async () => {
  const newer = { ...receipt, format: "dosimeter-receipt/9" }
  const screen = await openScreen(<ReleasesPage />, { ...at, replies: replies({ receipt: newer }) })
  expect(screen.text()).toContain("between 100 and 140")
  expect(screen.text()).not.toMatch(/% sure|confidence/)
  for (const claim of [releases.verified, releases.unverified]) expect(screen.text()).not.toContain(claim)
})

test("what agrees with the ledger is said to agree", async () => {
  const screen = await openScreen(<ReleasesPage />, { ...at, replies: replies() })
  expect(screen.one("status").textContent).toBe(releases.verified)
})

const wrong: readonly (readonly [string, Partial<Release>])[] = [
  ["another place", { receipt: { ...receipt, ledger: { ...receipt.ledger, position: "8" } } }],
  ["another plan", { planHash: "ac" }],
  ["another time", { at: "2026-01-01T00:00:00.001Z" }],
  ["another loss", { amount: "0.126" }],
  ["a loss that cannot be read", { receipt: { ...receipt, loss: { ...receipt.loss, amount: "much" } } }],
  ["another way of adding up", { accounting: "gdp" }],
  ["another delta", { receipt: { ...receipt, loss: { ...receipt.loss, delta: "1e-9" } } }],
]

test.each(wrong)("a receipt with %s is said not to agree", async (_, changes) => {
  const screen = await openScreen(<ReleasesPage />, { ...at, replies: replies(changes) })
  expect(screen.one("status").textContent).toBe(releases.unverified)
  expect(screen.text()).not.toContain(releases.verified)
})

test("a loss without an epsilon of its own is shown in the measure that is added up", async () => {
  const screen = await openScreen(<ReleasesPage />, { ...at, replies: replies({ epsilon: null }) })
  expect(screen.fact(releases.cost)).toBe(receipt.loss.words)
})

test("a question outside of studies has no study, and an empty list no line", async () => {
  const changes = { study: null, receipt: { ...receipt, public: [] } }
  const screen = await openScreen(<ReleasesPage />, { ...at, replies: replies(changes) })
  expect(screen.fact(releases.study)).toBe("–")
  expect(screen.text()).not.toContain(releases.publicParts)
})

test.each([
  ["waiting", ask.waiting],
  ["failed", releases.noAnswer],
] as const)("one that is %s has no answer, and says why", async (outcome, said) => {
  const screen = await openScreen(<ReleasesPage />, {
    ...at,
    replies: replies({ outcome, answer: null, answers: [] }),
  })
  expect(screen.one("region", ask.result).textContent).toBe(said)
  expect(screen.has("button", ask.csv)).toBe(false)
})

test("a title stands above, and the number below it", async () => {
  const screen = await openScreen(<ReleasesPage />, { ...at, replies: replies({ title: "Patients" }) })
  expect(screen.one("heading", "Patients").tagName).toBe("H1")
  expect(screen.text()).toContain(`Patients\n${releases.one("7")}`)
  expect(document.title).toBe(`Patients · ${app.name}`)
})

test("whoever asked gives it a title, which is saved and read again", async () => {
  const screen = await openScreen(<ReleasesPage />, {
    ...at,
    replies: { ...replies(), "PUT /api/v1/releases/7/title": nothing },
  })
  expect(screen.one("button", releases.saveTitle)).toHaveProperty("disabled", true)
  await screen.type(releases.giveTitle, "Patients")
  screen.server.change(replies({ title: "Patients" }))
  await screen.press(releases.saveTitle)
  expect(screen.server.sentTo("PUT /api/v1/releases/7/title").map(({ body }) => body)).toEqual([
    { title: "Patients" },
  ])
  expect(screen.text()).toContain(releases.titleSaved)
  expect(screen.one("heading", "Patients").tagName).toBe("H1")
})

test("a title that is refused says why, and stays in its field", async () => {
  const screen = await openScreen(<ReleasesPage />, {
    ...at,
    replies: { ...replies(), "PUT /api/v1/releases/7/title": refusal("release/not-own") },
  })
  await screen.type(releases.giveTitle, "Patients")
  await screen.press(releases.saveTitle)
  expect(screen.one("alert").textContent).toContain("release/not-own")
  expect(screen.one("field", releases.giveTitle)).toHaveProperty("value", "Patients")
})

test("only whoever asked and the owner give titles; only who may ask gets the text into the editor", async () => {
  const others = await openScreen(<ReleasesPage />, { ...at, me: cleo, replies: replies() })
  expect(others.has("field", releases.giveTitle)).toBe(false)
  expect(others.has("button", releases.askAgain)).toBe(false)
  const owner = await openScreen(<ReleasesPage />, { ...at, me: otto, replies: replies() })
  expect(owner.has("field", releases.giveTitle)).toBe(true)
})

test("the text goes into the editor of the one who presses, and the screen that asks opens", async () => {
  const list = { "GET /api/v1/releases": { items: [], next: null } }
  const screen = await openScreen(<ReleasesPage />, { ...at, replies: { ...replies(), ...list } })
  await screen.press(releases.askAgain)
  expect(location.pathname).toBe("/ask")
  expect(JSON.parse(localStorage.getItem("dosimeter.draft.ada") ?? "")).toBe(release.question)
})

test("a text that is withheld and one that was not kept are two different things", async () => {
  const withheld = replies({ question: null, questionWithheld: true })
  const hidden = await openScreen(<ReleasesPage />, { ...at, replies: withheld })
  expect(hidden.text()).toContain(releases.withheld)
  const lost = await openScreen(<ReleasesPage />, { ...at, replies: replies({ question: null }) })
  expect(lost.text()).toContain(releases.noText)
  expect(lost.has("button", releases.askAgain)).toBe(false)
})

test("one that there is not is a refusal; a server that comes back is asked again", async () => {
  const missing = { "GET /api/v1/releases/7": refusal("release/unknown", { status: 404, kind: "invalid" }) }
  const screen = await openScreen(<ReleasesPage />, { ...at, replies: missing })
  expect(screen.one("alert").textContent).toContain("release/unknown")
  screen.server.change({ "GET /api/v1/releases/7": unreachable })
  await screen.press(app.tryAgain)
  expect(screen.one("alert").textContent).toContain(trouble.offline)
  screen.server.change(replies())
  await screen.press(app.tryAgain)
  expect(screen.has("alert")).toBe(false)
  expect(screen.fact(releases.who)).toBe("ada")
})
