// Plans whose units are scaled to a norm, spoilt after planning: verify rejects every one.

import { beforeAll, describe, expect, test } from "vitest"
import { compile } from "@dosimeter/planner/compile"
import { planOnce } from "@dosimeter/planner/testing/plan-once"
import { hasStrategy, type LinearMeasurement } from "../algebra/measurement.ts"
import type { ReleasePlan } from "../algebra/release-plan.ts"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { clinicPolicy, clinicQuestions } from "@dosimeter/planner/testing/clinic/clinic"
import { recharged, rejectionOf, showPlan } from "@dosimeter/planner/testing/corruptions/corrupt-plan"
import {
  scaledMechanisms,
  scaledRelations,
  selectedCorruptions,
} from "@dosimeter/planner/testing/corruptions/scaled-corruptions"
import {
  clampedMoments,
  scaledMoments,
} from "@dosimeter/planner/testing/corruptions/scaled-moment-corruptions"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"
import { verify } from "./verify.ts"

let grammar: Grammar

beforeAll(async () => {
  grammar = await testGrammar()
})

const cases = [
  ...(["scaled", "scaledByCode", "averages", "besides"] as const).flatMap((question) =>
    (["zcdp", "pure"] as const).map((accounting) => ({ question, accounting })),
  ),
  { question: "peopleByCode", accounting: "zcdp" },
] as const

const widths = { scaled: 3, scaledByCode: 2, peopleByCode: 1, averages: 4, besides: 4 } as const

describe.each(cases)("$question, $accounting", ({ question, accounting }) => {
  const { catalog, terms } = readPolicy(clinicPolicy({ accounting }))
  // The number of people in groups from the data is scaled where its norm is learnt.
  const learnt = question === "peopleByCode" ? ({ learnsNorm: true } as const) : {}
  const planOf = (): ReleasePlan =>
    planOnce(clinicQuestions[question], { grammar, catalog, terms, ...learnt })

  test("an honest plan is proven: one vector, in the norm that suits the accounting", () => {
    const vector = vectorOf(planOf())
    expect(vector?.columns).toHaveLength(widths[question])
    expect(vector?.strategy.spec.sensitivity.norm).toBe(accounting === "pure" ? "l1" : "l2")
    expect(rejectionOf(() => verify(planOf(), catalog))).toBe("accepted")
  })

  // Laplace noise is for an L1 norm, and an L1 norm needs no rows of pairs.
  const ofL2 = ["Laplace noise for an L2 norm", "rows of units by themselves", "sizes in place of squares"]
  // What adds up one value is no total without one of them.
  const fine =
    accounting === "pure" ? ofL2 : question === "peopleByCode" ? ["a total without one of the values"] : []
  const all = [
    ...scaledRelations,
    ...scaledMechanisms,
    ...(question === "scaledByCode" || question === "peopleByCode" ? selectedCorruptions : []),
    ...(question === "averages" || question === "besides" ? scaledMoments : []),
    ...(question === "averages" ? clampedMoments : []),
  ].filter(({ name }) => !fine.includes(name))

  test.each(all)("[Q3] rejects $name", ({ change }) => {
    const plan = planOf()
    const spoilt = change(plan)
    expect(showPlan(spoilt), "the corruption must change something").not.toBe(showPlan(plan))
    expect(rejectionOf(() => verify(spoilt, catalog))).toMatch(/^(bug|privacy)\//)
  })

  test.each(all)("rejects $name, though the charge adds up", ({ change }) => {
    const spoilt = change(planOf())
    expect(rejectionOf(() => verify(recharged(spoilt), catalog))).toMatch(/^(bug|privacy|parameter)\//)
  })
})

test("a unit that is replaced moves the vector by the root of two, or twice where amounts have signs", () => {
  const { catalog, terms } = readPolicy(clinicPolicy({ neighbours: "replace" }))
  const blocksOf = (sql: string): unknown =>
    vectorOf(compile(sql, { grammar, catalog, terms }).plan)?.strategy.spec.sensitivity.patterns.flat()
  expect(blocksOf("SELECT ward, COUNT(*) FROM visits GROUP BY ward")).toEqual([
    { groups: 2n, amount: expect.any(BigInt) },
  ])
  expect(blocksOf("SELECT ward, SUM(CLAMP(n, -3, 3)) FROM visits GROUP BY ward")).toEqual([
    { groups: 1n, amount: expect.any(BigInt) },
  ])
})

function vectorOf(plan: ReleasePlan): LinearMeasurement<"scaled"> | undefined {
  const [first] = plan.releases.flatMap(({ measurements }) => measurements)
  return hasStrategy(first, "scaled") ? first : undefined
}
