import { DosimeterError, lossOf } from "@dosimeter/core"
import { add, compare, numberNear, rational, zero } from "@dosimeter/core/exact"
import { chargeAmount } from "@dosimeter/core/accounting"
import { beforeAll, expect, test } from "vitest"
import type { Ask } from "@dosimeter/proof/catalog/terms"
import { compile } from "../compile.ts"
import type { ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { clinicPolicy } from "../testing/clinic/clinic.ts"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"
import { specsOf } from "../question/plan.ts"
import { partsOfLoss } from "./weigh.ts"
import { hasStrategy } from "@dosimeter/proof/algebra/measurement"

let grammar: Grammar

beforeAll(async () => {
  grammar = await testGrammar()
})

function planOf(sql: string, accounting: "pure" | "zcdp" | "gdp", weights: Ask["weights"]): ReleasePlan {
  const { catalog, terms } = readPolicy(clinicPolicy({ accounting }))
  return compile(sql, { grammar, catalog, terms, ask: weights === undefined ? {} : { weights } }).plan
}

function amounts({ releases, charge }: ReleasePlan): readonly number[] {
  return releases
    .flatMap(specsOf)
    .map((spec) => numberNear(chargeAmount(lossOf(spec), charge.accounting).amount))
}

const question =
  "SELECT sex, COUNT(*) AS persons, SUM(CASE WHEN born > '2000-01-01' THEN 1 ELSE 0 END) AS young"
const two = `${question} FROM person GROUP BY sex`

test.each([
  ["pure", 1 / 2],
  ["zcdp", 2 / 3],
  ["gdp", 2 / 3],
] as const)("[L5] the loss of %s accounts is shared out by weight^%f", (accounting, exponent) => {
  const sql = "SELECT ward, COUNT(*) AS visits, SUM(fee) AS fees FROM visits GROUP BY ward"
  // Two columns of one vector: their noise is that of parts in this proportion.
  const heavy = partsInVector(planOf(sql, accounting, { visits: rational(8n) }))
  const alike = partsInVector(planOf(sql, accounting, undefined))
  expect(heavy / alike).toBeCloseTo(8 ** exponent, 1)
  const apart = "SELECT COUNT(*) AS n, MEDIAN(fee) AS middle FROM visits"
  const [first = 0, second = 1] = amounts(planOf(apart, accounting, { n: rational(8n) }))
  expect(first / second).toBeCloseTo(8 ** exponent, 2)
})

/** The part of a vector's first column through that of its second, but for their units. */
function partsInVector({ releases, charge }: ReleasePlan): number {
  const [measurement] = releases[0]?.measurements ?? []
  if (!hasStrategy(measurement, "scaled")) return Number.NaN
  const [first = 0, second = 0] = measurement.strategy.worths.map(numberNear)
  return (second / first) ** (charge.accounting === "pure" ? 1 : 2)
}

test("[L5] a weight reaches what a column is worked out from, through expressions and subqueries", () => {
  const sql =
    "SELECT ward, 100 * n AS n, f FROM (SELECT ward, COUNT(*) AS n, SUM(fee) AS f FROM visits GROUP BY ward) t"
  const [heavy, alike] = [{ n: rational(4n) }, undefined].map((weights) =>
    partsInVector(planOf(sql, "pure", weights)),
  )
  expect((heavy ?? 0) / (alike ?? 1)).toBeCloseTo(2, 1)
})

test("[L5] what is read from one vector has the largest weight of all that is read", () => {
  const sql = "SELECT COUNT(height) AS n, AVG(height) AS mean, SUM(weight) AS w FROM person"
  const [vector = 0, other = 1] = amounts(planOf(sql, "pure", { n: rational(9n) }))
  expect(vector / other).toBeCloseTo(3, 3)
})

test("[L5] parts never add up to more than the amount, and none is nothing", () => {
  for (const weights of [
    [1, 2, 3],
    [1e-9, 1, 1e9],
    [5],
    [1, 1, 1],
    Array.from({ length: 300 }, (_, i) => 1 + i),
  ]) {
    for (const accounting of ["pure", "zcdp"] as const) {
      const amount = rational(7n, 13n)
      const parts = partsOfLoss(weights, amount, accounting)
      expect(compare(parts.reduce(add, zero), amount)).toBeLessThanOrEqual(0)
      expect(parts.every(({ numerator }) => numerator > 0n)).toBe(true)
    }
  }
})

test.each([
  ["ask/no-such-column", { nobody: rational(2n) }],
  ["ask/not-positive", { persons: rational(0n) }],
] as const)("refuses with %s", (code, weights) => {
  expect(() => planOf(two, "pure", weights)).toThrow(DosimeterError)
  try {
    planOf(two, "pure", weights)
  } catch (error) {
    expect(error instanceof DosimeterError ? error.code : "").toBe(code)
  }
})

test("[L2] all of delta that selects no keys turns the loss into epsilon", () => {
  const { terms } = readPolicy(clinicPolicy({ accounting: "gdp" }))
  const used = (sql: string): number => {
    const { shown } = planOf(sql, "gdp", undefined).charge
    return shown.measure === "approx" ? numberNear(shown.delta) / numberNear(terms.question.delta) : 0
  }
  expect(used("SELECT ward, COUNT(*) FROM visits GROUP BY ward")).toBe(1)
  expect(used("SELECT code, COUNT(DISTINCT person_id) FROM visits GROUP BY code")).toBeLessThanOrEqual(1)
  expect(used("SELECT code, COUNT(DISTINCT person_id) FROM visits GROUP BY code")).toBeGreaterThan(0.99)
  const [free = 0] = amounts(planOf("SELECT COUNT(*) FROM visits", "gdp", undefined))
  const [keys = 1] = amounts(
    planOf("SELECT code, COUNT(DISTINCT person_id) FROM visits GROUP BY code", "gdp", undefined),
  )
  expect(free / keys).toBeGreaterThan(1)
  expect(free / keys).toBeLessThan(1.04)
})
