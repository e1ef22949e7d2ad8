// What the owner leaves to be learnt: `bounds: auto` of a column, `groups_per_unit: auto` of the policy.

import { exactly, numberNear } from "@dosimeter/core/exact"
import { seededBits } from "@dosimeter/core/testing"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { loadGrammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import type { Engine } from "../engine.ts"
import type { AnswerTable } from "@dosimeter/answers/shown/answer-table"
import { learnBounds, planLearning } from "./learn-bounds.ts"
import type { Recorded } from "../record/recorded.ts"
import { askWithin } from "../stages/within.ts"
import { openWard, wardPolicy, type Ward } from "../testing/ward.ts"

const auto = wardPolicy
  .replace("{ type: integer, min: 0, max: 110 }", "{ bounds: auto }")
  .replace("{ type: float, min: 0, max: 250 }", "float")
  .replace("groups_per_unit: 1,", "groups_per_unit: auto, bounds_share: 0.3,")
let ward: Ward
let engine: Engine
beforeAll(async () => {
  ward = await openWard({ rng: seededBits("policy auto"), policy: auto })
  engine = ward.engine
})
afterAll(async () => ward.close())

const codeOf = async (run: () => Promise<unknown>): Promise<unknown> =>
  run().then(
    () => "answered",
    (error: unknown) => (error instanceof Error && "code" in error ? error.code : error),
  )

describe("a column with bounds: auto", () => {
  test("is summed inside learnt bounds without a word of the analyst, at the owner's share", async () => {
    const sql = "SELECT SUM(2 * age) AS years FROM patients"
    const before = await engine.account()
    const { answer, learnt = [] } = await engine.ask(sql)
    const spent = numberNear((await engine.account()).spent) - numberNear(before.spent)
    expect(learnt.map(({ label }) => label)).toEqual(["SUM(2 * age)"])
    expect(learnt[0]?.high).toBeGreaterThan(180)
    expect(learnt[0]?.high).toBeLessThan(240)
    const { rows }: AnswerTable = answer
    expect(Math.abs(Number(rows[0]?.[0]?.value) - 1_980_000)).toBeLessThan(60_000)
    const alone = await engine.explain("SELECT COUNT(*) FROM patients")
    expect(spent).toBeLessThanOrEqual(numberNear(alone.plan.charge.amount) * (1 + 1e-9))
    const { text, columns } = await engine.explain(sql)
    expect(text).toContain("stage       where the values of SUM(2 * age) lie, to learn bounds")
    // 0.7 of rho is 0.837 of epsilon.
    expect(text).toContain("then the question itself, inside the bounds with about epsilon 0.8")
    expect(columns.map(({ name }) => name)).toEqual(["years"])
  })

  test("keeps the bounds that the analyst gives, and learns nothing where nothing is needed", async () => {
    expect((await engine.ask("SELECT SUM(CLAMP(age, 0, 50)) FROM patients")).learnt).toBeUndefined()
    expect((await engine.ask("SELECT COUNT(*) FROM patients WHERE age > 50")).learnt).toBeUndefined()
  })

  test("is refused where nothing may be learnt; so is a column without it", async () => {
    const declared = { ask: { bounds: "declared" } } as const
    expect(await codeOf(() => engine.ask("SELECT SUM(age) FROM patients", declared))).toBe(
      "privacy/unbounded-sum",
    )
    expect(await codeOf(() => engine.ask("SELECT SUM(weight) FROM patients"))).toBe("privacy/unbounded-sum")
    const target = { kind: "size", amount: exactly("100", "within") } as const
    const within = { engine, sql: "SELECT SUM(age) FROM patients", options: {}, target }
    expect(await codeOf(() => askWithin(within))).toBe("privacy/unbounded-sum")
  })
})

test("[B1] what does not fit as a whole is refused before anything is learnt", async () => {
  const small = auto.replace("epsilon: 50", "epsilon: 2")
  const { engine: poor, close } = await openWard({ rng: seededBits("little"), policy: small })
  const most = { ask: { epsilon: exactly("2", "epsilon") } }
  expect(await codeOf(() => poor.ask("SELECT SUM(age) FROM patients", most))).toBe("answered")
  const before = await poor.account()
  expect(await codeOf(() => poor.ask("SELECT SUM(age) FROM patients WHERE sex = 'f'", most))).toBe(
    "budget/exhausted",
  )
  expect(await poor.account()).toEqual(before)
  // What is on record stays free.
  expect(await codeOf(() => poor.ask("SELECT SUM(age) FROM patients", most))).toBe("answered")
  await close()
})

test("groups_per_unit: auto is learnt where groups need a bound, unless the question has one", async () => {
  const sql = "SELECT ward, COUNT(*) AS stays FROM stays GROUP BY ward"
  const { learnt = [] } = await engine.ask(sql)
  expect(learnt.map(({ label, high }) => `${label}: ${high}`)).toEqual(["groups of each patient: 2"])
  expect((await engine.ask(sql, { ask: { groupsPerUnit: 3n } })).learnt).toBeUndefined()
  // What cannot learn first lets three count.
  const { parts } = await engine.plan([{ sql, weight: exactly("1", "weight") }])
  expect(parts[0]?.plan.releases[0]?.bounds.groupsPerUnit).toBe(3n)
})

test("[Q4] whatever bounds come out, there is an answer: what was paid for is not refused", async () => {
  const { catalog, terms } = readPolicy(widePolicy)
  const options = { grammar: await loadGrammar(), catalog, terms }
  // The first and last of 561 cells: from -2^50 to 2^50.
  const ends = [0, 560]
  for (const value of ["exact", "2 * whole", "rough * rough"]) {
    for (const name of ["SUM", "VARIANCE", "MAX"]) {
      const sql = `SELECT ${name}(${value}) AS x FROM t`
      const plan = planLearning(sql, options)
      if (plan === undefined) throw new Error("there is something to learn")
      const table = (values: readonly number[]): AnswerTable => ({
        columns: [],
        rows: [values.map((one) => ({ value: one, state: "released" }))],
      })
      let asked = 0
      const run = async (): Promise<Recorded> => {
        asked += 1
        const answer = table(asked === 1 ? [1_000_000] : ends)
        return { answer, receipt: {}, origin: "released" }
      }
      const { compiled, learnt } = await learnBounds(sql, options, { plan, run })
      expect(compiled.plan.releases, sql).toHaveLength(1)
      expect(learnt[0]?.high, sql).toBeGreaterThan(1e6)
    }
  }
})

const widePolicy = `dataset: wide
source: { duckdb: wide.duckdb }
neighbours: add-or-remove
budget: { epsilon: 50, delta: 1e-6, accounting: zcdp }
question: { epsilon: 1, delta: 1e-9 }
bounding: { groups_per_unit: 1, rows_per_group: 20, norm: fixed }
tables:
  t:
    unit: id
    columns:
      id: integer
      whole: { type: integer, bounds: auto }
      exact: { type: decimal(12), bounds: auto }
      rough: { type: float, bounds: auto }
`
