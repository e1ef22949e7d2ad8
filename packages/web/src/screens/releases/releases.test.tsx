// The list of releases: what each row says, more of them, and the claims that are taken away.

import { expect, test } from "vitest"
import type { Reply } from "../../api/server.ts"
import { catalogues } from "../../strings/use-strings.ts"
import { refusal, type Sent } from "../../testing/fake-server.ts"
import { ada, otto } from "../../testing/house.ts"
import { openScreen } from "../../testing/open-screen.tsx"
import { watchSavedFiles } from "../../testing/saved-files.ts"
import { ReleasesPage } from "./releases.tsx"

type Item = Reply<"listReleases">["items"][number]

const { releases, app } = catalogues.en
const route = "GET /api/v1/releases"

function item(position: number, changes: Partial<Item> = {}): Item {
  return {
    position,
    at: "2026-02-03T04:05:06.000Z",
    principal: "ada",
    study: "heart",
    planHash: "ab",
    outcome: "released",
    held: false,
    accounting: "zcdp",
    amount: "0.125",
    delta: "0",
    epsilon: "0.5",
    title: null,
    question: "SELECT 1",
    questionWithheld: false,
    ...changes,
  }
}

async function list(...items: readonly Item[]) {
  return openScreen(<ReleasesPage />, { me: ada, replies: { [route]: { items, next: null } } })
}

function cellsOf(row: HTMLElement | undefined): readonly string[] {
  return [...(row?.querySelectorAll("td") ?? [])].map(({ textContent }) => textContent)
}

test("nothing released yet says so, without a table", async () => {
  const screen = await list()
  expect(screen.one("heading", releases.empty).tagName).toBe("H2")
  expect(screen.has("row")).toBe(false)
})

test("a row has the number, the question, who, the study and the cost of its release", async () => {
  const screen = await list(item(7, { title: "Patients", epsilon: "0.51234" }))
  expect(cellsOf(screen.all("row")[0])).toEqual([
    "7",
    "PatientsSELECT 1",
    new Date("2026-02-03T04:05:06.000Z").toLocaleString("en"),
    "ada",
    "heart",
    "ε 0.512",
    releases.outcomes.released,
  ])
  expect(screen.one("link", "7").getAttribute("href")).toBe("/releases/7")
  expect(screen.one("link", "heart").getAttribute("href")).toBe("/studies/heart")
})

test("what has no cost in epsilon, no study and no text shows that it has none", async () => {
  const screen = await list(
    item(8, { epsilon: null, study: null, question: null, questionWithheld: true }),
    item(7, { question: null }),
  )
  const [withheld, lost] = screen.all("row").map(cellsOf)
  expect(withheld?.slice(4, 6)).toEqual(["–", "–"])
  expect(withheld?.[1]).toBe(releases.withheldShort)
  expect(lost?.[1]).toBe(releases.noTextShort)
})

test("a long question is cut, and its lines are one line", async () => {
  const screen = await list(item(7, { question: `SELECT\n  ${"x".repeat(200)}` }))
  expect(cellsOf(screen.all("row")[0])[1]).toBe(`SELECT ${"x".repeat(113)} …`)
})

test.each([
  [{ outcome: "released" }, releases.outcomes.released],
  [{ outcome: "released", held: true }, releases.outcomes.waiting],
  [{ outcome: "failed" }, releases.outcomes.failed],
  [{ outcome: "charged" }, releases.outcomes.charged],
] as const)("the outcome of %o is %s", async (changes, said) => {
  const screen = await list(item(7, changes))
  expect(cellsOf(screen.all("row")[0])[6]).toBe(said)
})

test("more are loaded from where the page ended, and the button goes with the last", async () => {
  const pages = ({ query }: Sent) =>
    query["after"] === "8" ? { items: [item(7)], next: null } : { items: [item(9), item(8)], next: "8" }
  const screen = await openScreen(<ReleasesPage />, { me: ada, replies: { [route]: pages } })
  expect(screen.all("row")).toHaveLength(2)
  await screen.press(app.more)
  expect(screen.all("row").map((row) => cellsOf(row)[0])).toEqual(["9", "8", "7"])
  expect(screen.has("button", app.more)).toBe(false)
})

test("more that cannot be loaded leave what is there", async () => {
  const pages = ({ query }: Sent) =>
    query["after"] === undefined ? { items: [item(9)], next: "9" } : refusal("request/too-many")
  const screen = await openScreen(<ReleasesPage />, { me: ada, replies: { [route]: pages } })
  await screen.press(app.more)
  expect(screen.one("alert").textContent).toContain("request/too-many")
  expect(screen.all("row")).toHaveLength(1)
})

test("claims are for those who see the audit trail, and are saved as the server wrote them", async () => {
  const empty = { [route]: { items: [], next: null } }
  const analyst = await openScreen(<ReleasesPage />, { me: ada, replies: empty })
  expect(analyst.has("button", releases.registry)).toBe(false)
  const files = watchSavedFiles()
  const owner = await openScreen(<ReleasesPage />, {
    me: otto,
    replies: { ...empty, "GET /api/v1/claims/registry": () => new Response("a: 1\n") },
  })
  await owner.press(releases.registry)
  expect(await files()).toEqual([{ name: "registry.yaml", text: "a: 1\n", type: "text/yaml" }])
})
