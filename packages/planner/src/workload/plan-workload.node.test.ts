import { add, compare, rational, zero } from "@dosimeter/core/exact"
import { beforeAll, describe, expect, test } from "vitest"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { allowanceOf } from "../loss/share-out.ts"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { clinicPolicy } from "../testing/clinic/clinic.ts"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"
import { planWorkload, type Workload } from "./plan-workload.ts"

let grammar: Grammar
beforeAll(async () => {
  grammar = await testGrammar()
})

type Accounting = "pure" | "zcdp" | "gdp"

function planned(questions: readonly string[], accounting: Accounting = "zcdp"): Workload {
  const { catalog, terms } = readPolicy(clinicPolicy({ accounting }))
  return planWorkload(
    questions.map((sql, index) => ({ sql, weight: rational(BigInt(index + 1)) })),
    { grammar, catalog, terms },
  )
}

const questions = [
  "SELECT sex, COUNT(*) FROM person GROUP BY sex",
  "SELECT ward, COUNT(*), SUM(fee) FROM visits GROUP BY ward",
  "SELECT ward, SUM(fee) / COUNT(*) FROM visits GROUP BY ward",
  "SELECT day, COUNT(*) FROM visits GROUP BY day",
  "SELECT code, COUNT(*) FROM visits GROUP BY code",
  "SELECT code, COUNT(DISTINCT person_id) FROM drugs GROUP BY code",
  "SELECT MEDIAN(height) FROM person",
]

describe.each(["pure", "zcdp", "gdp"] as const)("[B6] a workload in %s", (accounting) => {
  let workload: Workload
  beforeAll(() => {
    workload = planned(questions, accounting)
  })

  test("costs the sum of its parts, which is within the allowance", () => {
    const { parts, charge } = workload
    const { terms } = readPolicy(clinicPolicy({ accounting }))
    const amount = parts.map(({ plan }) => plan.charge.amount).reduce(add, zero)
    const delta = parts.map(({ plan }) => plan.charge.delta).reduce(add, zero)
    expect([charge.amount, charge.delta]).toEqual([amount, delta])
    const { epsilonDefault, delta: most } = terms.question
    const allowance = allowanceOf(terms.budget, { epsilon: epsilonDefault, delta: most, selectsKeys: true })
    expect(compare(amount, allowance.amount)).toBeLessThanOrEqual(0)
    expect(compare(delta, most)).toBeLessThanOrEqual(0)
    expect(charge.accounting).toBe(accounting)
  })

  test("measures a table that two questions need once, and keeps errors finite", () => {
    const { parts, questions: all } = workload
    expect(parts).toHaveLength(6)
    for (const { errors, inPlan, alone } of all) {
      for (const { error } of errors) expect(Number.isFinite(error)).toBe(true)
      expect(inPlan).toBeGreaterThan(0)
      expect(alone).toBeGreaterThan(0)
    }
  })
})

test("[B6] aggregates that another question lacks are added, and no more", () => {
  expect(
    labelsIn([
      "SELECT sex, COUNT(*) FROM person GROUP BY sex",
      "SELECT sex, COUNT(*), SUM(height) FROM person GROUP BY sex",
    ]),
  ).toEqual([["COUNT(*)"], ["SUM(height)"]])
})

test("[B6] what is scaled by other weights is another number, and measured by itself", () => {
  expect(
    labelsIn([
      "SELECT ward, COUNT(*) FROM visits GROUP BY ward",
      "SELECT ward, COUNT(*), SUM(fee) FROM visits GROUP BY ward",
    ]),
  ).toEqual([["COUNT(*)"], ["COUNT(*)", "SUM(fee)"]])
})

function labelsIn(asked: readonly string[]): readonly (readonly string[])[] {
  return planned(asked).parts.map(({ plan }) =>
    plan.releases.flatMap(({ readings }) => readings.map(({ label }) => label)),
  )
}

test("[B6] what depends on nobody needs no part", () => {
  const { parts, questions: all, charge } = planned(["SELECT COUNT(*) FROM codes"])
  expect([parts.length, charge.amount, all[0]?.errors]).toEqual([0, zero, []])
})

test("[B6] a question on other rows is not the same", () => {
  const { parts } = planned([
    "SELECT ward, COUNT(*) FROM visits GROUP BY ward",
    "SELECT ward, COUNT(*) FROM visits WHERE n > 0 GROUP BY ward",
    "SELECT v.ward, COUNT(*) FROM visits v LEFT JOIN drugs d ON d.person_id = v.person_id GROUP BY v.ward",
  ])
  expect(parts).toHaveLength(3)
})
