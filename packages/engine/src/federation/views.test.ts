import { loadGrammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { expect, test } from "vitest"
import { planJob } from "./plan-job.ts"
import { withViews } from "./views.ts"

const grammar = await loadGrammar()
const head = `dataset: site
source: { duckdb: data.duckdb }
unit: patient
neighbours: add-or-remove
budget: { epsilon: 50, delta: 1e-5, accounting: zcdp }
question: { epsilon: { default: 1, max: 4 }, delta: 1e-8, confidence: 0.95 }
bounding: { groups_per_unit: 1, rows_per_group: 1 }
tables:`
const study = readPolicy(`${head}
  patients:
    unit: id
    keys: [[id]]
    columns:
      id: { type: integer }
      sex: { values: [f, m], nullable: false, type: text }
      age: { min: 0, max: 100, type: integer, nullable: false }
`)
const own = readPolicy(`${head}
  persons:
    unit: person
    keys: [[person]]
    columns:
      person: { type: integer }
      gender: { values: [1, 2], nullable: false, type: integer }
      years: { min: 0, max: 120, type: integer, nullable: false }
`)
const ask = {
  epsilon: "1",
  delta: "1/100000000",
  confidence: "19/20",
  groupsPerUnit: "1",
  rowsPerGroup: "1",
  shownFrom: "0",
}
const view = `SELECT person AS id, CASE gender WHEN 1 THEN 'f' ELSE 'm' END AS sex,
  CLAMP(years, 0, 100) AS age FROM persons`
const questions = [
  "SELECT sex, COUNT(*) AS n FROM patients GROUP BY sex",
  "SELECT SUM(age) AS years FROM patients WHERE sex = 'f'",
  "WITH old AS (SELECT * FROM patients WHERE age > 64) SELECT sex, COUNT(*) AS n FROM old GROUP BY sex",
]

test.each(questions)("a site that maps its table measures as the study does: %s", (sql) => {
  const wanted = planJob(sql, ask, 2, { policy: study, grammar })
  const mapped = planJob(withViews(sql, { patients: view, visits: "SELECT 1" }), ask, 2, {
    policy: own,
    grammar,
  })
  expect(mapped.layout).toBe(wanted.layout)
  expect(mapped.loss).toEqual(wanted.loss)
})

test("a view of another range, or over several people, gives another layout or none", () => {
  const sql = "SELECT SUM(age) AS years FROM patients"
  const wanted = planJob(sql, ask, 2, { policy: study, grammar })
  const layoutWith = (patients: string): string | undefined => {
    try {
      return planJob(withViews(sql, { patients }), ask, 2, { policy: own, grammar }).layout
    } catch {
      return undefined
    }
  }
  expect(layoutWith(view)).toBe(wanted.layout)
  expect(layoutWith("SELECT person AS id, years AS age FROM persons")).not.toBe(wanted.layout)
  expect(layoutWith("SELECT 1 AS id, COUNT(*) AS age FROM persons")).not.toBe(wanted.layout)
})

test("a name that is no name is refused", () => {
  expect(() => withViews("SELECT 1 FROM a-b", { "a-b": "SELECT 1" })).toThrow(
    expect.objectContaining({ code: "federation/bad-view" }),
  )
})
