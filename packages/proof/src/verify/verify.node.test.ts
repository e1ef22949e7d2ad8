// Plans that were spoilt after planning, each in one way that could cost privacy: verify rejects every one.

import { beforeAll, expect, test } from "vitest"
import { compile } from "@dosimeter/planner/compile"
import { planOnce } from "@dosimeter/planner/testing/plan-once"
import type { ReleasePlan } from "../algebra/release-plan.ts"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { clampCorruptions } from "@dosimeter/planner/testing/corruptions/clamp-corruptions"
import { clinicPolicy, clinicQuestions, type ClinicQuestion } from "@dosimeter/planner/testing/clinic/clinic"
import {
  falseMargins,
  replaceMargins,
  unpaidMargins,
} from "@dosimeter/planner/testing/corruptions/margin-corruptions"
import {
  falseSpecs,
  planCorruptions,
  postCorruptions,
  replaceCorruptions,
  unpaidSpecs,
} from "@dosimeter/planner/testing/corruptions/mechanism-corruptions"
import {
  boundingCorruptions,
  unitCorruptions,
  valueCorruptions,
  type Corruption,
} from "@dosimeter/planner/testing/corruptions/relation-corruptions"
import { workCorruptions } from "@dosimeter/planner/testing/corruptions/work-corruptions"
import { recharged, rejectionOf, showPlan } from "@dosimeter/planner/testing/corruptions/corrupt-plan"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"
import { verify } from "./verify.ts"

const policy = readPolicy(clinicPolicy({}))
const { catalog, terms } = policy
const replacing = readPolicy(clinicPolicy({ neighbours: "replace", accounting: "pure" }))
const questions = Object.entries(clinicQuestions)
let grammar: Grammar

beforeAll(async () => {
  grammar = await testGrammar()
})

const corruptions: readonly Corruption[] = [
  ...boundingCorruptions,
  ...valueCorruptions,
  ...clampCorruptions,
  ...unitCorruptions,
  ...workCorruptions,
  ...falseSpecs,
  ...unpaidSpecs,
  ...falseMargins,
  ...unpaidMargins,
  ...planCorruptions,
  ...postCorruptions(catalog),
]

/** The same relations with other mechanisms: Laplace, permute-and-flip, and changes that go both ways. */
const corruptionsUnderReplace: readonly Corruption[] = [
  ...boundingCorruptions,
  ...valueCorruptions.filter(({ of }) => of !== "values"),
  ...unitCorruptions,
  ...replaceCorruptions,
  ...replaceMargins,
]

test.each(questions)("proves the plan of an honest question: %s", (_name, sql) => {
  const { plan } = compile(sql, { grammar, catalog, terms })
  expect(verify(plan, catalog)).toEqual(plan)
})

test("there are enough corruptions", () => {
  expect(corruptions.length).toBeGreaterThanOrEqual(100)
})

test.each(corruptions)("[Q3] rejects $name", ({ of, change }) => {
  const plan = planOf(of)
  const spoilt = change(plan)
  expect(showPlan(spoilt), "the corruption must change something").not.toBe(showPlan(plan))
  expect(rejectionOf(() => verify(spoilt, catalog))).toMatch(/^bug\//)
})

// A planner that is wrong about a sensitivity charges for what it believes.
test.each([...falseSpecs, ...falseMargins])("rejects $name, though the charge adds up", ({ of, change }) => {
  const spoilt = change(planOf(of))
  expect(rejectionOf(() => verify(recharged(spoilt), catalog))).toMatch(/^(bug|privacy|parameter)\//)
})

test.each([...unpaidSpecs, ...unpaidMargins])("accepts $name, once it is charged", ({ of, change }) => {
  const paid = recharged(change(planOf(of)))
  expect(verify(paid, catalog)).toEqual(paid)
})

test.each(corruptionsUnderReplace)("rejects $name, where neighbours are replaced", ({ of, change }) => {
  const { catalog: other, terms: others } = replacing
  const plan = planOnce(clinicQuestions[of], { grammar, catalog: other, terms: others })
  const spoilt = change(plan)
  expect(showPlan(spoilt), "the corruption must change something").not.toBe(showPlan(plan))
  expect(rejectionOf(() => verify(spoilt, other))).toMatch(/^(bug|privacy)\//)
})

function planOf(question: ClinicQuestion): ReleasePlan {
  return planOnce(clinicQuestions[question], { grammar, catalog, terms })
}
