// The audit trail, loaded: entries, the search, the chain and the export.

import { expect, test } from "vitest"
import { catalogues } from "../../strings/use-strings.ts"
import { refusal, type Replies, type Sent } from "../../testing/fake-server.ts"
import { cleo } from "../../testing/house.ts"
import { openScreen } from "../../testing/open-screen.tsx"
import { watchSavedFiles } from "../../testing/saved-files.ts"
import { AuditPage } from "./audit.tsx"
import type { Entry } from "./find-entries.ts"

const { audit, deeds } = catalogues.en
const route = "GET /api/v1/audit"

function entry(position: number, changes: Partial<Entry> = {}): Entry {
  return {
    position,
    at: "2026-01-03T00:00:00.000Z",
    who: "ada",
    what: "study-submitted",
    about: `study ${position}`,
    facts: {},
    hash: "ab",
    ...changes,
  }
}

async function open(reply: unknown, more: Replies = {}) {
  return openScreen(<AuditPage />, { me: cleo, replies: { [route]: reply, ...more } })
}

test("an entry says when, who, what in words and by its name, about what, and the details", async () => {
  const facts = { reasons: "good", outcome: "granted" }
  const screen = await open({ items: [entry(2, { what: "new-deed" }), entry(1, { facts })], next: null })
  const [newer, older] = screen
    .all("row")
    .map((row) => [...row.children].map(({ textContent }) => textContent))
  expect(older).toEqual([
    new Date("2026-01-03T00:00:00.000Z").toLocaleString("en"),
    "ada",
    `${deeds["study-submitted"]}study-submitted`,
    "study 1",
    "reasons: good; outcome: granted",
  ])
  // A deed that is new here keeps its name.
  expect(newer?.[2]).toBe("new-deednew-deed")
  expect(screen.text()).toContain(audit.count("2"))
})

test("nothing found says so, and what to do", async () => {
  const screen = await open({ items: [], next: null })
  expect(screen.text()).toContain(audit.empty)
  expect(screen.text()).toContain(audit.emptyHelp)
})

test("the newest entries come first, and older ones page by page, as many as there are", async () => {
  const at = (from: number) => Array.from({ length: 100 }, (_, index) => entry(from - index))
  const pages = ({ query }: Sent) =>
    query["after"] === undefined
      ? { items: at(300), next: "to 200" }
      : { items: at(Number(query["after"].slice(3))), next: query["after"] === "to 200" ? "to 100" : null }
  const screen = await open(pages)
  const about = () => screen.all("row").map((row) => row.children[3]?.textContent)
  expect(about()).toHaveLength(100)
  expect(about()[0]).toBe("study 300")
  expect(screen.text()).toContain(audit.newest("100"))
  await screen.press(audit.older)
  await screen.press(audit.older)
  expect(about()).toEqual(Array.from({ length: 300 }, (_, index) => `study ${300 - index}`))
  expect(screen.text()).toContain(audit.count("300"))
  expect(screen.has("button", audit.older)).toBe(false)
  // Each page has the search and the order of the first.
  expect(screen.server.sentTo(route).map(({ query }) => query)).toEqual([
    { order: "newest", limit: "100" },
    { order: "newest", limit: "100", after: "to 200" },
    { order: "newest", limit: "100", after: "to 100" },
  ])
})

test("an older page that cannot be had says why, and what is there stays", async () => {
  const pages = ({ query }: Sent) =>
    query["after"] === undefined
      ? { items: [entry(2)], next: "x" }
      : refusal("request/bad-input", { kind: "invalid", status: 400 })
  const screen = await open(pages)
  await screen.press(audit.older)
  expect(screen.one("alert").textContent).toContain("request/bad-input")
  expect(screen.all("row")).toHaveLength(1)
})

test("the same search again shows what has been written since", async () => {
  let count = 0
  const screen = await open(() => ({ items: [entry(++count)], next: null }))
  await screen.press(audit.search)
  expect(screen.all("row").map((row) => row.children[3]?.textContent)).toEqual(["study 2"])
})

test("the search sends what was typed and nothing else", async () => {
  const screen = await open({ items: [], next: null })
  expect(screen.server.sentTo(route)[0]?.query).toEqual({ order: "newest", limit: "100" })
  await screen.type(audit.who, "ada")
  await screen.type(audit.about, "study heart")
  await screen.type(audit.from, "2026-01-01")
  await screen.press(audit.search)
  expect(screen.server.sentTo(route).at(-1)?.query).toEqual({
    order: "newest",
    limit: "100",
    who: "ada",
    about: "study heart",
    from: "2026-01-01",
  })
})

test.each([
  [{ sound: true, firstWrong: null }, audit.sound],
  [{ sound: false, firstWrong: 17 }, audit.broken("17")],
] as const)("the chain is checked by the server, whose verdict is shown: %o", async (verdict, said) => {
  const screen = await open({ items: [], next: null }, { "GET /api/v1/audit/verify": verdict })
  expect(screen.has("status")).toBe(false)
  await screen.press(audit.verify)
  expect(screen.one("status").textContent).toBe(said)
})

test("the export has the search of the list, and is saved as it came", async () => {
  const files = watchSavedFiles()
  const exported = "GET /api/v1/audit/export"
  const screen = await open({ items: [], next: null }, { [exported]: () => new Response('{"position":1}\n') })
  await screen.type(audit.who, "ada")
  await screen.press(audit.search)
  await screen.press(audit.export)
  expect(screen.server.sentTo(exported).map(({ query }) => query)).toEqual([{ who: "ada" }])
  expect(await files()).toEqual([
    { name: "audit.ndjson", text: '{"position":1}\n', type: "application/x-ndjson" },
  ])
})

test("a search that is refused says why", async () => {
  const screen = await open(refusal("request/bad-date", { kind: "invalid", status: 400 }))
  expect(screen.one("alert").textContent).toContain("request/bad-date")
})
