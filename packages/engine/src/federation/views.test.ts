import { loadGrammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { expect, test } from "vitest"
import { planJob } from "./plan-job.ts"
import { withViews, type Views } from "./views.ts"

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

/** Each release of the plan of a question over views, as text. */
const read = (sql: string, views: Views): readonly string[] => {
  const policy = readPolicy(`${head}
  persons:
    unit: person
    columns:
      person: { type: integer }
      years: { min: 0, max: 120, type: integer, nullable: false }
  staff:
    unit: person
    columns:
      person: { type: integer }
`)
  const { plan } = planJob(withViews(sql, views), ask, 2, { policy, grammar })
  return plan.releases.map((release) =>
    JSON.stringify(release, (_, value: unknown) => (typeof value === "bigint" ? `${value}n` : value)),
  )
}
const adults: Views = {
  // Each is narrower than what it stands on; the second stands on the first, and on the table of its name.
  seniors: "SELECT p.person FROM persons p JOIN staff s ON s.person = p.person",
  persons: "SELECT person, years FROM persons WHERE years >= 18",
}

test.each([
  "SELECT COUNT(*) FROM seniors",
  'SELECT COUNT(*) FROM U&"p\\0065rsons"',
  "/* WITH */ WITH RECURSIVE_ AS (SELECT * FROM persons) SELECT COUNT(*) FROM RECURSIVE_",
  "/* a */ -- with\nWITH persons_ AS (SELECT person FROM seniors) SELECT COUNT(*) FROM persons_",
  "(SELECT COUNT(*) FROM persons)",
  "SELECT COUNT(*) FROM seniors WHERE person IN (SELECT person FROM persons)",
  "SELECT COUNT(*) AS n FROM persons UNION ALL SELECT COUNT(*) AS n FROM seniors",
  'SELECT COUNT(*) FROM (SELECT 1 AS persons, person FROM "persons") staff',
])("what a job reads, it reads through the views: %s", (sql) => {
  const staff = "SELECT person FROM staff"
  expect(read(sql, { ...adults, staff })).not.toContainEqual(expect.not.stringContaining('"18n"'))
})

test.each([
  ["SELECT COUNT(*) FROM staff", "staff"],
  ["SELECT COUNT(*) FROM seniors WHERE person IN (SELECT person FROM staff)", "staff"],
  ["SELECT COUNT(*) FROM main.persons", "main.persons"],
  ["WITH staff AS (SELECT * FROM staff) SELECT COUNT(*) FROM staff", "staff"],
  [
    "WITH a AS (WITH staff AS (SELECT * FROM persons) SELECT * FROM staff) SELECT COUNT(*) FROM staff",
    "staff",
  ],
  ["SELECT COUNT(*) AS n FROM persons UNION ALL SELECT COUNT(*) AS n FROM staff", "staff"],
])("a table that is no view is refused by its name: %s", (sql, table) => {
  expect(() => read(sql, adults)).toThrow(
    expect.objectContaining({
      code: "federation/no-view",
      message: expect.stringContaining(`${table} is not`),
    }),
  )
})

test("a job cannot put a view of its own in the place of the site's", () => {
  const own = "WITH persons AS (SELECT * FROM persons) SELECT COUNT(*) FROM persons"
  expect(() => read(own, adults)).toThrow(expect.objectContaining({ code: "sql/duplicate-alias" }))
  expect(
    read("SELECT COUNT(*) FROM (WITH persons AS (SELECT * FROM persons) SELECT * FROM persons) p", adults),
  ).not.toContainEqual(expect.not.stringContaining('"18n"'))
  expect(() => read("SELECT COUNT(*) FROM persons", { persons: "SELECT 1) , x AS (SELECT 2" })).toThrow(
    expect.objectContaining({ code: "sql/syntax" }),
  )
})

test("views that stand on each other in a circle are refused", () => {
  const views = { persons: "SELECT person FROM staff", staff: "SELECT person FROM persons" }
  expect(() => read("SELECT COUNT(*) FROM staff", views)).toThrow(
    expect.objectContaining({ code: "federation/bad-view" }),
  )
})
