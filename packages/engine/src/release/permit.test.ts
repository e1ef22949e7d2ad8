import { seededBits } from "@dosimeter/core/testing"
import { add, one } from "@dosimeter/core/exact"
import { compile, type CompileOptions } from "@dosimeter/planner/compile"
import { planSeries } from "@dosimeter/planner/series/plan-series"
import { loadGrammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import type { VerifiedPlan } from "@dosimeter/proof/verify/verify"
import { beforeAll, expect, test } from "vitest"
import { paidTables, permitOf } from "../testing/read-paid.ts"
import { Bill, type Billed } from "./bill.ts"
import { releaseKey } from "./key/release-key.ts"
import { Permit } from "./permit.ts"
import { releaseTables } from "./release.ts"
import { Secret } from "./secret/secret.ts"

const policy = `
dataset: clinic
source: { duckdb: clinic.duckdb }
unit: patient
neighbours: add-or-remove
budget: { epsilon: 10, delta: 1e-5, accounting: zcdp }
question: { epsilon: { default: 1, max: 4 }, delta: 1e-8 }
bounding: { groups_per_unit: 1, rows_per_group: 1, norm: fixed }
tables:
  patients:
    unit: id
    keys: [id]
    columns:
      id: integer
      age: { type: integer, min: 0, max: 120 }
  visits:
    unit: patient_id
    columns:
      day: { type: date, min: 2026-01-01, max: 2026-12-31 }
`
const version = { name: "v1" }
let billed: Billed
let options: CompileOptions
let count: VerifiedPlan
let sum: VerifiedPlan

beforeAll(async () => {
  options = { grammar: await loadGrammar(), ...readPolicy(policy) }
  billed = { version, catalog: options.catalog }
  count = compile("SELECT COUNT(*) FROM patients", options).plan
  sum = compile("SELECT SUM(age) FROM patients", options).plan
})

test("[L4] a permit is for the plans of its bill, each once", async () => {
  const permit = await permitOf(count, version)
  expect(() => permit.use(sum)).toThrow("what is read is paid for, and read once")
  permit.use(count)
  expect(() => permit.use(count)).toThrow("what is read is paid for, and read once")
})

test("[L4] a charge of another question, another version or a smaller amount gives no permit", async () => {
  const { reservation } = await permitOf(count, version)
  expect(() => new Permit(releaseKey, Bill.ofPlan(sum, billed), reservation)).toThrow("of the question")
  expect(
    () => new Permit(releaseKey, Bill.ofPlan(count, { ...billed, version: { name: "v2" } }), reservation),
  ).toThrow("of the question")
  const less = {
    ...reservation,
    charge: { ...reservation.charge, amount: { numerator: 1n, denominator: 10n ** 9n } },
  }
  expect(() => new Permit(releaseKey, Bill.ofPlan(count, billed), less)).toThrow("a charge covers")
})

test("[L4] the bill of several plans is the sum of theirs, or there is none", () => {
  const parts = [{ plan: count }, { plan: sum }]
  const amount = add(count.charge.amount, sum.charge.amount)
  const delta = add(count.charge.delta, sum.charge.delta)
  const charge = { ...count.charge, amount, delta }
  expect(Bill.ofSeveral({ parts, questions: [], charge }, billed).plans).toEqual([count, sum])
  for (const wrong of [
    { ...charge, amount: count.charge.amount },
    { ...charge, amount: add(amount, one) },
    { ...charge, accounting: charge.accounting === "pure" ? ("zcdp" as const) : ("pure" as const) },
  ]) {
    expect(() => Bill.ofSeveral({ parts, questions: [], charge: wrong }, billed)).toThrow("is the sum")
  }
})

test("a secret shows nothing, and opens with the one key only", async () => {
  const secret = new Secret({ age: 41 })
  expect(secret.open(releaseKey)).toEqual({ age: 41 })
  for (const text of [String(secret), JSON.stringify({ secret }), JSON.stringify(Object.entries(secret))]) {
    expect(text).not.toContain("41")
  }
  const disguised = {}
  Object.setPrototypeOf(disguised, Reflect.getPrototypeOf(releaseKey))
  for (const key of [{}, disguised]) {
    expect(() => {
      Reflect.apply(secret.open, secret, [key])
    }).toThrow("only the key of release")
  }
  const [tables] = await paidTables(count, [{ rows: [{ keys: [], values: [41n] }] }])
  expect(() => {
    Reflect.apply(tables?.take ?? (() => {}), tables, [{}])
  }).toThrow("only the key of release")
  // The key was no key: what is inside is still there to be released.
  expect(tables?.take(releaseKey)).toEqual([{ rows: [{ keys: [], values: [41n] }] }])
})

test("[L4] a series is not paid for as a question", () => {
  const sql = "SELECT day, COUNT(*) FROM visits GROUP BY day"
  const series = planSeries(sql, { ...options, from: 0n, periods: 5 })
  expect(() => Bill.ofPlan(series.proven.plan, billed)).toThrow("a series is paid for as one")
  const together = { parts: [series.proven], questions: [], charge: series.proven.charge }
  expect(() => Bill.ofSeveral(together, billed)).toThrow("a series is paid for as one")
})

test("[L4] what was read for one charge is released once", async () => {
  const [tables] = await paidTables(count, [{ rows: [{ keys: [], values: [41n] }] }])
  if (tables === undefined) throw new Error("nothing was read")
  // Not by a copy either: what is inside is in no copy.
  const copy = { for: tables.for, kind: tables.kind }
  Object.setPrototypeOf(copy, Reflect.getPrototypeOf(tables))
  expect(() => {
    Reflect.apply(releaseTables, undefined, [copy, seededBits("copy")])
  }).toThrow(TypeError)
  expect(releaseTables(tables, seededBits("one"))).toHaveLength(1)
  const again = (): unknown => releaseTables(tables, seededBits("two"))
  expect(again).toThrow("what was read for one charge is released once")
  expect(again).toThrow(expect.objectContaining({ code: "bug/invariant" }))
})
