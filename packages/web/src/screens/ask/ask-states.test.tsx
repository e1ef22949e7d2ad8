// What the screen that asks says in each state of a question and of its price, in both languages.

import { expect, test } from "vitest"
import type { Reply } from "../../api/server.ts"
import type { Trouble } from "../../api/trouble.ts"
import type { Account } from "../../parts/browser/session.tsx"
import { catalogues } from "../../strings/use-strings.ts"
import { languages, markupOf, textOf } from "../../testing/shown.tsx"
import type { Priced } from "../../workers/price.ts"
import { AskResult } from "./ask-result.tsx"
import { PriceLine, PricePanel } from "./price-panel.tsx"
import type { Asking } from "./use-asking.ts"
import type { Pricing } from "./use-price.ts"
import { receipt } from "../../testing/receipt.ts"

const trouble: Trouble = {
  kind: "refused",
  code: "budget/exhausted",
  message: "the question takes more than is left",
  help: "ask for less epsilon",
  others: [],
}

function result(asking: Asking) {
  return <AskResult asking={asking} confidence={0.95} onStop={() => {}} />
}

function refused(changes: Partial<Trouble>, isCharged = false) {
  return result({ kind: "refused", trouble: { ...trouble, ...changes }, isCharged, key: "" })
}

test("nothing was asked: nothing is shown", () => {
  expect(markupOf(result({ kind: "idle" }))).toBe("")
})

test.each(languages)(
  "while it runs its steps are shown, and it stops only before the charge: %s",
  (language) => {
    const { ask } = catalogues[language]
    for (const [step, isStopped] of [
      [undefined, true],
      ["planned", true],
      ["charged", false],
      ["reading", false],
    ] as const) {
      const text = textOf(result({ kind: "running", step }), language)
      expect(text.split("\n")).toContain(ask.steps.released)
      expect(text.split("\n").includes(ask.stop)).toBe(isStopped)
    }
    const html = markupOf(result({ kind: "running", step: "charged" }), language)
    expect(html).toContain(`<li aria-current="step">${ask.steps.charged}</li>`)
    expect(html).toContain(`<li data-done="">${ask.steps.planned}</li>`)
  },
)

test.each(languages)(
  "a spent budget is a refusal that cost nothing, with what can be done: %s",
  (language) => {
    const { ask, trouble: said } = catalogues[language]
    const text = textOf(refused({}), language)
    for (const line of [said.refused, ask.exhausted, ask.exhaustedHelp, said.free])
      expect(text).toContain(line)
  },
)

test.each(languages)(
  "a budget that ends after a stage was paid for does not say that it was free: %s",
  (language) => {
    const { ask, trouble: said } = catalogues[language]
    const text = textOf(refused({}, true), language)
    expect(text).toContain(ask.exhausted)
    expect(text).not.toContain(said.free)
  },
)

test.each(languages)("an answer that waits for approval is no error: %s", (language) => {
  const { ask, releases } = catalogues[language]
  const waiting = refused({ code: "airlock/waiting" }, true)
  expect(textOf(waiting, language)).toBe(`${releases.outcomes.waiting}\n${ask.waiting}`)
  expect(markupOf(waiting, language)).toContain('role="status"')
})

test.each(languages)("what is unsupported, wrong or away is named by its kind: %s", (language) => {
  const { trouble: said } = catalogues[language]
  const first = (kind: Trouble["kind"], isCharged: boolean): string =>
    textOf(refused({ kind, code: "x/y" }, isCharged), language)
  expect(first("unsupported", false)).toMatch(new RegExp(`^${said.unsupported}\n`))
  expect(first("invalid", false)).toContain(said.free)
  // Whether a charge was made before the server went away is not known here.
  expect(first("unavailable", false)).not.toContain(said.free)
  expect(first("bug", true)).not.toContain(said.free)
  const offline = textOf(
    refused({ kind: "unavailable", code: "web/offline", message: "Failed to fetch" }),
    language,
  )
  expect(offline).toContain(said.offline)
  expect(offline).not.toContain("Failed to fetch")
})

const used = (share: number) => ({ share, loss: share, delta: 0, first: "loss" }) as const
const account = (name: string, share: number): Account => ({
  name,
  accounting: "zcdp",
  epsilon: "3",
  delta: "1e-6",
  deltaForKeys: "0",
  spent: { amount: "0.1", delta: "0", epsilon: "1.2" },
  left: { amount: "0.1", delta: "0", epsilon: "1.8" },
  used: used(share),
  defaultQuestionsLeft: 4,
})
const answer: Reply<"ask"> = {
  columns: [{ name: "n", type: "integer", kind: "noisy" }],
  rows: [{ n: { value: 120, low: 100, high: 140, state: "released" } }],
  receipt,
  origin: "released",
  budget: account("dataset", 0.1),
}

test.each(languages)("an answer says whether it was paid for now, and what it cost: %s", (language) => {
  const { ask, wanted } = catalogues[language]
  const shown = (changes: Partial<Reply<"ask">>): string =>
    textOf(result({ kind: "answered", answer: { ...answer, ...changes }, key: "" }), language)
  expect(shown({})).toContain(`${ask.origin.released}\n${ask.charged("ε 0.5")}`)
  expect(shown({})).toContain(ask.share)
  expect(shown({ receipt: { ...receipt, epsilon: "rho 0.1" } })).toContain(ask.charged("rho 0.1"))
  for (const origin of ["recorded", "reused", "public"] as const) {
    const text = shown({ origin })
    expect(text).toContain(ask.origin[origin])
    expect(text).not.toContain(ask.charged("ε 0.5"))
  }
  expect(shown({ receipt: {} })).not.toContain(ask.share)
  expect(shown({ reached: { inside: 3, of: 4 } })).toContain(wanted.reached("3", "4"))
  expect(shown({ reached: { inside: 1, of: 1 } })).not.toContain(wanted.reached("1", "1"))
})

