// Keys that come from the data, beside COUNT(*): apart, or both from one noisy number.

import { compare, numberNear, rational } from "@dosimeter/core/exact"
import { lossOf } from "@dosimeter/core/mechanisms"
import { chargeAmount, type Accounting } from "@dosimeter/core/accounting"
import { beforeAll, describe, expect, test } from "vitest"
import type { Ask } from "@dosimeter/proof/catalog/terms"
import type { Release, ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"
import { hasStrategy } from "@dosimeter/proof/algebra/measurement"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { verify } from "@dosimeter/proof/verify/verify"
import { compile } from "../compile.ts"
import { explain } from "../explain/explain.ts"

let grammar: Grammar
beforeAll(async () => {
  grammar = await testGrammar()
})

const policyOf = (accounting: Accounting): string => `
dataset: d
source: { duckdb: d.duckdb }
neighbours: add-or-remove
budget: { epsilon: 10, delta: 1e-5, accounting: ${accounting} }
question: { epsilon: 1, delta: 2e-6 }
bounding: { groups_per_unit: 8, rows_per_group: 2 }
tables:
  events:
    unit: person_id
    columns:
      person_id: integer
      code: text
      ward: { values: [A, B] }
`
const byCode = "SELECT code, COUNT(*) AS n FROM events GROUP BY code"

function planOf(sql: string, ask: Ask = {}, accounting: Accounting = "zcdp"): ReleasePlan {
  const { catalog, terms } = readPolicy(policyOf(accounting))
  return compile(sql, { grammar, catalog, terms, ask }).plan
}

function releaseOf(plan: ReleasePlan): Release {
  const [release] = plan.releases
  if (release === undefined) throw new Error("a release")
  return release
}

function isOne(plan: ReleasePlan): boolean {
  const { keys, measurements, readings } = releaseOf(plan)
  return keys.kind === "private" && measurements.length === 0 && readings[0]?.kind === "key-count"
}

/** The noise of the count, and the size at which a group is shown. */
function sizesOf(plan: ReleasePlan): { readonly sigma: number; readonly threshold: bigint } {
  const { keys, measurements } = releaseOf(plan)
  const spec = keys.kind === "private" ? keys.spec : undefined
  if (spec?.kind === "keys-gaussian" && measurements.length === 0) {
    return { sigma: Math.sqrt(numberNear(spec.variance)), threshold: spec.threshold }
  }
  const [count] = measurements
  if (!hasStrategy(count, "scaled")) throw new Error("a count that is scaled")
  const { spec: noise, worths } = count.strategy
  if (noise.kind !== "gaussian") throw new Error("Gaussian noise")
  const sigma = Math.sqrt(numberNear(noise.variance)) * numberNear(worths[0] ?? rational(1n))
  return { sigma, threshold: 0n }
}

describe("[M4] keys and COUNT(*)", () => {
  test("from one number have all of the loss: less noise, and the same charge", () => {
    const [apart, one] = (["more", "counts"] as const).map((keys) => planOf(byCode, { keys }))
    if (apart === undefined || one === undefined) throw new Error("two plans")
    expect([isOne(apart), isOne(one)]).toEqual([false, true])
    expect(sizesOf(apart).sigma / sizesOf(one).sigma).toBeCloseTo(Math.SQRT2, 2)
    expect(numberNear(one.charge.amount) / numberNear(apart.charge.amount)).toBeCloseTo(1, 6)
    expect(compare(one.charge.delta, apart.charge.delta)).toBeGreaterThanOrEqual(0)
  })

  test("are bought apart, so that nothing is dropped, unless the question says otherwise", () => {
    expect(isOne(planOf(byCode))).toBe(false)
    expect(isOne(planOf(byCode, { rowsPerGroup: 1n }))).toBe(false)
    expect(isOne(planOf(byCode, { weights: { n: rational(20n) } }))).toBe(false)
    expect(isOne(planOf(byCode, { keys: "counts" }))).toBe(true)
  })

  test("where each is in one group, one number is taken if only one row counts, or the count matters more", () => {
    const ofOne = (ask: Ask): boolean => isOne(planOf(byCode, { groupsPerUnit: 1n, ...ask }, "pure"))
    expect(ofOne({ rowsPerGroup: 1n })).toBe(true)
    expect(ofOne({ rowsPerGroup: 1n, keys: "more" })).toBe(false)
  })

  test("are apart where something else is asked for, or people, whose count comes with the keys", () => {
    for (const sql of [
      "SELECT code, COUNT(*) FILTER (WHERE ward = 'A') AS n FROM events GROUP BY code",
      "SELECT code, COUNT(*) AS n, COUNT(DISTINCT person_id) FROM events GROUP BY code",
      "SELECT code, COUNT(*) AS n, COUNT(DISTINCT ward) FROM events GROUP BY code",
    ]) {
      expect(releaseOf(planOf(sql, { keys: "counts" })).measurements.length).toBeGreaterThan(0)
    }
    expect(
      releaseOf(planOf("SELECT ward, COUNT(*) FROM events GROUP BY ward", { keys: "counts" })).keys.kind,
    ).toBe("public")
  })

  test.each(["pure", "zcdp", "gdp"] as const)("are within the loss: %s", (accounting) => {
    for (const keys of ["more", "counts"] as const) {
      const plan = planOf(byCode, { keys }, accounting)
      expect(isOne(plan)).toBe(keys === "counts")
      const { keys: selected } = releaseOf(plan)
      if (selected.kind !== "private") throw new Error("keys from the data")
      const { delta } = chargeAmount(lossOf(selected.spec), accounting)
      expect(numberNear(delta)).toBeLessThanOrEqual(2e-6)
    }
  })

  test("are explained: which was taken, and what the other would give", () => {
    const shown = (ask: Ask): string => {
      const { releases, notes } = explain(planOf(byCode, ask))
      return [releases[0]?.groups, ...notes].join("\n")
    }
    expect(shown({})).toContain("keys and counts are bought apart; from one noisy number (keys: counts)")
    expect(shown({ keys: "counts" })).toMatch(
      /by a Gaussian threshold on their counts: a group of \d+ rows is shown[^]*bought apart \(keys: more\)/,
    )
  })
})

describe("[M4] keys and the number of people", () => {
  const people = "SELECT code, COUNT(DISTINCT person_id) AS n FROM events GROUP BY code"
  const learntOf = (sql: string, ask: Ask = {}, accounting: Accounting = "zcdp"): ReleasePlan => {
    const { catalog, terms } = readPolicy(policyOf(accounting))
    return compile(sql, { grammar, catalog, terms, ask, learnsNorm: true }).plan
  }

  test.each(["pure", "zcdp", "gdp"] as const)(
    "are apart where a norm is learnt: keys by few groups of a person, the number by all of them: %s",
    (accounting) => {
      const { keys, measurements, readings, extracts, bounds } = releaseOf(learntOf(people, {}, accounting))
      expect([keys.kind, keys.kind === "private" && keys.spec.groupsPerUnit]).toEqual(["private", 8n])
      expect(extracts).toHaveLength(2)
      expect(measurements.map((one) => hasStrategy(one, "scaled"))).toEqual([true])
      expect(readings.map(({ kind }) => kind)).toEqual(["linear"])
      expect(bounds.scaled?.norm).toBe(accounting === "pure" ? "l1" : "l2")
    },
  )

  test("are one number where the question says so, and where no norm is learnt", () => {
    expect(isOne(learntOf(people, { keys: "counts" }))).toBe(true)
    expect(isOne(planOf(people))).toBe(true)
    expect(isOne(planOf(people, { keys: "more" }))).toBe(true)
  })

  test("are explained", () => {
    const { notes } = explain(learntOf(people))
    expect(notes.join("\n")).toContain("groups beyond the bounds would be dropped")
  })
})

test("[Q3] a threshold for fewer rows of a person than count is rejected", () => {
  const { catalog, terms } = readPolicy(policyOf("zcdp"))
  const plan: ReleasePlan = compile(byCode, { grammar, catalog, terms, ask: { keys: "counts" } }).plan
  const release = releaseOf(plan)
  const { keys } = release
  if (keys.kind !== "private" || keys.spec.kind !== "keys-gaussian") throw new Error("a Gaussian threshold")
  const { spec } = keys
  expect(spec.rowsPerGroup).toBe(2n)
  const changed = (change: Partial<typeof spec>): ReleasePlan => ({
    ...plan,
    releases: [{ ...release, keys: { ...keys, spec: { ...spec, ...change } } }],
  })
  expect(() => verify(changed({}), catalog)).not.toThrow()
  for (const rowsPerGroup of [1n, 0n, -2n]) {
    expect(() => verify(changed({ rowsPerGroup }), catalog)).toThrow(
      rowsPerGroup < 0n ? "rowsPerGroup is below 0" : "keys count more of a unit than is stated",
    )
  }
  expect(() => verify(changed({ threshold: spec.threshold - 1n }), catalog)).toThrow("charge")
})
