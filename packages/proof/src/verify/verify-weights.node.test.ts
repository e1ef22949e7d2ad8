// Keys that are selected by weights: what one person changes on real data, and plans that were spoilt after
// planning, of which verify rejects every one.

import { DosimeterError, rational } from "@dosimeter/core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { compile } from "@dosimeter/planner/compile"
import type { ReleasePlan } from "../algebra/release-plan.ts"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { designCopies } from "@dosimeter/planner/copies/design-copies"
import { recharged } from "@dosimeter/planner/testing/corruptions/corrupt-plan"
import { compareVersions, policyOf } from "@dosimeter/planner/testing/clinic/hand-made"
import { TestDatabase } from "@dosimeter/planner/testing/units/test-database"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"
import {
  byOtherNumber,
  guardCorruptions,
  weightCorruptions,
  weightedSpec,
  wholeTable,
  withoutGuard,
} from "@dosimeter/planner/testing/corruptions/weight-corruptions"
import { verify } from "./verify.ts"

const tables = `
  visits:
    unit: person_id
    columns:
      person_id: integer
      n: { type: integer, min: 0, max: 10 }
      code: text
`
const questions = {
  distinct: "SELECT DISTINCT code FROM visits",
  sums: "SELECT code, VARIANCE(n) FROM visits GROUP BY code",
  rows: "SELECT code, n, AVG(n) FROM visits GROUP BY code, n",
  counts: "SELECT code, COUNT(*), COUNT(DISTINCT n) FROM visits GROUP BY code",
  scaled: "SELECT code, COUNT(*), SUM(n) FROM visits GROUP BY code",
} as const

let grammar: Grammar
let duckdb: TestDatabase
beforeAll(async () => {
  grammar = await testGrammar()
  duckdb = await TestDatabase.open(1)
  for (const [version, condition] of [
    ["everyone", "TRUE"],
    ...people.map(({ id }) => [`without_${id}`, `person_id <> ${id}`] as const),
    ["swapped", "person_id <> 1 OR code LIKE 'x%'"],
    ["unswapped", "person_id <> 1 OR code NOT LIKE 'x%'"],
  ] as const) {
    await duckdb.execute(
      `CREATE SCHEMA ${version};
      CREATE TABLE ${version}.visits AS SELECT * FROM (VALUES ${rows.join(", ")}) AS t(person_id, n, code)
      WHERE ${condition}`,
      "main",
    )
  }
})
afterAll(() => duckdb.close())

/** People in 1, 2, 4 (the bound), 5 and 9 groups, some of them with several rows in each. */
const people = [
  { id: 1, groups: 8 },
  { id: 2, groups: 1 },
  { id: 3, groups: 2 },
  { id: 4, groups: 4 },
  { id: 5, groups: 5 },
  { id: 6, groups: 9 },
]
// Person 1 has as many codes of either kind: for replacing one half by the other.
const rows = people.flatMap(({ id, groups }) =>
  Array.from({ length: groups }, (_, place) => place).flatMap((place) =>
    Array.from({ length: 1 + ((id + place) % 3) }, (_, n) => {
      const code = id === 1 ? `${place % 2 === 0 ? "x" : "y"}${place}` : `c${place}`
      return `(${id}, ${n}, '${code}')`
    }),
  ),
)

interface Planned {
  readonly plan: ReleasePlan
  readonly check: (plan: ReleasePlan) => unknown
}

function planOf(sql: string, neighbours = "add-or-remove", isPrepared = false): Planned {
  const { catalog, terms } = readPolicy(policyOf(tables, { groups: 4, rows: 3, neighbours }))
  const keys = { visits: [[{ column: "code" }]] }
  const prepared = isPrepared ? designCopies(catalog, { schema: [], keys }) : []
  const { plan } = compile(sql, { grammar, catalog, terms, prepared })
  return { plan, check: (one) => verify(one, catalog, prepared) }
}

describe.each(Object.entries(questions))("%s", (_name, sql) => {
  test.each(["add-or-remove", "replace"])("are selected by weights, and proven (%s)", (neighbours) => {
    const { plan, check } = planOf(sql, neighbours)
    expect(plan.releases.map(({ keys }) => keys.kind === "private" && keys.spec.kind)).toEqual([
      "keys-weighted",
    ])
    expect(check(plan)).toEqual(plan)
  })

  test("[S1] [M4] nobody changes more than is claimed, and the claim is reached", async () => {
    const { plan } = planOf(sql)
    const reached = new Set<string>()
    for (const { id } of people) {
      const found = await compareVersions(duckdb, plan, ["everyone", `without_${id}`])
      expect(found.broken).toEqual([])
      for (const what of found.reached) reached.add(what)
    }
    expect(reached).toContain("keys: weights")
    const replaced = planOf(sql, "replace").plan
    const found = await compareVersions(duckdb, replaced, ["swapped", "unswapped"])
    expect(found.broken).toEqual([])
    expect(found.reached).toContain("keys: weights")
  })
})

test.each(guardCorruptions)("[Q3] beside counts of rows, rejects %s", (_what, change) => {
  const { plan, check } = planOf(questions.counts)
  const changed = change(plan)
  expect(show(changed)).not.toBe(show(plan))
  expect(rejectionOf(() => check(recharged(changed)))).toMatch(/^bug\//)
})

test.each(weightCorruptions)("[Q3] rejects %s, charged or not", (_what, change) => {
  const { plan, check } = planOf(questions.sums)
  const changed = change(plan)
  expect(show(changed), "the corruption must change something").not.toBe(show(plan))
  expect(rejectionOf(() => check(changed))).toMatch(/^(bug|privacy|parameter)\//)
  expect(rejectionOf(() => check(recharged(changed)))).toMatch(/^(bug|privacy|parameter)\//)
})

test.each([
  ["a lower threshold", weightedSpec({ threshold: 1n })],
  ["less noise", weightedSpec({ variance: rational(1n << 30n) })],
])("[Q3] rejects %s, unless it is charged", (_what, change) => {
  const { plan, check } = planOf(questions.distinct)
  expect(rejectionOf(() => check(change(plan)))).toMatch(/^bug\//)
  const paid = recharged(change(plan))
  expect(check(paid)).toEqual(paid)
})

test("[Q3] copies serve too: rows that stand for a unit are weighed, and no others", () => {
  const { plan, check } = planOf(questions.sums, "add-or-remove", true)
  expect(plan.releases.map(({ prepared }) => prepared)).toEqual([["visits by code"]])
  expect(plan.releases.map(({ keys }) => keys.kind === "private" && keys.spec.kind)).toEqual([
    "keys-weighted",
  ])
  expect(check(plan)).toEqual(plan)
  for (const change of [withoutGuard, byOtherNumber("_i"), byOtherNumber("_g"), wholeTable]) {
    const changed = change(plan)
    expect(show(changed)).not.toBe(show(plan))
    expect(rejectionOf(() => check(recharged(changed)))).toMatch(/^bug\//)
  }
})

function show(plan: ReleasePlan): string {
  return JSON.stringify(plan, (_, value: unknown) => (typeof value === "bigint" ? `${value}n` : value))
}

function rejectionOf(attempt: () => unknown): string {
  try {
    attempt()
  } catch (error) {
    if (error instanceof DosimeterError) return error.code
    throw error
  }
  return "accepted"
}
