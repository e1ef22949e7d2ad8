// Whatever can be asked changes by no more than is claimed when a person comes, goes or changes: a sample of
// remove-one-unit-kinds.deep.test.ts, which also sees that every kind of node, aggregate and key occurs.

import { sampleOf } from "@dosimeter/core/testing"
import { DosimeterError } from "@dosimeter/core/errors"
import { beforeAll, expect, test } from "vitest"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { randomDataset } from "./testing/random/random-tables.ts"
import { closeDataset, loadDataset, planOrRefusal, removeEachUnit } from "./testing/units/remove-each-unit.ts"
import { askQuestions } from "./testing/units/question-campaign.ts"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"

let grammar: Grammar

beforeAll(async () => {
  grammar = await testGrammar()
})

test.each(sampleOf(["schema 2", "schema 1"], 1))(
  "[Q1] [Q2] [Q6] nobody changes more than is claimed: %s",
  async (seed) => {
    const campaign = { seed, grammar, accepted: 10, claims: seed === "schema 2", cover: () => {} }
    const { accepted, problems } = await askQuestions(campaign)
    expect(problems.join("\n")).toBe("")
    expect(accepted).toBeGreaterThan(5)
  },
)

test("[M4] the claim of keys that are selected by rows is reached, and a smaller one refuted", async () => {
  const reached: string[] = []
  const refuted: string[] = []
  for (const seed of ["schema 0", "schema 1", "schema 2", "schema 3"]) {
    const dataset = randomDataset(seed)
    const sql = "SELECT visit_id, COUNT(*) FROM drugs GROUP BY visit_id"
    const plan = planOrRefusal(sql, readPolicy(dataset.policy), grammar, { keys: "counts" })
    if (plan instanceof DosimeterError) throw plan
    const releases = plan.releases.map((release) => {
      const { keys } = release
      if (keys.kind !== "private" || !("rowsPerGroup" in keys.spec)) return release
      return { ...release, keys: { ...keys, spec: { ...keys.spec, rowsPerGroup: 1n } } }
    })
    const loaded = await loadDataset(dataset)
    try {
      const outcome = await removeEachUnit(plan, loaded, dataset.owners)
      expect(outcome.broken).toEqual([])
      reached.push(...outcome.reached)
      refuted.push(...(await removeEachUnit({ ...plan, releases }, loaded, dataset.owners)).broken)
    } finally {
      closeDataset(loaded)
    }
  }
  expect(reached).toContain("keys: rows")
  expect(refuted).not.toEqual([])
})
