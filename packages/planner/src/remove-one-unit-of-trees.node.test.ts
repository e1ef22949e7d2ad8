// Sums at the levels of public trees: nobody changes more than is claimed, on real tables in DuckDB.

import { isLongForm } from "@dosimeter/core/testing"
import { hasGroupings } from "@dosimeter/proof/algebra/grouping-sums"
import { hasStrategy } from "@dosimeter/proof/algebra/measurement"
import { DosimeterError } from "@dosimeter/core/errors"
import { beforeAll, expect, test } from "vitest"
import type { ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { closeDataset, loadDataset, planOrRefusal, removeEachUnit } from "./testing/units/remove-each-unit.ts"
import { withExprs } from "./testing/corruptions/corrupt-plan.ts"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"
import { tableQuestions, treeDataset, treeQuestions } from "./testing/clinic/tree-clinic.ts"

let grammar: Grammar

beforeAll(async () => {
  grammar = await testGrammar()
})

const terms = (["add-or-remove", "replace"] as const)
  .flatMap((neighbours) => (["gdp", "pure"] as const).map((accounting) => ({ neighbours, accounting })))
  .filter(
    ({ neighbours, accounting }) => isLongForm || (neighbours === "replace") === (accounting === "pure"),
  )

test.each(terms)(
  "[S1] [Q1] [Q2] [M7] nobody changes a tree more than is claimed: $neighbours, $accounting",
  async (term) => {
    const dataset = treeDataset(term)
    const loaded = await loadDataset(dataset)
    const reached = new Set<string>()
    try {
      for (const [name, sql] of Object.entries(treeQuestions)) {
        const plan = planOrRefusal(sql, readPolicy(dataset.policy), grammar)
        if (plan instanceof DosimeterError) throw plan
        // Where units are replaced in several leaves, one by one is better.
        const isOne =
          (name !== "stays" && name !== "slots") ||
          term.neighbours === "add-or-remove" ||
          term.accounting === "pure"
        if (isOne) expect(plan.releases.map(({ keys }) => hasGroupings(keys))).toEqual([true])
        const outcome = await removeEachUnit(plan, loaded)
        expect(outcome.broken, name).toEqual([])
        for (const what of outcome.reached) reached.add(what)
        if (term.accounting === "pure" || term.neighbours === "replace") continue
        if (name !== "rollup" && name !== "stays") continue
        const spoilt = await removeEachUnit(withHalfAmounts(plan), loaded)
        expect(spoilt.broken, name).not.toEqual([])
      }
    } finally {
      closeDataset(loaded)
    }
    if (term.accounting === "pure") expect([...reached]).toContain("L1")
    else if (term.neighbours === "add-or-remove") expect([...reached]).toContain("tree: loss")
  },
)

test("[S1] [Q1] [M7] nobody who is weighed changes margins more than is claimed, and who is heavy nearly as much", async () => {
  const reached = new Set<string>()
  for (const neighbours of isLongForm
    ? (["add-or-remove", "replace"] as const)
    : (["add-or-remove"] as const)) {
    const dataset = treeDataset({ neighbours, accounting: "zcdp" })
    const loaded = await loadDataset(dataset)
    try {
      for (const [name, sql] of Object.entries({ ...tableQuestions, tree: treeQuestions.slots })) {
        const plan = planOrRefusal(sql, readPolicy(dataset.policy), grammar)
        if (plan instanceof DosimeterError) throw plan
        const isWeighed = plan.releases.every(({ bounds }) => bounds.scaled !== undefined)
        if (neighbours === "add-or-remove") expect(isWeighed, name).toBe(true)
        const outcome = await removeEachUnit(plan, loaded)
        expect(outcome.broken, name).toEqual([])
        if (!isWeighed || neighbours === "replace") continue
        for (const what of outcome.reached) reached.add(what)
        const spoilt = await removeEachUnit(withMoreWeight(plan), loaded)
        expect(spoilt.broken, name).not.toEqual([])
      }
    } finally {
      closeDataset(loaded)
    }
  }
  expect([...reached]).toEqual(expect.arrayContaining(["margins: weighed", "tree: weighed"]))
})

// Weights for a norm that is larger by two in a hundred.
function withMoreWeight(plan: ReleasePlan): ReleasePlan {
  return withExprs(plan, (expr) =>
    expr.kind === "weight" ? { ...expr, bound: expr.bound + expr.bound / 50n } : expr,
  )
}

// A unit that is thought to add half of what it does.
function withHalfAmounts(plan: ReleasePlan): ReleasePlan {
  return {
    ...plan,
    releases: plan.releases.map((release) => ({
      ...release,
      measurements: release.measurements.map((one) => {
        if (!hasStrategy(one, "levels")) return one
        const { spec } = one.strategy
        return {
          ...one,
          strategy: { ...one.strategy, spec: { ...spec, upper: (spec.upper + 1n) / 2n, lower: 0n } },
        }
      }),
    })),
  }
}
