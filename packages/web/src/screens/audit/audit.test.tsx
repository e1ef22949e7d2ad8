// The audit trail, loaded: entries, the search, the chain and the export.

import { expect, test } from "vitest"
import { catalogues } from "../../strings/use-strings.ts"
import { refusal, startFakeServer, type Replies, type Sent } from "../../testing/fake-server.ts"
import { cleo } from "../../testing/house.ts"
import { openScreen } from "../../testing/open-screen.tsx"
import { watchSavedFiles } from "../../testing/saved-files.ts"
import { languages, textOf } from "../../testing/shown.tsx"
import { AuditEntries } from "./audit-entries.tsx"
import { AuditPage } from "./audit.tsx"
import { findEntries, type Entry } from "./find-entries.ts"

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
  const screen = await open({ items: [entry(1, { facts }), entry(2, { what: "new-deed" })], next: null })
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

test("all pages are read, so that the newest entry stands first however long the trail is", async () => {
  const pages = ({ query }: Sent) =>
    query["after"] === "2" ? { items: [entry(3)], next: null } : { items: [entry(1), entry(2)], next: "2" }
  const screen = await open(pages)
  expect(screen.all("row").map((row) => row.children[3]?.textContent)).toEqual([
    "study 3",
    "study 2",
    "study 1",
  ])
  expect(screen.text()).not.toContain(audit.hasMore)
})

test("a trail that is longer than a page shows is read up to a limit", async () => {
  let position = 0
  const endless = () => ({
    items: Array.from({ length: 1000 }, () => entry(position++)),
    next: `${position}`,
  })
  startFakeServer({ [route]: endless })
  const { entries, hasMore } = await findEntries({ who: "", what: "", about: "", from: "", to: "" })
  expect(entries).toHaveLength(5000)
  expect(entries[0]?.position).toBe(4999)
  expect(hasMore).toBe(true)
})

test.each(languages)("later entries that were left out are mentioned: %s", (language) => {
  const { audit: said } = catalogues[language]
  const shown = (hasMore: boolean): string =>
    textOf(<AuditEntries found={{ entries: [entry(1)], hasMore }} />, language)
  expect(shown(true)).toContain(`${said.count("1")} · ${said.hasMore}`)
  expect(shown(false)).not.toContain(said.hasMore)
})

test("the search sends what was typed and nothing else", async () => {
  const screen = await open({ items: [], next: null })
  expect(screen.server.sentTo(route)[0]?.query).toEqual({ limit: "1000" })
  await screen.type(audit.who, "ada")
  await screen.type(audit.about, "study heart")
  await screen.type(audit.from, "2026-01-01")
  await screen.press(audit.search)
  expect(screen.server.sentTo(route).at(-1)?.query).toEqual({
    limit: "1000",
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
