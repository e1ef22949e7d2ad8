// Estimates of what bounding and clamping leave out are releases like any other: paid, proven, and true on
// neighbouring tables.

import { isLongForm } from "@dosimeter/core/testing"
import { DosimeterError } from "@dosimeter/core/errors"
import { add, exactly, numberNear, rational } from "@dosimeter/core/exact"
import { beforeAll, expect, test } from "vitest"
import type { Ask } from "@dosimeter/proof/catalog/terms"
import { compile } from "../compile.ts"
import type { BiasPlan, ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { clinicPolicy, clinicQuestions } from "../testing/clinic/clinic.ts"
import { randomQuestion } from "../testing/random/random-question.ts"
import { randomDataset } from "../testing/random/random-tables.ts"
import { closeDataset, loadDataset, removeEachUnit } from "../testing/units/remove-each-unit.ts"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"
import { verify } from "@dosimeter/proof/verify/verify"

const { catalog, terms } = readPolicy(clinicPolicy({}))
const bias = exactly("0.2", "share")
let grammar: Grammar
beforeAll(async () => {
  grammar = await testGrammar()
})

function planOf(sql: string, ask: Ask = { bias }): ReleasePlan {
  return compile(sql, { grammar, catalog, terms, ask }).plan
}

function codeOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    if (error instanceof DosimeterError) return error.code
    throw error
  }
  return "accepted"
}

test("[P3] an estimate is part of the loss that was asked for", () => {
  for (const sql of Object.values(clinicQuestions)) {
    const [with_, without] = [planOf(sql), planOf(sql, {})]
    const ratio = numberNear(with_.charge.amount) / numberNear(without.charge.amount)
    // Draws of quantiles are rounded down by themselves.
    expect(ratio, sql).toBeLessThanOrEqual(1 + 1e-6)
    expect(ratio, sql).toBeGreaterThan(0.99)
    expect(with_.outputNames, sql).toEqual(without.outputNames)
    expect(with_.releases.length, sql).toBe(without.releases.length + (with_.bias?.length ?? 0))
  }
})

const visits = "SELECT ward, COUNT(*) AS n, SUM(fee) AS fees FROM visits GROUP BY ward"

test("what is cut is named: groups, rows, values at the ends of their bounds", () => {
  const texts = planOf(visits).bias?.flatMap(({ items }) => items.map(({ text }) => text)) ?? []
  expect(texts).toHaveLength(7)
  expect(texts[0]).toMatch(/^\{\} units \(person\) are in more than \d+ groups$/)
  expect(texts.at(-2)).toBe("COUNT(*), all groups together, may be low by up to {} for what is left out")
  const none = planOf("SELECT COUNT(DISTINCT person_id) FROM visits")
  expect(none.bias).toBeUndefined()
  expect(none.notes).toContain("nothing of anybody is left out, and no value is clamped")
})

test("groupings that are measured together are looked at by all of their keys", () => {
  const sql = "SELECT sex, ward, COUNT(*) FROM visits JOIN person USING (person_id) GROUP BY CUBE (sex, ward)"
  const { bias: found = [], releases } = planOf(sql)
  expect(releases[0]?.keys).toHaveProperty("groupings")
  expect(found).toHaveLength(1)
  expect(found[0]?.items[0]?.text).toContain("are in more than")
})

test("a share that leaves little or nothing for the answer is refused", () => {
  expect(codeOf(() => planOf(visits, { bias: rational(0n) }))).toBe("ask/not-positive")
  expect(codeOf(() => planOf(visits, { bias: exactly("0.6", "share") }))).toBe("ask/too-large")
})

test("[Q3] [P3] rejects an estimate that reads people, another release, or is not charged", () => {
  const plan = planOf(visits)
  const [estimate] = plan.bias ?? []
  const [own] = plan.releases
  const people = own?.extracts[0]?.rel
  if (estimate === undefined || own === undefined || people === undefined) throw new Error("an estimate")
  const spoilt = (change: Partial<BiasPlan>): ReleasePlan => ({ ...plan, bias: [{ ...estimate, ...change }] })
  const items = people.columns.map(() => ({ kind: "amount", text: "{}" }) as const)
  const leaf = { kind: "released", release: 0, columns: people.columns } as const
  expect(codeOf(() => verify(spoilt({ post: people, items }), catalog))).toBe("bug/plan-rejected")
  expect(codeOf(() => verify(spoilt({ post: leaf, items }), catalog))).toBe("bug/plan-rejected")
  expect(codeOf(() => verify(spoilt({ items: [] }), catalog))).toBe("bug/plan-rejected")
  const free = {
    ...plan.charge,
    amount: planOf(visits, { epsilon: exactly("0.1", "epsilon") }).charge.amount,
  }
  expect(codeOf(() => verify({ ...plan, charge: free }, catalog))).toBe("bug/plan-rejected")
  const more = { ...plan.charge, amount: add(plan.charge.amount, rational(1n, 1000n)) }
  expect(codeOf(() => verify({ ...plan, charge: more }, catalog))).toBe("bug/plan-rejected")
})

test.each(isLongForm ? ["bias 0", "bias 1", "bias 2"] : ["bias 0"])(
  "[Q1] [Q2] nobody changes an estimate by more than is claimed: %s",
  async (seed) => {
    const dataset = randomDataset(seed)
    const policy = readPolicy(dataset.policy)
    const loaded = await loadDataset(dataset)
    const problems: string[] = []
    let estimates = 0
    try {
      for (let place = 0; place < 40 && estimates < 5; place += 1) {
        const sql = randomQuestion(dataset, `${seed}, question ${place}`)
        let plan: ReleasePlan
        try {
          plan = compile(sql, { grammar, ...policy, ask: { bias } }).plan
        } catch (error) {
          if (error instanceof DosimeterError && error.kind !== "bug") continue
          throw error
        }
        const count = plan.bias?.length ?? 0
        if (count === 0) continue
        estimates += 1
        const alone = { ...plan, releases: plan.releases.slice(-count) }
        const { broken } = await removeEachUnit(alone, loaded)
        if (broken.length > 0) problems.push(`${broken.slice(0, 3).join("; ")}\n  ${sql}`)
      }
    } finally {
      closeDataset(loaded)
    }
    expect(problems.join("\n")).toBe("")
    expect(estimates).toBeGreaterThan(1)
  },
)
