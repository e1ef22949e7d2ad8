import type { DuckDBConnection } from "@duckdb/node-api"
import { DosimeterError } from "@dosimeter/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Catalog } from "@dosimeter/proof/catalog/catalog"
import { compile } from "../compile.ts"
import type { ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import type { SqlText } from "@dosimeter/proof/print/print"
import { openDuckdb } from "@dosimeter/proof/testing/two-databases"
import { policyOf } from "../testing/clinic/hand-made.ts"
import { heldWork } from "../testing/units/held-work.ts"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"

const tables = `
  people:
    unit: id
    keys: [[id]]
    columns:
      id: integer
      diagnosis: { type: text, values: [hiv, flu] }
      age: { type: integer, min: 0, max: 120 }
      born: date
  visits:
    unit: person
    keys: [[vid]]
    columns:
      vid: integer
      person: integer
      n: { type: integer, min: 0, max: 10000 }
      code: text
      note: text
  drugs:
    unit: person
    columns:
      person: integer
      n: { type: integer, min: 0, max: 10000 }
      visit: integer
  codes:
    unit: public
    keys: [[code]]
    columns: { code: text, title: text }
  levels:
    unit: public
    keys: [[code, level]]
    columns: { code: text, level: integer }
  days:
    unit: public
    columns: { day: integer }
`

const rowsPerUnit = 1000
let grammar: Grammar
let connection: DuckDBConnection

// A person with two hundred visits and long notes, and ninety-nine others with a few rows each.
beforeAll(async () => {
  grammar = await testGrammar()
  connection = await openDuckdb()
  await connection.run(`
    CREATE TABLE people AS SELECT i::BIGINT AS id, CASE WHEN i = 7 THEN 'hiv' ELSE 'flu' END AS diagnosis,
      (i % 90)::BIGINT AS age, DATE '1970-01-01' + i::INTEGER AS born FROM range(100) r(i);
    CREATE TABLE visits AS SELECT i::BIGINT AS vid,
      (CASE WHEN i < 200 THEN 7 ELSE i % 100 END)::BIGINT AS person, (i % 70)::BIGINT AS n,
      'c' || i % 20 AS code, repeat('x', (CASE WHEN i < 180 THEN 10 ELSE 3000 END)) AS note
      FROM range(400) r(i);
    CREATE TABLE drugs AS SELECT (i % 100)::BIGINT AS person, i::BIGINT AS n, i::BIGINT AS visit
      FROM range(200) r(i) UNION ALL SELECT 7, i, i FROM range(150) s(i);
    CREATE TABLE codes AS SELECT 'c' || i AS code, 'title ' || i AS title FROM range(20) r(i);
    CREATE TABLE levels AS SELECT 'c' || i AS code, j::BIGINT AS level FROM range(20) r(i), range(50) s(j);
    CREATE TABLE days AS SELECT i::BIGINT AS day FROM range(120) r(i)`)
})
afterAll(() => connection.closeSync())

const { catalog: plain, terms } = readPolicy(policyOf(tables))
const rowCounts: Readonly<Record<string, number>> = { codes: 20, levels: 1000, days: 120 }
const catalog: Catalog = {
  ...plain,
  rowsPerUnit,
  tables: plain.tables.map((table) => ({
    ...table,
    ...(table.unit.kind === "public" ? { rowCount: rowCounts[table.name] ?? 0 } : {}),
  })),
}
const planOf = (sql: string): ReleasePlan => compile(sql, { grammar, catalog, terms }).plan

/** The error of a question that is refused. */
function codeOf(sql: string): string {
  try {
    planOf(sql)
    return "answered"
  } catch (error) {
    return error instanceof DosimeterError ? error.code : String(error)
  }
}

/** The most rows of a person in a table: what `times` is counted in. */
const storedMost = 202

/** Runs a query; gives its first row. */
async function run({ text, parameters }: SqlText): Promise<readonly unknown[]> {
  const reader = await connection.runAndReadAll(
    text,
    parameters.map(() => "secret"),
  )
  return reader.getRows()[0] ?? []
}

/** The most rows of a person in a relation of a plan, none of which has more than is claimed. */
async function largestOf(plan: ReleasePlan): Promise<number> {
  const { broken, largest } = await heldWork(plan, catalog, { run, storedMost })
  expect(broken).toEqual([])
  return largest
}

const hundred = `(VALUES ${Array.from({ length: 100 }, (_, index) => `(${index})`).join(", ")})`
const has = "p.id = 7 AND p.diagnosis = 'hiv'"
const grow = (text: string, times: number): string =>
  Array.from({ length: times }).reduce<string>((inner) => `REPLACE(${inner}, 'a', '${"a".repeat(16)}')`, text)
const grown = grow("CASE WHEN p.diagnosis = 'hiv' THEN 'a' ELSE '' END", 4)

describe("a person's rows that multiply", () => {
  const joined = "FROM visits v JOIN drugs d ON d.person = v.person"
  const questions: Readonly<Record<string, string>> = {
    "constant rows, four times": `SELECT COUNT(*) FROM people p JOIN ${hundred} a(x) ON (${has}) OR a.x = 0
      JOIN ${hundred} b(x) ON (${has}) OR b.x = 0 JOIN ${hundred} c(x) ON (${has}) OR c.x = 0
      JOIN ${hundred} e(x) ON (${has}) OR e.x = 0`,
    "a cross join with constant rows": `SELECT COUNT(*) FROM visits v CROSS JOIN ${hundred} a(x)`,
    "two tables of people": `SELECT COUNT(*) ${joined}`,
    "two tables, in order": `SELECT COUNT(*) ${joined} AND d.n > v.n`,
    left: "SELECT COUNT(*) FROM visits v LEFT JOIN drugs d ON d.person = v.person",
    right: "SELECT COUNT(*) FROM visits v RIGHT JOIN drugs d ON d.person = v.person AND d.n < v.n",
    full: "SELECT COUNT(*) FROM visits v FULL JOIN drugs d ON d.person = v.person",
    "a table with itself": "SELECT COUNT(*) FROM drugs a JOIN drugs b ON a.person = b.person",
    "five times with itself": `SELECT COUNT(*) FROM drugs a ${["b", "c", "d", "e"]
      .map((name) => `JOIN drugs ${name} ON ${name}.person = a.person`)
      .join(" ")}`,
    "EXISTS with an order": `SELECT COUNT(*) FROM visits v WHERE EXISTS
      (SELECT 1 FROM drugs d WHERE d.person = v.person AND d.n > v.n)`,
    "NOT EXISTS with an order": `SELECT COUNT(*) FROM visits v WHERE NOT EXISTS
      (SELECT 1 FROM drugs d WHERE d.person = v.person AND d.n > v.n)`,
    "a union of joins": `SELECT COUNT(*) FROM (SELECT v.person, v.n ${joined} UNION ALL
      SELECT a.person, b.n FROM drugs a JOIN visits b ON a.person = b.person) t`,
    "a window over joined rows": `SELECT COUNT(*) FROM (SELECT v.person, ROW_NUMBER() OVER (PARTITION BY
      v.person ORDER BY d.n) AS place ${joined}) t WHERE place > 3`,
    "groups of joined rows, joined again": `SELECT COUNT(*) FROM (SELECT v.person, v.n, COUNT(*) AS c ${joined}
      GROUP BY v.person, v.n) t JOIN drugs d ON d.person = t.person`,
    "a calendar": "SELECT COUNT(*) FROM visits v JOIN days ON days.day BETWEEN v.n AND v.n + 50",
    "texts of joined rows": `SELECT COUNT(DISTINCT v.code || d.n) ${joined}`,
    "long stored texts of joined rows": `SELECT COUNT(DISTINCT v.note || d.n) ${joined}`,
  }
  it.each(Object.entries(questions))("[W1] %s", async (_, sql) => {
    const plan = planOf(sql)
    const notes = plan.notes.filter((note) => note.includes("a join multiplies rows"))
    expect(notes.length).toBeGreaterThan(0)
    const largest = await largestOf(plan)
    expect(largest).toBeGreaterThan(0)
    expect(largest).toBeLessThanOrEqual(Math.max(2 * rowsPerUnit, 2 * storedMost))
  })

  it("what people ask every day is not cut", async () => {
    const honest = [
      "SELECT diagnosis, COUNT(*) FROM visits v JOIN people p ON p.id = v.person GROUP BY diagnosis",
      "SELECT COUNT(*) FROM drugs d JOIN visits v ON v.vid = d.visit",
      "SELECT c.title, COUNT(*) FROM visits v JOIN codes c ON c.code = v.code GROUP BY c.title",
      "SELECT COUNT(*) FROM visits v JOIN levels l ON l.code = v.code WHERE l.level = 3",
      "SELECT COUNT(*) FROM visits v LEFT JOIN levels l ON l.code = v.code AND l.level = 3",
      "SELECT COUNT(*) FROM people p WHERE EXISTS (SELECT 1 FROM drugs d WHERE d.person = p.id AND d.n > 5)",
      "SELECT COUNT(*) FROM visits v WHERE EXISTS (SELECT 1 FROM drugs d WHERE d.person = v.person AND d.n = v.n)",
      "SELECT COUNT(*) FROM visits v JOIN (VALUES (0, 9), (10, 99), (100, 700)) b(l, h) ON v.n BETWEEN b.l AND b.h",
      `SELECT COUNT(*) FROM visits v JOIN ${hundred} a(x) ON a.x = v.n`,
      `SELECT COUNT(*) FROM (SELECT person, MAX(n) AS m FROM visits GROUP BY person) a
        JOIN (SELECT person, MIN(n) AS m FROM drugs GROUP BY person) b ON a.person = b.person`,
      `SELECT COUNT(*) FROM (SELECT person, n, ROW_NUMBER() OVER (PARTITION BY person ORDER BY n) AS place
        FROM visits) f JOIN drugs d ON d.person = f.person WHERE f.place = 1`,
      `SELECT COUNT(*) FROM visits v WHERE
        (SELECT SUM(d.n) FROM drugs d WHERE d.person = v.person AND d.visit = v.vid) > 100`,
      "SELECT COUNT(*) FROM (SELECT person FROM visits UNION ALL SELECT person FROM drugs) t",
    ]
    for (const sql of honest) {
      const plan = planOf(sql)
      expect(
        plan.notes.filter((note) => note.includes("multiplies")),
        sql,
      ).toEqual([])
      await largestOf(plan)
    }
  })

  it("so many that one row is too many are refused, and so are texts without end", () => {
    const wide = `(VALUES ${Array.from({ length: 900 }, (_, index) => `(${index})`).join(", ")})`
    const product = `(SELECT a.x FROM ${wide} a(x) CROSS JOIN ${wide} b(y))`
    const refused = [
      `SELECT COUNT(*) FROM people p CROSS JOIN ${product} t`,
      `SELECT COUNT(*) FROM (${Array.from({ length: 40 }, () => "SELECT person FROM visits").join(" UNION ALL ")}) t`,
      `SELECT COUNT(DISTINCT ${grown}) FROM people p`,
      `SELECT COUNT(*) FROM people p WHERE ${grown} NOT LIKE '%a%b'`,
      "SELECT COUNT(*) FROM visits v WHERE POSITION(LEFT(v.note, 60000) || 'b' IN v.note) > 0",
      "SELECT COUNT(*) FROM visits v WHERE TRIM(BOTH v.note FROM v.note) = ''",
      `SELECT COUNT(*) FROM people p WHERE '${"a".repeat(5000)}' || p.diagnosis > 'b'`,
      `SELECT COUNT(*) FROM visits v WHERE ${Array.from({ length: 20 }, () => "v.note").join(" || ")} > 'b'`,
      `SELECT COUNT(*) FROM visits v JOIN (VALUES ('${"a".repeat(5000)}')) t(x) ON TRUE WHERE v.note > t.x`,
    ]
    for (const sql of refused) expect(codeOf(sql), sql.slice(0, 200)).toBe("sql/too-much-work")
    const remedies = [
      `SELECT COUNT(DISTINCT ${grow("LEFT(p.diagnosis, 5)", 2)}) FROM people p`,
      "SELECT COUNT(*) FROM visits v WHERE POSITION(LEFT(v.note, 1000) IN v.note) > 0",
      "SELECT COUNT(*) FROM visits v WHERE TRIM(BOTH LEFT(v.note, 10) FROM v.note) = ''",
      "SELECT COUNT(*) FROM visits v WHERE v.note || v.code || v.note > 'b'",
      "SELECT COUNT(DISTINCT LEFT(v.note, 200) || d.n) FROM visits v JOIN drugs d ON d.person = v.person",
    ]
    for (const sql of remedies) expect(codeOf(sql), sql).toBe("answered")
  })
})
