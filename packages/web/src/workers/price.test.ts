import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { loadGrammar } from "@dosimeter/language/parse/grammar"
import { expect, test } from "vitest"
import { fromPlain } from "./plain-values.ts"
import type { ChargedAccount } from "./cost.ts"
import { learnsNorm, price, tablesOf, type PolicyNorm } from "./price.ts"
import { bodyOf, isTypedAsk, needsServer, usual, wrongFields, type TypedAsk } from "./wanted.ts"

const policy = readPolicy(`
dataset: clinic
source: { duckdb: clinic.duckdb }
neighbours: add-or-remove
budget: { epsilon: 3, delta: 1e-7, accounting: zcdp }
question: { epsilon: { default: 0.5, max: 1 }, delta: 1e-8, confidence: 0.95 }
bounding: { groups_per_unit: 4, rows_per_group: 4, norm: fixed }
tables:
  visits:
    unit: patient_id
    columns:
      patient_id: { type: integer }
      ward: { type: text, values: [a, b] }
      fee: { type: integer }
      note: { type: text, text: code }
`)
const grammar = await loadGrammar()
const dataset: ChargedAccount = {
  name: "dataset",
  accounting: "zcdp",
  epsilon: "3",
  delta: "1e-7",
  deltaForKeys: "2e-8",
  spent: { amount: "0", delta: "0" },
}
const study: ChargedAccount = {
  ...dataset,
  name: "study:heart",
  epsilon: "0.6",
  delta: "1e-8",
  deltaForKeys: "2e-9",
}
const options = { facts: policy, grammar, wanted: usual, accounts: [dataset] }

test("a question has a price, a part of the budget, and an expected error", () => {
  const priced = price("SELECT ward, COUNT(*) AS n FROM visits GROUP BY ward", options)
  if (priced.kind !== "priced") throw new Error("it has a price")
  expect(priced).toMatchObject({
    fits: true,
    before: { share: 0 },
    confidence: 0.95,
    unit: policy.catalog.unitName,
  })
  expect(priced.epsilon).toBeCloseTo(0.5, 2)
  expect(priced.after.share).toBeGreaterThan(0)
  expect(priced.aggregates).toHaveLength(1)
  expect(priced.aggregates[0]?.error).toMatch(/^± \d+/)
})

const spent = (amount: string): ChargedAccount => ({ ...dataset, spent: { amount, delta: "0" } })

test("the more is spent, the fewer fit; a part of the budget is smaller than the whole", () => {
  const sql = "SELECT COUNT(*) FROM visits"
  const whole = price(sql, options)
  const later = price(sql, { ...options, accounts: [spent("0.05")] })
  const part = price(sql, { ...options, accounts: [dataset, study] })
  const over = price(sql, { ...options, accounts: [study, spent("100")] })
  if (
    whole.kind !== "priced" ||
    later.kind !== "priced" ||
    part.kind !== "priced" ||
    over.kind !== "priced"
  ) {
    throw new Error("all have prices")
  }
  expect(later.more).toBeLessThan(whole.more)
  expect(later.before.share).toBeGreaterThan(0)
  // The study's part is nearer to its end, and decides.
  expect([part.account, part.more < whole.more]).toEqual(["study:heart", true])
  expect(part.after.share).toBeGreaterThan(whole.after.share)
  expect([over.account, over.fits, over.more, over.before.share]).toEqual(["dataset", false, 0, 1])
})

test("groups that come from the data take delta in proportion: it runs out no sooner than the loss", () => {
  const sql = "SELECT note, COUNT(*) AS n FROM visits GROUP BY note"
  const priced = price(sql, { ...options, wanted: { ...usual, epsilon: "0.1" } })
  if (priced.kind !== "priced") throw new Error("it has a price")
  expect(priced.after.first).toBe("loss")
  expect(priced.after.delta).toBeGreaterThan(priced.after.loss * 0.8)
  // Each takes the same share of both.
  expect(priced.more).toBe(Math.floor(1 / priced.after.loss + 1e-9) - 1)
})

test("what can be typed wrongly is found before anything is priced", () => {
  const wrong = (change: Partial<TypedAsk>) => wrongFields({ ...usual, ...change })
  expect(wrong({})).toEqual([])
  expect(wrong({ within: "5 %", epsilon: "0.25", groupsPerUnit: "auto", rowsPerGroup: "3" })).toEqual([])
  expect(wrong({ weights: "persons=2, visits = 0.5" })).toEqual([])
  expect(wrong({ within: "abc" })).toEqual(["within"])
  expect(wrong({ epsilon: "much", groupsPerUnit: "0", rowsPerGroup: "1.5", weights: "persons" })).toEqual([
    "epsilon",
    "groupsPerUnit",
    "rowsPerGroup",
    "weights",
  ])
})

