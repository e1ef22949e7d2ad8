// Vectors of moments that were spoilt after planning: verify rejects every one.

import { hasStrategy } from "../algebra/measurement.ts"
import { beforeAll, expect, test } from "vitest"
import { compile } from "@dosimeter/planner/compile"
import { planOnce } from "@dosimeter/planner/testing/plan-once"
import type { ReleasePlan } from "../algebra/release-plan.ts"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { clinicPolicy, clinicQuestions, type ClinicQuestion } from "@dosimeter/planner/testing/clinic/clinic"
import { recharged, rejectionOf, showPlan } from "@dosimeter/planner/testing/corruptions/corrupt-plan"
import {
  falseMoments,
  momentExtracts,
  momentReads,
} from "@dosimeter/planner/testing/corruptions/moment-corruptions"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"
import { verify } from "./verify.ts"

const { catalog, terms } = readPolicy(clinicPolicy({}))
let grammar: Grammar

beforeAll(async () => {
  grammar = await testGrammar()
})

const shapes: readonly (readonly [ClinicQuestion, string])[] = [
  ["meanHeight", "tilted"],
  ["spreadHeight", "nodes"],
  ["meanOfRows", "pair"],
  ["spreadOfRows", "triple"],
]

test.each(shapes)("%s is a vector of its own shape: %s", (question, basis) => {
  const [first] = planOf(question).releases.flatMap(({ measurements }) =>
    measurements.flatMap((one) => (hasStrategy(one, "moments") ? [one.strategy.basis] : [])),
  )
  expect(first).toBe(basis)
})

test.each([...falseMoments, ...momentExtracts, ...momentReads])("[Q3] rejects $name", ({ of, change }) => {
  const plan = planOf(of)
  const spoilt = change(plan)
  expect(showPlan(spoilt), "the corruption must change something").not.toBe(showPlan(plan))
  expect(rejectionOf(() => verify(spoilt, catalog))).toMatch(/^(bug|privacy)\//)
})

// A planner that is wrong about what a unit adds charges for what it believes.
test.each([...falseMoments, ...momentExtracts])(
  "rejects $name, though the charge adds up",
  ({ of, change }) => {
    const spoilt = change(planOf(of))
    expect(rejectionOf(() => verify(recharged(spoilt), catalog))).toMatch(/^(bug|privacy|parameter)\//)
  },
)

test("a unit that is replaced moves a pair twice", () => {
  const other = readPolicy(clinicPolicy({ neighbours: "replace" }))
  const sql = clinicQuestions.meanOfRows
  const { plan } = compile(sql, { grammar, catalog: other.catalog, terms: other.terms })
  const [vector] = plan.releases.flatMap(({ measurements }) =>
    measurements.flatMap((one) => (hasStrategy(one, "moments") ? [one.strategy] : [])),
  )
  expect(vector?.basis).toBe("pair")
  const [block] = vector?.spec.sensitivity.patterns.flat() ?? []
  const { groupsPerUnit } = plan.releases[0]?.bounds ?? { groupsPerUnit: 0n }
  expect(block?.groups).toBe(2n * groupsPerUnit)
})

function planOf(question: ClinicQuestion): ReleasePlan {
  return planOnce(clinicQuestions[question], { grammar, catalog, terms })
}
