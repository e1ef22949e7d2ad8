// What a participant sees, loaded: what their data is read for and why, what has used it, and the dose.

import { expect, test } from "vitest"
import type { Reply } from "../../api/server.ts"
import { catalogues } from "../../strings/use-strings.ts"
import { nothing, refusal, type Replies, type Sent } from "../../testing/fake-server.ts"
import { pia } from "../../testing/house.ts"
import { openScreen } from "../../testing/open-screen.tsx"
import { languages } from "../../testing/shown.tsx"
import { ConsentPage } from "./consent.tsx"

type Consent = Reply<"getConsent">
type Purpose = Consent["purposes"][number]
type Participation = Reply<"getParticipation">

const { consent, meter, purposes } = catalogues.en
const health = "DUO:0000006"
const general = "DUO:0000042"

function purpose(code: string, changes: Partial<Purpose> = {}): Purpose {
  return {
    code,
    name: `name of ${code}`,
    wider: null,
    included: true,
    includedNext: true,
    because: null,
    ...changes,
  }
}

const asked: Consent = {
  mode: "opt-out",
  countsFrom: "next-question",
  purposes: [purpose(general), purpose(health, { wider: general })],
  holds: [],
  history: [],
}
const used: Participation = {
  items: [
    {
      study: "heart",
      title: "Heart failure",
      releasesWith: 3,
      releasesWithout: 1,
      epsilon: "0.5",
      delta: "0",
    },
  ],
  outside: { releasesWith: 2, releasesWithout: 0, epsilon: "0.25", delta: "0" },
  total: {
    releasesWith: 5,
    releasesWithout: 1,
    epsilon: "0.7",
    delta: "1e-6",
    used: { share: 0.2, loss: 0.2, delta: 0, first: "loss" },
  },
}
const shown = {
  dataset: "clinic",
  unit: "person",
  accounting: "zcdp",
  promise: { epsilon: "3", delta: "1e-6", words: [] },
  spent: { epsilon: "1", delta: "0", words: [], used: used.total.used },
  consent: "opt-out",
  studies: [],
  releases: [],
  releasesInAll: 0,
}
const setRoute = "PUT /api/v1/consent"

function replies(changes: Partial<Consent> = {}, participation: Participation = used): Replies {
  return {
    "GET /api/v1/consent": { ...asked, ...changes },
    "GET /api/v1/participation": participation,
    "GET /api/v1/transparency": shown,
    [setRoute]: nothing,
  }
}

async function open(given: Replies = replies(), language: "en" | "zh" = "en") {
  return openScreen(<ConsentPage />, { me: pia, language, replies: given })
}

function whyOf(screen: Awaited<ReturnType<typeof open>>, code: string): string {
  const found = screen.all("switch").find((one) => one.closest("label")?.textContent.includes(code))
  return found?.closest("label")?.textContent ?? ""
}

test.each(languages)(
  "the dose is the participant's own, of what the owner has promised: %s",
  async (language) => {
    const said = catalogues[language]
    const screen = await open(replies(), language)
    expect(screen.one("meter").textContent).toContain(said.meter.ofEpsilon("0.7", "3"))
    expect(screen.text()).toContain(said.consent.doseText("0.7", "1e-6"))
    expect(screen.text()).toContain(said.consent.modes["opt-out"])
  },
)

test("what has used the data is counted by study, and outside of studies", async () => {
  const screen = await open()
  expect(screen.all("row").map((row) => [...row.children].map(({ textContent }) => textContent))).toEqual([
    ["Heart failure", "3", "1", "ε 0.5"],
    [consent.outside, "2", "0", "ε 0.25"],
  ])
})

test("no dose is zero, in words, and without odds", async () => {
  const none = { share: 0, loss: 0, delta: 0, first: "loss" } as const
  const total = { ...used.total, epsilon: "0", used: none }
  const screen = await open(replies({}, { items: [], outside: null, total }))
  expect(screen.text()).toContain(consent.doseNone)
  expect(screen.text()).toContain(consent.noStudies)
  expect(screen.text()).not.toContain(consent.oddsLead)
  expect(screen.one("meter").getAttribute("aria-valuetext")).toBe(meter.textShort("0 %", "100 %"))
})

const reasons: readonly (readonly [Partial<Purpose>, string])[] = [
  [{}, `${consent.yes}: ${consent.notSaidNo}`],
  [{ includedNext: false, included: false }, `${consent.no}: ${consent.notSaidYes}`],
  [{ because: { purpose: health, decision: "given" } }, `${consent.yes}: ${consent.saidYes}`],
  [
    { includedNext: false, included: false, because: { purpose: health, decision: "withdrawn" } },
    `${consent.no}: ${consent.saidNo}`,
  ],
  [
    { because: { purpose: general, decision: "given" } },
    `${consent.yes}: ${consent.saidYesTo(purposes[general].name)}`,
  ],
  [
    { includedNext: false, included: false, because: { purpose: general, decision: "withdrawn" } },
    `${consent.no}: ${consent.saidNoTo(purposes[general].name)}`,
  ],
]

test.each(reasons)("each purpose says whether and why: %o", async (changes, said) => {
  const screen = await open(replies({ purposes: [purpose(health, changes)] }))
  expect(whyOf(screen, health)).toContain(said)
})

