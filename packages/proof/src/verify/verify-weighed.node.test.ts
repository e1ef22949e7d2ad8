// Plans of quantiles whose rows are weighed, spoilt after planning: verify rejects every one.

import { beforeAll, describe, expect, test } from "vitest"
import { planOnce } from "@dosimeter/planner/testing/plan-once"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"
import { clinicPolicy } from "@dosimeter/planner/testing/clinic/clinic"
import { recharged, rejectionOf, showPlan } from "@dosimeter/planner/testing/corruptions/corrupt-plan"
import { designCopies } from "@dosimeter/planner/copies/design-copies"
import {
  countedRows,
  storedRows,
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
    corruptions: [...weighedRows, ...countedRows, ...weighedStated],
    full: 1n << 16n,
  },
  "in groups that are shown": {
    sql: "SELECT ward, MEDIAN(n) FROM visits GROUP BY ward",
    corruptions: [...weighedRows, ...countedRows, ...weighedGroups, ...weighedStated],
    full: 1n << 32n,
  },
  "in groups that are selected": {
    sql: "SELECT code, MEDIAN(n) FROM visits GROUP BY code",
    corruptions: [...weighedRows, ...countedRows, ...weighedGroups],
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

describe("over copies that hold how many rows a person has in a group", () => {
  const policy = clinicPolicy({}).replace("min: -2, max: 10 }", "min: -2, max: 10, nullable: false }")
  const { catalog, terms } = readPolicy(policy)
  const keys = { visits: [[{ column: "ward" }], [{ column: "code" }]] }
  const prepared = designCopies(catalog, { schema: [], keys })
  const other = prepared.find(({ label }) => label === "visits by code")
  if (other === undefined) throw new Error("there is a copy by code")
  const sql = "SELECT ward, MEDIAN(n) FROM visits GROUP BY ward"
  const planOf = (): ReleasePlan => planOnce(sql, { grammar, catalog, terms, prepared })

  test("an honest plan is proven, and counts no rows itself", () => {
    const [release] = planOf().releases
    expect(release?.prepared).toEqual(["visits by ward"])
    expect(release?.measurements.filter(isWeighed)).toHaveLength(1)
    expect(showPlan(planOf())).not.toContain('"function":"rows"')
    expect(rejectionOf(() => verify(planOf(), catalog, prepared))).toBe("accepted")
  })

  const all = [...weighedRows, ...weighedGroups, ...weighedStated, ...storedRows(other)]
  test.each(all)("[Q3] rejects $name", ({ change }) => {
    const spoilt = change(planOf())
    expect(showPlan(spoilt), "the corruption must change something").not.toBe(showPlan(planOf()))
    expect(rejectionOf(() => verify(spoilt, catalog, prepared))).toMatch(/^(bug|privacy)\//)
    expect(rejectionOf(() => verify(recharged(spoilt), catalog, prepared))).toMatch(
      /^(bug|privacy|parameter)\//,
    )
  })
})
