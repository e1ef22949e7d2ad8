import { budgetFor } from "@dosimeter/core"
import { add, multiply, rational, subtract } from "@dosimeter/core/exact"
import { loadGrammar } from "@dosimeter/language/parse/grammar"
import { compile, type CompileOptions } from "@dosimeter/planner/compile"
import { planSeries } from "@dosimeter/planner/series/plan-series"
import { planShare, sharesInAll, wholeCharge } from "@dosimeter/planner/workload/plan-share"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { beforeAll, expect, test } from "vitest"
import type { LedgerCharge } from "../ledger/entries/account.ts"
import { openMemoryLedger } from "../ledger/stores/memory-ledger.ts"
import { clinicPolicy } from "../testing/clinic.ts"
import { Bill, type Billed } from "./bill.ts"
import { pay, type Permit } from "./permit.ts"

const version = { name: "v1" }
let options: Omit<CompileOptions, "parameters">
let billed: Billed
beforeAll(async () => {
  options = { grammar: await loadGrammar(), ...readPolicy(clinicPolicy) }
  billed = { version, catalog: options.catalog }
})

async function permitFor(charge: LedgerCharge, of: Billed = billed): Promise<Permit> {
  const ledger = await openMemoryLedger({ dataset: "clinic" })
  await ledger.openAccount(
    "dataset",
    budgetFor({ epsilon: 1000, delta: "0.1", accounting: charge.accounting }),
  )
  const permit = await pay(ledger, Bill.ofRounds("a rule", charge, of), {
    principal: "a",
    requestId: "1",
    accounts: [],
  })
  await ledger.close()
  return permit
}

const half = sharesInAll / 2n
const people = "SELECT sex, COUNT(*) FROM patients GROUP BY sex"
const ages = "SELECT age, COUNT(*) FROM patients GROUP BY age"

test("[L4] rounds are paid for from one charge until it is used up, whatever they ask", async () => {
  const permit = await permitFor(wholeCharge(options))
  permit.use(planShare(people, half, options).plan)
  const { plan } = planShare(ages, half, options)
  permit.use(plan)
  for (const parts of [1n, half]) {
    expect(() => permit.use(planShare(people, sharesInAll / 1_000_000n + parts, options).plan)).toThrow(
      "no more than their charge",
    )
  }
  // The same plan once more is a second draw of noise, and there is nothing left to pay for it.
  expect(() => permit.use(plan)).toThrow("no more than their charge")
})

test("[L4] a round that is too dear is not read, and takes nothing", async () => {
  const whole = wholeCharge(options)
  const permit = await permitFor({ ...whole, amount: multiply(whole.amount, rational(1n, 4n)) })
  expect(() => permit.use(planShare(people, half, options).plan)).toThrow("no more than their charge")
  permit.use(planShare(people, sharesInAll / 4n, options).plan)
})

test("[L4] rounds of another accounting, of other data, of a series or with delta: no permit", async () => {
  const whole = wholeCharge(options)
  const { plan } = planShare(people, half, options)
  const pure = await permitFor({ accounting: "pure", amount: rational(10n), delta: rational(0n) })
  expect(() => pure.use(plan)).toThrow("in the measure of their charge")
  const other = readPolicy(clinicPolicy.replace("max: 9", "max: 8"))
  const elsewhere = await permitFor(whole, { version, catalog: other.catalog })
  expect(() => elsewhere.use(plan)).toThrow(
    expect.objectContaining({ issues: [expect.objectContaining({ code: "plan/of-other-data" })] }),
  )
  const series = clinicPolicy.replace(
    "fee: {",
    "day: { type: date, min: 2026-01-01, max: 2026-12-31 }\n      fee: {",
  )
  const dated = { ...options, ...readPolicy(series) }
  const totals = planSeries("SELECT day, COUNT(*) FROM visits GROUP BY day", {
    ...dated,
    from: 0n,
    periods: 5,
  })
  const steps = await permitFor(whole, { version, catalog: dated.catalog })
  expect(() => steps.use(totals.proven.plan)).toThrow("a series is paid for as one")
  const keyed = compile("SELECT city, COUNT(*) FROM visits GROUP BY city", {
    ...options,
    ask: { groupsPerUnit: 1n, rowsPerGroup: 1n },
  }).plan
  expect(keyed.charge.delta.numerator).toBeGreaterThan(0n)
  const without = await permitFor({ ...whole, amount: add(whole.amount, whole.amount) })
  expect(() => without.use(keyed)).toThrow("no more than their charge")
})

test("[L4] another rule, charge or version is another question; a smaller charge gives no permit", () => {
  const whole = wholeCharge(options)
  const hash = (rule: string, charge: LedgerCharge): string =>
    Bill.ofRounds(rule, charge, billed).question.planHash
  const less = { ...whole, amount: subtract(whole.amount, rational(1n, 10n ** 9n)) }
  expect(new Set([hash("a", whole), hash("b", whole), hash("a", less)]).size).toBe(3)
  expect(hash("a", whole)).toBe(hash("a", whole))
  expect(Bill.ofRounds("a", whole, { ...billed, version: { name: "v2" } }).question.dataVersion).toBe("v2")
})