test("a decision that does not count yet says what holds until then", async () => {
  const leaving = purpose(health, {
    includedNext: false,
    because: { purpose: health, decision: "withdrawn" },
  })
  const screen = await open(replies({ countsFrom: "midnight", purposes: [leaving] }))
  expect(whyOf(screen, health)).toContain(consent.stillIn)
  // The switch stands as it was decided, not as it holds until midnight.
  expect(screen.one("switch", new RegExp(health))).toHaveProperty("checked", false)
  expect(screen.text()).toContain(consent.switchHelp.midnight)
  const joining = purpose(health, { included: false })
  expect(whyOf(await open(replies({ purposes: [joining] })), health)).toContain(consent.stillOut)
})

test("purposes stand inside of the wider ones; one that is new here has the server's name", async () => {
  const screen = await open(replies({ purposes: [purpose(general), purpose("XYZ:1", { wider: general })] }))
  const inner = document.querySelector(".consent-tree .consent-tree")
  expect(inner?.textContent).toContain("name of XYZ:1")
  expect(screen.all("switch")).toHaveLength(2)
})

test("a switch sends one decision, and what holds then is read again", async () => {
  const screen = await open(replies({ purposes: [purpose(health)] }))
  const off = purpose(health, {
    included: false,
    includedNext: false,
    because: { purpose: health, decision: "withdrawn" },
  })
  screen.server.change({ "GET /api/v1/consent": { ...asked, purposes: [off] } })
  await screen.press(new RegExp(health), "switch")
  expect(screen.server.sentTo(setRoute).map(({ body }) => body)).toEqual([
    { purpose: health, decision: "withdrawn" },
  ])
  expect(whyOf(screen, health)).toContain(consent.saidNo)
  expect(screen.text()).toContain(consent.saved(purposes[health].name))
})

test("leaving everything withdraws from every top purpose with all inside of it, one after the other", async () => {
  let underWay = 0
  const oneAtATime = async (): Promise<Response> => {
    underWay += 1
    expect(underWay).toBe(1)
    await Promise.resolve()
    underWay -= 1
    return nothing()
  }
  const given = replies({
    purposes: [purpose(general), purpose(health, { wider: general }), purpose("XYZ:1")],
  })
  const screen = await open({ ...given, [setRoute]: oneAtATime })
  await screen.press(consent.leaveAll)
  expect(screen.server.sentTo(setRoute).map(({ body }) => body)).toEqual([
    { purpose: general, decision: "withdrawn", narrower: true },
    { purpose: "XYZ:1", decision: "withdrawn", narrower: true },
  ])
})

test("where leaving fails half-way, that is said, and what holds is read again", async () => {
  const second = ({ body }: Sent) =>
    JSON.stringify(body).includes("XYZ:1") ? refusal("consent/closed") : nothing()
  const given = replies({ purposes: [purpose(general), purpose("XYZ:1")] })
  const screen = await open({ ...given, [setRoute]: second })
  const off = purpose(general, { included: false, includedNext: false })
  screen.server.change({ "GET /api/v1/consent": { ...asked, purposes: [off, purpose("XYZ:1")] } })
  await screen.press(consent.leaveAll)
  expect(screen.one("alert").textContent).toContain("consent/closed")
  expect(whyOf(screen, general)).toContain(consent.no)
  expect(whyOf(screen, "XYZ:1")).toContain(consent.yes)
})

test("who is in nothing has nothing to leave", async () => {
  const out = purpose(health, { included: false, includedNext: false })
  expect((await open(replies({ purposes: [out] }))).has("button", consent.leaveAll)).toBe(false)
})

test("where nobody is asked there is nothing to switch, and it is said", async () => {
  const screen = await open(replies({ mode: null, purposes: [] }))
  expect(screen.text()).toContain(consent.notAskedHelp)
  expect(screen.has("switch")).toBe(false)
})

test("decisions are listed in the order of the server, the newest first, whatever their times", async () => {
  const [earlier, later] = ["2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z"]
  const decision = { name: "", decidedAt: earlier, source: "self" }
  const history: Consent["history"] = [
    { ...decision, purpose: health, decision: "withdrawn", recordedAt: earlier },
    { ...decision, purpose: general, decision: "given", recordedAt: later },
    { ...decision, purpose: health, decision: "given", recordedAt: earlier },
  ]
  const screen = await open(replies({ history }))
  const items = [...document.querySelectorAll(".timeline li")].map(({ textContent }) => textContent)
  expect(items[0]).toContain(`${purposes[health].name}: ${consent.saidNo}`)
  expect(items[1]).toContain(`${purposes[general].name}: ${consent.saidYes}`)
  expect(items[2]).toContain(`${purposes[health].name}: ${consent.saidYes}`)
  expect(screen.text()).not.toContain(consent.historyEmpty)
})

test("an account that is linked to nobody says so, and that is no error", async () => {
  const unlinked = refusal("consent/not-linked")
  const screen = await open({
    ...replies(),
    "GET /api/v1/consent": unlinked,
    "GET /api/v1/participation": unlinked,
  })
  expect(screen.text()).toContain(consent.notLinkedHelp)
  expect(screen.has("alert")).toBe(false)
})
