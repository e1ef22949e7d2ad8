// Whatever can be asked changes by no more than is claimed when a person comes, goes or changes: a sample of
// remove-one-unit-kinds.deep.test.ts, which also sees that every kind of node, aggregate and key occurs.

import { sampleOf } from "@dosimeter/core/testing"
import { DosimeterError } from "@dosimeter/core/errors"
import { rational } from "@dosimeter/core/exact"
import { normSensitivity } from "@dosimeter/core/mechanisms"
import { hasStrategy } from "@dosimeter/proof/algebra/measurement"
import type { ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import { beforeAll, expect, test } from "vitest"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { randomDataset } from "./testing/random/random-tables.ts"
import {
  closeDataset,
  learntOrRefusal,
  loadDataset,
  planOrRefusal,
  removeEachUnit,
} from "./testing/units/remove-each-unit.ts"
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

test("[M4] people in groups from the data: a learnt norm is reached in all of their groups, and a smaller one refuted", async () => {
  const reached: string[] = []
  const refuted: string[] = []
  for (const [place, seed] of ["schema 0", "schema 2"].entries()) {
    const dataset = randomDataset(seed)
    const sql = "SELECT visit_id, COUNT(DISTINCT person_id) FROM drugs GROUP BY visit_id"
    const loaded = await loadDataset(dataset)
    try {
      for (const bound of [rational(1n), rational(3n, 2n), rational(4n)]) {
        const plan = learntOrRefusal(sql, readPolicy(dataset.policy), { grammar, bound })
        if (plan instanceof DosimeterError) throw plan
        expect(plan.releases.map(({ extracts, keys }) => [extracts.length, keys.kind])).toEqual([
          [2, "private"],
        ])
        const outcome = await removeEachUnit(plan, loaded, dataset.owners)
        expect(outcome.broken, `schema ${place}`).toEqual([])
        reached.push(...outcome.reached)
        refuted.push(...(await removeEachUnit(withHalfTheNorm(plan), loaded, dataset.owners)).broken)
      }
    } finally {
      closeDataset(loaded)
    }
  }
  expect(reached).toContain("scaled: norm")
  expect(refuted.join("; ")).toContain("scaled: L2 squared")
})

function withHalfTheNorm(plan: ReleasePlan): ReleasePlan {
  const releases = plan.releases.map((release) => ({
    ...release,
    measurements: release.measurements.map((one) => {
      if (!hasStrategy(one, "scaled")) return one
      const { strategy } = one
      const { neighbours } = strategy.spec.sensitivity
      const bound = (release.bounds.scaled?.bound ?? 2n) / 2n
      const norm = strategy.spec.sensitivity.norm ?? "l2"
      const sensitivity = normSensitivity({ norm, bound, isSigned: false, neighbours })
      return { ...one, strategy: { ...strategy, spec: { ...strategy.spec, sensitivity } } }
    }),
  }))
  return { ...plan, releases }
}
