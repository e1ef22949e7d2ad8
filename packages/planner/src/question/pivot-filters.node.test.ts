// Filters that exclude each other are measured as one more key, where a unit is in no more groups for it.

import { hasStrategy } from "@dosimeter/proof/algebra/measurement"
import { beforeAll, expect, test } from "vitest"
import type { Ask } from "@dosimeter/proof/catalog/terms"
import { compile } from "../compile.ts"
import type { ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"

const policy = (more = ""): string => `dataset: d
source: { duckdb: d.duckdb }
neighbours: add-or-remove
budget: { epsilon: 10, delta: 1e-6, accounting: zcdp }
question: { epsilon: 1, delta: 1e-9 }
bounding: { groups_per_unit: 2, rows_per_group: 3 }
${more}
tables:
  people:
    unit: id
    keys: [id]
    columns:
      id: integer
      sex: { values: [f, m, x] }
      age: { type: integer, min: 0, max: 99 }
      born: { type: date, min: 1900-01-01, max: 2029-12-31 }
      well: boolean
      code: text
  visits:
    unit: person
    columns:
      person: { type: integer, references: people.id }
      ward: { values: [A, B, C] }
      fee: { type: decimal(2), min: 0, max: 500, nullable: false }
`

let grammar: Grammar
beforeAll(async () => {
  grammar = await testGrammar()
})

function planOf(sql: string, more?: string, ask: Ask = {}): ReleasePlan {
  const { catalog, terms } = readPolicy(policy(more))
  return compile(sql, { grammar, catalog, terms, ask }).plan
}

const counts = (...filters: readonly string[]): string =>
  filters.map((filter) => `COUNT(*) FILTER (WHERE ${filter})`).join(", ")
const note = "filters that exclude each other are measured together, for the loss of one"

test.each([
  `SELECT ${counts("sex = 'f'", "sex = 'm'")} FROM people`,
  `SELECT ${counts("sex IN ('f', 'x')", "sex = 'm'")} FROM people`,
  `SELECT sex, ${counts("age < 18", "age >= 18 AND age < 65", "age BETWEEN 65 AND 80")} FROM people GROUP BY sex`,
  `SELECT ${counts("born < DATE '1950-01-01'", "born = DATE '1950-01-01'")} FROM people`,
  `SELECT ${counts("well", "NOT well")} FROM people`,
  `SELECT ${counts("age > 3 AND sex = 'f'", "NOT (age > 3)")} FROM people`,
  "SELECT SUM(age) FILTER (WHERE well), SUM(age) FILTER (WHERE NOT well) FROM people",
  `SELECT ward, ${counts("sex = 'f'", "sex = 'm'")} FROM visits JOIN people ON id = person GROUP BY ward`,
])("[Q2] costs what one filter does: %s", (sql) => {
  const plan = planOf(sql)
  expect(plan.notes).toContain(note)
  expect(plan.releases.map(({ measurements }) => measurements.length)).toEqual([1])
  const [measurement] = plan.releases[0]?.measurements ?? []
  expect(hasStrategy(measurement, "identity") || hasStrategy(measurement, "scaled")).toBe(true)
})

test.each([
  // May both be true of a row, or of a person's rows in a group.
  `SELECT ${counts("sex = 'f'", "age > 3")} FROM people`,
  `SELECT ${counts("age <= 18", "age >= 18")} FROM people`,
  `SELECT ${counts("sex IN ('f', 'm')", "sex = 'm'")} FROM people`,
  `SELECT ward, ${counts("fee > 3", "fee <= 3")} FROM visits GROUP BY ward`,
  // Something else is asked beside them.
  `SELECT COUNT(*), ${counts("well", "NOT well")} FROM people`,
  "SELECT AVG(age) FILTER (WHERE well), AVG(age) FILTER (WHERE NOT well) FROM people",
  "SELECT SUM(age) FILTER (WHERE well), COUNT(*) FILTER (WHERE NOT well) FROM people",
  // Keys that come from the data would have to be found for each filter.
  `SELECT code, ${counts("well", "NOT well")} FROM people GROUP BY code`,
])("is measured filter by filter: %s", (sql) => {
  expect(planOf(sql).notes).not.toContain(note)
})

test("a house that hides small counts looks at each filter by itself", () => {
  const sql = `SELECT ${counts("well", "NOT well")} FROM people`
  expect(planOf(sql, "shown_from: 5").notes).not.toContain(note)
})

test("where all groups of a unit count anyway, more groups would need more noise", () => {
  const sql = `SELECT ward, ${counts("sex = 'f'", "sex = 'm'")} FROM visits JOIN people ON id = person GROUP BY ward`
  expect(planOf(sql, "", { groupsPerUnit: 4n }).notes).toContain(note)
  expect(planOf(sql, "", { groupsPerUnit: 5n }).notes).not.toContain(note)
})
