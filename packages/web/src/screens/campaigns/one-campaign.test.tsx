// One campaign, loaded: what it promises, how people reach it, and what the reports tell.

import { act } from "react"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import type { Reply } from "../../api/server.ts"
import type { Me } from "../../parts/browser/session.tsx"
import { catalogues } from "../../strings/use-strings.ts"
import { refusal, unreachable, type Replies } from "../../testing/fake-server.ts"
import { ada, otto } from "../../testing/house.ts"
import { openScreen } from "../../testing/open-screen.tsx"
import { watchClipboard } from "../../testing/saved-files.ts"
import { CampaignsPage } from "./campaigns.tsx"

type Campaign = Reply<"getCampaign">
type Estimates = Reply<"campaignEstimates">

const { campaigns, app, trouble } = catalogues.en

const winter: Campaign = {
  id: "winter",
  title: "Winter",
  summary: "Who was ill this winter.",
  epsilon: "1",
  questions: [
    { kind: "choice", name: "fever", text: "Did you have a fever?", options: ["yes", "no"] },
    { kind: "number", name: "days", text: "How many days?", low: 0, high: 30 },
  ],
  people: 1000,
  reportsMax: 2000,
  halfWidthMax: 0.1,
  state: "open",
  reports: 400,
  createdBy: "otto",
  createdAt: "2026-01-01T00:00:00.000Z",
  certificate: {
    protocol: "randomized response",
    ratio: "3/1",
    epsilon: 0.98765432,
    probabilities: {},
    bytes: 16,
    parameters: "c0ffee",
  },
  snippet: '<script src="/survey.js"></script>',
}

type Estimate = Estimates["items"][number]

const fever: Estimate = {
  name: "fever",
  text: "Did you have a fever?",
  kind: "choice",
  reports: 200,
  options: [
    { option: "yes", share: 0.31, lower: 0.21, upper: 0.41, consistent: 0.3 },
    { option: "no", share: 0.73, lower: 0.63, upper: 0.83, consistent: 0.7 },
  ],
  mean: null,
  standardError: 0.05,
  ifOnePercentAreFakes: { tooHigh: 0.02, tooLow: 0.01 },
}
const days: Estimate = {
  name: "days",
  text: "How many days?",
  kind: "number",
  reports: 200,
  options: [],
  mean: { mean: 4.5, lower: 3.5, upper: 5.5 },
  standardError: 0.5,
  ifOnePercentAreFakes: { tooHigh: 0.6, tooLow: 0.3 },
}

function replies(campaign: Partial<Campaign> = {}, items: readonly Estimate[] = [fever, days]): Replies {
  return {
    "GET /api/v1/campaigns/winter": { ...winter, ...campaign },
    "GET /api/v1/campaigns/winter/estimates": { confidence: 0.9, items },
  }
}

async function open(me: Me = ada, given: Replies = replies()) {
  return openScreen(<CampaignsPage />, { me, path: "/campaigns/winter", replies: given })
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] })
})
afterEach(() => vi.useRealTimers())

test("how far it has come, what each device loses, and who planned it", async () => {
  const screen = await open()
  const text = screen.text()
  expect(text).toContain(campaigns.reports("400", "1,000"))
  expect(text).toContain(`${campaigns.perDevice(winter.epsilon)} · ${campaigns.createdBy("otto")}`)
  expect(text).toContain(campaigns.eachOne)
  expect(text).toContain(campaigns.live)
})

test("the promise is the certificate's, with a loss that is not rounded down", async () => {
  const screen = await open()
  expect(screen.fact(campaigns.protocol)).toBe(winter.certificate.protocol)
  expect(screen.fact(campaigns.loss)).toBe("ε 0.987655")
  expect(screen.fact(campaigns.bytes)).toBe("16")
  expect(screen.fact(campaigns.most)).toBe("2,000")
  expect(screen.fact(campaigns.parameters)).toBe(winter.certificate.parameters)
})

test("shares and means stand in tables with their intervals, at the estimates' confidence", async () => {
  const screen = await open()
  expect(screen.text()).toContain(campaigns.intervals("90 %"))
  const [about] = screen.all("region", "Did you have a fever?")
  expect(about?.textContent).toContain("between 21 and 41, 90 % sure")
  expect(about?.textContent).toContain(campaigns.reportsOf("200"))
  expect(screen.one("region", "How many days?").textContent).toContain("between 3.5 and 5.5, 90 % sure")
})

test("shares add up at first; the raw ones are a press away, and each view says what it is", async () => {
  const screen = await open()
  const shares = (): readonly (string | undefined)[] =>
    screen.all("row").map(({ textContent }) => /^(yes|no)\d+/.exec(textContent)?.[0])
  expect(shares()).toEqual(["yes30", "no70"])
  expect(screen.text()).toContain(campaigns.viewHelp.consistent)
  await screen.press(campaigns.views.raw, "radio")
  expect(shares()).toEqual(["yes31", "no73"])
  expect(screen.text()).toContain(campaigns.viewHelp.raw)
})

