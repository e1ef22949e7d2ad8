// Where a unit is in one group, as it is without GROUP BY, its total is scaled to a norm that is learnt: what
// is asked that way, what the ladder counts, and that nobody changes more than is claimed.

import { rational } from "@dosimeter/core/exact"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import type { ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import { printRel } from "@dosimeter/proof/print/print"
import { compile, type CompileOptions } from "../compile.ts"
import { compareVersions } from "../testing/clinic/hand-made.ts"
import { TestDatabase } from "../testing/units/test-database.ts"
import type { LearntNorm } from "../strategies/scaled-vector.ts"
import { learnableNorms } from "./learn-norm.ts"

// Person 1 has one row, 2 has two, 3 has four and 4 has 25 of them; 5 has nothing to add up.
const counts = new Map([
  [1, 1],
  [2, 2],
  [3, 4],
  [4, 25],
])
let grammar: Grammar
let database: TestDatabase

beforeAll(async () => {
  grammar = await testGrammar()
  database = await TestDatabase.open(1)
  const rows = [...counts].flatMap(([person, count]) =>
    Array.from({ length: count }, (_, row) => `(${person}, ${person % 2}, ${(row % 5) - 1})`),
  )
  for (const version of ["everyone", "without_2", "without_4"]) {
    const kept = [...rows, "(5, 1, NULL)"].filter((row) => !row.startsWith(`(${version.slice(8)},`))
    await database.execute(
      `CREATE SCHEMA ${version}; CREATE TABLE ${version}.t (person BIGINT, sex BIGINT, n BIGINT);
       INSERT INTO ${version}.t VALUES ${kept.join(", ")};
       CREATE TABLE ${version}.people AS SELECT DISTINCT person, sex FROM ${version}.t`,
    )
  }
})
afterAll(() => database.close())

function optionsOf(accounting: string, epsilon = "1"): CompileOptions {
  const delta = (value: string): string => (accounting === "pure" ? "" : `delta: ${value}, `)
  const { catalog, terms } = readPolicy(`
dataset: one-group
source: { duckdb: none }
neighbours: add-or-remove
budget: { epsilon: 10, ${delta("1e-6")}accounting: ${accounting} }
question: { epsilon: { default: ${epsilon}, max: 8 }, ${delta("1e-8")}confidence: 0.95 }
bounding: { groups_per_unit: 3, rows_per_group: 5 }
tables:
  t:
    unit: person
    columns:
      person: integer
      sex: { type: integer, min: 0, max: 1 }
      n: { type: integer, min: -2, max: 1000 }
  people:
    unit: person
    keys: [person]
    columns: { person: integer, sex: { type: integer, min: 0, max: 1 } }
`)
  return { grammar, catalog, terms }
}

const learnt = [
  "SELECT COUNT(*) FROM t",
  "SELECT SUM(n) FROM t WHERE n > 0",
  "SELECT COUNT(*), SUM(n), AVG(n) FROM t",
  "SELECT COUNT(*) FILTER (WHERE n > 0), COUNT(*) FILTER (WHERE n > 1) FROM t",
  // The group is decided by the person.
  "SELECT p.sex, COUNT(*) FROM t JOIN people AS p ON p.person = t.person GROUP BY p.sex",
]

test.each(learnt)("a norm is learnt, and what is known of it reaches the plan: %s", async (sql) => {
  for (const accounting of ["zcdp", "pure"]) {
    const options = optionsOf(accounting)
    const [norm, ...others] = learnableNorms(sql, options)
    expect(others).toEqual([])
    expect(norm?.groups).toBeLessThanOrEqual(4)
    const ladder = norm?.ladder({}).plan
    if (norm === undefined || ladder === undefined) throw new Error("no norm")
    await checkNeighbours(ladder)
    const { plan } = compile(sql, { ...options, norms: new Map([[norm.boundary, normOf(1500n)]]) })
    const [release] = plan.releases
    expect(release?.bounds.scaled?.norm).toBe(accounting === "pure" ? "l1" : "l2")
    expect(release?.bounds.scaled?.beyond?.estimate.numerator).toBeGreaterThan(0n)
    await checkNeighbours(plan)
    // Without a ladder, and where norms are fixed, totals are clamped as ever.
    expect(compile(sql, options).plan.releases.map(({ bounds }) => bounds.scaled)).toEqual([undefined])
  }
})

function normOf(bound: bigint): LearntNorm {
  return { bound: rational(bound, 1024n), beyond: { estimate: rational(7n) }, note: "a norm" }
}

// Person 4 is above the norm, person 2 below.
async function checkNeighbours(plan: ReleasePlan): Promise<void> {
  for (const person of [4, 2]) {
    const { broken } = await compareVersions(database, plan, ["everyone", `without_${person}`])
    expect(broken).toEqual([])
  }
}

test("the ladder of a lone count has each person at the number of their rows", async () => {
  for (const accounting of ["zcdp", "pure"]) {
    const [norm] = learnableNorms("SELECT COUNT(*) FROM t", optionsOf(accounting))
    const rel = norm?.ladder({}).plan.releases[0]?.extracts[0]?.rel
    if (rel === undefined) throw new Error("no ladder")
    const { rows } = await database.run(printRel(rel, "duckdb"), "everyone")
    // Steps are halves of octaves: 1, 2, 4 and 25 rows (625 is above 2^9). Person 5 has one row.
    const found = rows.map(([step, units]) => `${step} ${units}`).toSorted()
    expect(found).toEqual(["0 2", "10 1", "2 1", "4 1"])
  }
})

test("nothing is learnt where nothing is dropped, people are counted beside, or noise is below a step", () => {
  const options = optionsOf("zcdp")
  const none = [
    "SELECT COUNT(*) FROM people",
    "SELECT sex, COUNT(*) FROM people GROUP BY sex",
    "SELECT COUNT(DISTINCT person) FROM t",
    "SELECT COUNT(DISTINCT person), COUNT(*) FROM t",
    "SELECT AVG(n) FROM t",
    "SELECT VARIANCE(n) FROM t",
  ]
  for (const sql of none) expect(learnableNorms(sql, options)).toEqual([])
  expect(learnableNorms("SELECT COUNT(*) FROM t", optionsOf("pure", "4"))).toHaveLength(1)
  expect(learnableNorms("SELECT COUNT(*) FROM t", optionsOf("pure", "8"))).toEqual([])
})

test("the largest groups are measured with all others where the norm is learnt, however long it is", () => {
  const sql = "SELECT n, COUNT(*) AS rows FROM t GROUP BY n ORDER BY rows DESC LIMIT 3"
  const options = optionsOf("zcdp")
  const [norm] = learnableNorms(sql, options)
  for (const bound of [1500n, 1n << 18n]) {
    const { plan } = compile(sql, { ...options, norms: new Map([[norm?.boundary ?? -1, normOf(bound)]]) })
    const found = plan.releases.map(({ keys, bounds }) => [keys.kind, bounds.scaled?.norm])
    expect(found).toEqual([["public", "l2"]])
  }
})
