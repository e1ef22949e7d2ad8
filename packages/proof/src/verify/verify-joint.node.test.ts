// Plans of groupings whose units are weighed, spoilt after planning: verify rejects every one.

import { beforeAll, describe, expect, test } from "vitest"
import { compile } from "@dosimeter/planner/compile"
import type { ReleasePlan } from "../algebra/release-plan.ts"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { clinicPolicy } from "@dosimeter/planner/testing/clinic/clinic"
import { tableQuestions, treePolicy, treeQuestions } from "@dosimeter/planner/testing/clinic/tree-clinic"
import { recharged, rejectionOf, showPlan } from "@dosimeter/planner/testing/corruptions/corrupt-plan"
import {
  jointMechanisms,
  jointRelations,
  jointReplacements,
} from "@dosimeter/planner/testing/corruptions/joint-corruptions"
import { scaledRelations } from "@dosimeter/planner/testing/corruptions/scaled-corruptions"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"
import { verify } from "./verify.ts"

let grammar: Grammar

beforeAll(async () => {
  grammar = await testGrammar()
})

describe.each([
  ["margins", tableQuestions.slots],
  ["a tree", treeQuestions.slots],
])("%s", (name, sql) => {
  const { catalog, terms } = readPolicy(treePolicy({}))
  let plan: ReleasePlan

  beforeAll(() => {
    plan = compile(sql, { grammar, catalog, terms }).plan
  })

  test("an honest plan is proven, and counts sums over several groups", () => {
    expect(plan.releases.map(({ bounds }) => bounds.scaled?.norm)).toEqual(["l2"])
    expect(showPlan(plan).match(/"partitionBy"/g)?.length).toBeGreaterThan(1)
    expect(rejectionOf(() => verify(plan, catalog))).toBe("accepted")
  })

  // Of one amount there is no other. Less noise on the only measurement is right, once it is charged.
  const ofSeveral = [
    "a total without one of the values",
    "one measurement with less noise",
    "a value measured twice",
  ]
  const none = ["rows of units by themselves", ...(name === "margins" ? [] : ofSeveral)]
  const all = [...scaledRelations, ...jointRelations, ...jointMechanisms].filter(
    (one) => !none.includes(one.name),
  )

  test.each(all)("[Q3] rejects $name, though the charge adds up", ({ change }) => {
    const spoilt = change(plan)
    expect(showPlan(spoilt), "the corruption must change something").not.toBe(showPlan(plan))
    expect(rejectionOf(() => verify(recharged(spoilt), catalog))).toMatch(/^(bug|privacy|parameter)\//)
  })
})

test.each(jointReplacements)("[Q3] where units are replaced, rejects $name", ({ change }) => {
  const { catalog, terms } = readPolicy(clinicPolicy({ neighbours: "replace" }))
  const sql = "SELECT ward, sex, COUNT(*) FROM visits JOIN person USING (person_id) GROUP BY CUBE (ward, sex)"
  const { plan } = compile(sql, { grammar, catalog, terms })
  expect(plan.releases.map(({ bounds }) => bounds.scaled?.norm)).toEqual(["l2"])
  expect(rejectionOf(() => verify(plan, catalog))).toBe("accepted")
  expect(rejectionOf(() => verify(change(plan), catalog))).toMatch(/^bug\//)
})