const priced: Priced = {
  kind: "priced",
  cost: "epsilon 0.5",
  epsilon: 0.5,
  account: "study:heart",
  before: used(0.25),
  after: used(0.5),
  fits: true,
  more: 2,
  unit: "person",
  confidence: 0.95,
  tables: [],
  groups: ["2 public groups, all shown"],
  bounding: [],
  aggregates: [{ label: "COUNT(*)", error: "± 6", mechanism: "laplace" }],
  notes: [],
  learnsNorm: false,
}
const pricing: Pricing = {
  price: priced,
  isStale: false,
  hasFailed: false,
  mayAsk: true,
  by: "browser",
  tables: [],
  free: undefined,
  lookIfFree: () => {},
  retry: () => {},
}
const accounts = [account("dataset", 0.1), account("study:heart", 0.25)]

function panel(
  changes: Partial<Pricing>,
  more: { readonly isAnswered?: boolean; readonly wrong?: "epsilon" } = {},
) {
  const { isAnswered = false, wrong } = more
  return (
    <PricePanel
      pricing={{ ...pricing, ...changes }}
      accounts={accounts}
      isAnswered={isAnswered}
      wrong={wrong === undefined ? [] : [wrong]}
    />
  )
}

test.each(languages)(
  "before a norm is learnt no error is promised, and the price says why: %s",
  (language) => {
    const { ask } = catalogues[language]
    const learning = panel({ price: { ...priced, learnsNorm: true } })
    expect(textOf(learning, language)).toContain(ask.learnsNorm("person"))
    expect(textOf(learning, language)).toContain(ask.ifFixed("± 6"))
    expect(markupOf(learning, language)).not.toContain("<b>± 6</b>")
    expect(markupOf(panel({}), language)).toContain("<b>± 6</b>")
  },
)

test.each(languages)(
  "a price has its cost, how many more fit, the error, and the account it enters: %s",
  (language) => {
    const { ask, meter } = catalogues[language]
    const text = textOf(panel({}), language)
    for (const part of [
      ask.costs("epsilon 0.5"),
      meter.fits("2"),
      "± 6",
      meter.ofStudy("heart"),
      ask.protects("person"),
    ])
      expect(text).toContain(part)
    expect(text).toContain(meter.ofEpsilon("1.2", "3"))
    expect(text).not.toContain(ask.serverPrices)
    expect(textOf(panel({ by: "server" }), language)).toContain(ask.serverPrices)
    expect(textOf(panel({ price: { ...priced, more: 0 } }), language)).toContain(meter.fitsNone)
  },
)

test.each(languages)("what does not fit is said on the meter: %s", (language) => {
  const { meter } = catalogues[language]
  const html = markupOf(panel({ price: { ...priced, fits: false, after: used(1), more: 0 } }), language)
  expect(html).toContain(meter.doesNotFit)
  // Not "no more like it": there is not even one.
  expect(html).not.toContain(meter.fitsNone)
})

test.each(languages)(
  "an old price, a failed one and a mistake beside the question show no price: %s",
  (language) => {
    const { ask, wanted } = catalogues[language]
    const cost = ask.costs("epsilon 0.5")
    const old = textOf(panel({ isStale: true, mayAsk: false }), language)
    expect(old).toContain(ask.pricing)
    const failed = textOf(panel({ price: undefined, hasFailed: true, mayAsk: false }), language)
    expect(failed).toContain(ask.noPriceHelp)
    const wrong = textOf(panel({}, { wrong: "epsilon" }), language)
    expect(wrong).toContain(wanted.wrong.epsilon)
    const none = textOf(panel({ price: undefined, mayAsk: false }), language)
    expect(none).toContain(ask.typing)
    for (const text of [old, failed, wrong, none]) expect(text).not.toContain(cost)
  },
)

test.each(languages)(
  "free is said in three ways: about nobody, from the record, from earlier releases: %s",
  (language) => {
    const { ask } = catalogues[language]
    const nobody = textOf(panel({ price: { ...priced, cost: "", more: Infinity } }), language)
    expect(nobody).toContain(ask.free)
    expect(nobody).not.toContain(ask.lookIfFree)
    expect(textOf(panel({}, { isAnswered: true }), language)).toContain(ask.againFree)
    expect(textOf(panel({ free: true }), language)).toContain(ask.nowFree("epsilon 0.5"))
    expect(textOf(panel({ free: false }), language)).toContain(ask.notFree)
  },
)

test("issues say what is wrong and what to do", () => {
  const place = { facts: {}, start: 0, end: 1 }
  const issues = [
    { code: "sql/unknown-table", message: "there is no table persons", help: "write person", ...place },
  ]
  const text = textOf(panel({ price: { kind: "issues", issues }, mayAsk: false }))
  expect(text).toContain("there is no table persons")
  expect(text).toContain("write person")
})

test("the line where the panel is out of sight shows a price that may be asked at, and no other", () => {
  const line = (changes: Partial<Pricing>): string =>
    textOf(<PriceLine pricing={{ ...pricing, ...changes }} />)
  expect(line({})).toBe("epsilon 0.5")
  expect(line({ mayAsk: false, isStale: true })).toBe(catalogues.en.ask.pricing)
  expect(line({ free: true })).toBe("")
})