test("what is kept of a draft's settings is read again, and nothing else is", () => {
  const kept: unknown = JSON.parse(JSON.stringify({ ...usual, epsilon: "0.3" }))
  expect(isTypedAsk(kept)).toBe(true)
  expect([isTypedAsk(undefined), isTypedAsk({}), isTypedAsk({ ...usual, raw: "yes" })]).toEqual([
    false,
    false,
    false,
  ])
})

test("what is wrong comes with its place and with help", () => {
  const sql = "SELECT SUM(fee) FROM visits"
  const refused = price(sql, options)
  if (refused.kind !== "issues") throw new Error("a sum without bounds is refused")
  const [issue] = refused.issues
  expect(issue?.code).toMatch(/^privacy\//)
  expect(sql.slice(issue?.start, issue?.end)).toContain("fee")
  expect(issue?.help).not.toBe("")
  const typo = price("SELECT COUNT(*) FROM visit", options)
  expect(typo).toMatchObject({ kind: "issues", issues: [{ code: "sql/unknown-table" }] })
})

test("a number that cannot be read is an issue, not a crash", () => {
  const wrong = price("SELECT COUNT(*) FROM visits", { ...options, wanted: { ...usual, epsilon: "much" } })
  expect(wrong.kind).toBe("issues")
})

test("weights and the rest shape the price, and the server gets what is not as usual", () => {
  const sql = "SELECT ward, COUNT(*) AS n, COUNT(DISTINCT patient_id) AS persons FROM visits GROUP BY ward"
  const priceOf = (wanted: Partial<TypedAsk>) => price(sql, { ...options, wanted: { ...usual, ...wanted } })
  const [plain, heavy] = [priceOf({}), priceOf({ weights: "persons=9" })]
  if (plain.kind !== "priced" || heavy.kind !== "priced") throw new Error("both have prices")
  expect(heavy.aggregates[1]?.error).not.toBe(plain.aggregates[1]?.error)
  expect(priceOf({ weights: "persons" })).toMatchObject({ kind: "issues" })
  expect(bodyOf(sql, usual)).toEqual({ sql })
  const wanted: TypedAsk = {
    epsilon: "0.1",
    within: "5%",
    groupsPerUnit: "auto",
    rowsPerGroup: "2",
    norm: "usual",
    aim: "usual",
    bounds: "auto",
    raw: true,
    nonNegative: false,
    quantileIntervals: false,
    reuse: "never",
    keys: "counts",
    keysDelta: "1e-9",
    weights: "number of rows = 2, persons=0.5",
  }
  // An error to reach stands in place of epsilon.
  expect(bodyOf(sql, wanted)).toEqual({
    sql,
    within: "5%",
    groupsPerUnit: "auto",
    rowsPerGroup: 2,
    bounds: "auto",
    nonNegative: false,
    quantileIntervals: false,
    reuse: "never",
    keys: "counts",
    keysDelta: "1e-9",
    weights: { "number of rows": "2", persons: "0.5" },
  })
  expect([needsServer(usual), needsServer(wanted)]).toEqual([false, true])
})

test("whether a norm is learnt first follows from the plan, the question and the policy", () => {
  const scaled = [{ scaled: "fixed" as const }]
  const learns = (change: Partial<TypedAsk>, norm: PolicyNorm = "auto") =>
    learnsNorm(scaled, { ...usual, ...change }, norm)
  expect([learns({}), learns({ norm: "fixed" }), learns({ rowsPerGroup: "3" })]).toEqual([true, false, false])
  expect(learns({ rowsPerGroup: "3", norm: "auto" })).toBe(true)
  expect(learns({}, "fixed")).toBe(false)
  expect(learnsNorm([{ scaled: "learnt" }], usual, "auto")).toBe(false)
  expect(learnsNorm([{}], usual, "auto")).toBe(false)
  for (const sql of [
    "SELECT ward, COUNT(*) AS n FROM visits GROUP BY ward",
    "SELECT COUNT(*) AS n FROM visits",
  ]) {
    const priced = (norm: TypedAsk["norm"]) => price(sql, { ...options, wanted: { ...usual, norm } })
    expect(priced("auto")).toMatchObject({ kind: "priced", learnsNorm: true })
    expect(priced("usual")).toMatchObject({ kind: "priced", learnsNorm: false })
  }
})

test("tables are known with their columns, for completion", () => {
  expect(tablesOf(policy)).toMatchObject([{ name: "visits", kind: "private" }])
  expect(tablesOf(policy)[0]?.columns.map(({ name }) => name)).toContain("ward")
})

test("large whole numbers come out of JSON as they were", () => {
  const plain = { a: [{ bigint: "12345678901234567890" }], b: { bigint: "x", c: 1 }, d: null }
  expect(fromPlain(plain)).toEqual({ a: [12345678901234567890n], b: { bigint: "x", c: 1 }, d: null })
})
