// Plans of quantiles whose rows are weighed, spoilt after planning: verify rejects every one.

import { beforeAll, describe, expect, test } from "vitest"
import { planOnce } from "@dosimeter/planner/testing/plan-once"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"
import { clinicPolicy } from "@dosimeter/planner/testing/clinic/clinic"
import { recharged, rejectionOf, showPlan } from "@dosimeter/planner/testing/corruptions/corrupt-plan"
import {
  weighedGroups,
  weighedRows,
  weighedStated,
} from "@dosimeter/planner/testing/corruptions/weighed-corruptions"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { isWeighed } from "../algebra/measurement.ts"
import type { ReleasePlan } from "../algebra/release-plan.ts"
import { verify } from "./verify.ts"

let grammar: Grammar

beforeAll(async () => {
  grammar = await testGrammar()
})

const questions = {
  "without groups": {
    sql: "SELECT MEDIAN(n) FROM visits",
    corruptions: [...weighedRows, ...weighedStated],
    full: 1n << 16n,
  },
  "in groups that are shown": {
    sql: "SELECT ward, MEDIAN(n) FROM visits GROUP BY ward",
    corruptions: [...weighedRows, ...weighedGroups, ...weighedStated],
    full: 1n << 32n,
  },
  "in groups that are selected": {
    sql: "SELECT code, MEDIAN(n) FROM visits GROUP BY code",
    corruptions: [...weighedRows, ...weighedGroups],
    full: 1n << 32n,
  },
}

describe.each(Object.entries(questions))("%s", (_, { sql, corruptions, full }) => {
  const { catalog, terms } = readPolicy(clinicPolicy({}))
  const planOf = (): ReleasePlan => planOnce(sql, { grammar, catalog, terms })

  test("an honest plan is proven, and says what a row counts", () => {
    const weighed = planOf().releases[0]?.measurements.filter(isWeighed) ?? []
    expect(weighed.map(({ choice }) => choice.spec.full)).toEqual([full])
    expect(rejectionOf(() => verify(planOf(), catalog))).toBe("accepted")
  })

  test.each(corruptions)("[Q3] rejects $name", ({ change }) => {
    const plan = planOf()
    const spoilt = change(plan)
    expect(showPlan(spoilt), "the corruption must change something").not.toBe(showPlan(plan))
    expect(rejectionOf(() => verify(spoilt, catalog))).toMatch(/^(bug|privacy)\//)
    expect(rejectionOf(() => verify(recharged(spoilt), catalog))).toMatch(/^(bug|privacy|parameter)\//)
  })
})