test("fakes move an estimate in proportion to their number, and all reports may be fakes", async () => {
  const screen = await open()
  await screen.type(campaigns.fakesCount, "2")
  expect(screen.fact("Did you have a fever?")).toBe(
    `${campaigns.tooHigh} ${campaigns.points("2")}, ${campaigns.tooLow} ${campaigns.points("1")}`,
  )
  expect(screen.fact("How many days?")).toBe(`${campaigns.tooHigh} 0.6, ${campaigns.tooLow} 0.3`)
  await screen.type(campaigns.fakesCount, "200")
  expect(screen.fact("Did you have a fever?")).toBe(campaigns.allFakes)
})

test("no reports and too few reports are two different things, and neither is an estimate", async () => {
  const none = { ...fever, options: [], reports: 0 }
  const few = { ...days, mean: null, reports: 1 }
  const screen = await open(ada, replies({}, [none, few]))
  expect(screen.one("region", "Did you have a fever?").textContent).toContain(campaigns.noReports)
  expect(screen.one("region", "How many days?").textContent).toContain(campaigns.tooFew)
  expect(screen.has("row")).toBe(false)
})

test("a draft promises and shows no results; nobody can reach it yet", async () => {
  const screen = await open(otto, replies({ state: "draft", reports: 0 }))
  expect(screen.text()).not.toContain(campaigns.estimates)
  expect(screen.text()).not.toContain(campaigns.link)
  expect(screen.text()).toContain(campaigns.publishHelp)
  expect(screen.fact(campaigns.protocol)).toBe(winter.certificate.protocol)
})

test("the link is this server's, and link and snippet are copied as they are shown", async () => {
  const copied = watchClipboard()
  const screen = await open()
  const link = `${location.origin}/survey/winter`
  expect(screen.one("link", campaigns.openSurvey).getAttribute("href")).toBe(link)
  await screen.press(campaigns.copyLink)
  await screen.press(campaigns.copySnippet)
  expect(copied).toEqual([link, winter.snippet])
  expect(screen.text()).toContain(app.copied)
})

const { publish, pause, close, resume } = campaigns.moves
test.each([
  ["draft", [publish, close]],
  ["open", [pause, close]],
  ["paused", [resume, close]],
  ["closed", []],
] as const)("the owner's moves with one that is %s: %s", async (state, wanted) => {
  const screen = await open(otto, replies({ state }))
  expect([publish, pause, resume, close].filter((name) => screen.has("button", name))).toEqual(wanted)
})

test("nobody but the owner moves a campaign", async () => {
  const screen = await open(ada)
  for (const name of [publish, pause, close, resume]) expect(screen.has("button", name)).toBe(false)
})

test("closing asks first, and says in its dialog what was refused", async () => {
  const route = "POST /api/v1/campaigns/winter/close"
  const screen = await open(otto, { ...replies(), [route]: refusal("campaign/busy") })
  await screen.press(close)
  expect(screen.one("dialog").textContent).toContain(campaigns.closeSure)
  expect(screen.server.sentTo(route)).toEqual([])
  await screen.press(close)
  expect(screen.one("dialog").textContent).toContain("campaign/busy")
  screen.server.change({ [route]: { ...winter, state: "closed" }, ...replies({ state: "closed" }) })
  await screen.press(close)
  expect(screen.has("dialog")).toBe(false)
  expect(screen.text()).toContain(campaigns.states.closed)
  expect(screen.text()).toContain(campaigns.saved)
})

/** Lets so much time pass as the screen waits between two looks. */
async function wait(screen: Awaited<ReturnType<typeof open>>): Promise<void> {
  await act(async () => vi.advanceTimersByTime(4000))
  await screen.settle()
}

test("one that is open is looked at again by itself, also after the server was away", async () => {
  const screen = await open()
  screen.server.change(replies({ reports: 401 }))
  await wait(screen)
  expect(screen.text()).toContain(campaigns.reports("401", "1,000"))
  screen.server.change({ "GET /api/v1/campaigns/winter": unreachable })
  await wait(screen)
  expect(screen.one("alert").textContent).toContain(trouble.offline)
  screen.server.change(replies({ reports: 402 }))
  await wait(screen)
  expect(screen.text()).toContain(campaigns.reports("402", "1,000"))
})

test("one that is closed is not looked at again, and does not say so", async () => {
  const screen = await open(ada, replies({ state: "closed" }))
  expect(screen.text()).not.toContain(campaigns.live)
  const looks = screen.server.sent.length
  await wait(screen)
  expect(screen.server.sent).toHaveLength(looks)
})
