// Probes of side channels (test/fixtures/sql_channels.json): whatever the SQL, the answer's form (error or
// not, columns, types, groups) is the same with and without one person; and what was injected goes nowhere.

import { readFileSync } from "node:fs"
import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api"
import { DosimeterError } from "@dosimeter/core"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { printRel } from "@dosimeter/proof/print/print"
import { compareVersions, planOf, policyOf } from "./testing/clinic/hand-made.ts"
import { quoted } from "@dosimeter/proof/testing/hostile-values"
import { TestDatabase } from "./testing/units/test-database.ts"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"

interface Probe {
  readonly id: string
  readonly group: string
  readonly inputs: {
    readonly sql: string
    readonly extra_row_in_Dprime?: {
      readonly user_id: number
      readonly g: string
      readonly x: number
      readonly s: string
      readonly d: number | string
      readonly ts: string
    }
  }
}

const fixture = new URL("../test/fixtures/sql_channels.json", import.meta.url)
const { records }: { readonly records: readonly Probe[] } = JSON.parse(readFileSync(fixture, "utf8"))

const table = (x: string, d: string, g: string): string => `
  t:
    unit: user_id
    columns:
      user_id: integer
      g: { type: text${g} }
      x: { type: integer${x} }
      s: text
      d: { type: float${d} }
      ts: date
`
/** The owner may have declared much or nothing: the form may depend on that, and on nothing else. */
const policies = {
  bounds: policyOf(table(", min: -100, max: 100", ", min: -10, max: 10", ", values: [a, b]")),
  nothing: policyOf(table("", "", "")),
  wide: policyOf(table(", min: -2147483648, max: 2147483647", ", min: -1e30, max: 1e30", "")),
}

/** Probes that must be refused whatever is declared, and why. */
const refusals: Readonly<Record<string, string>> = {
  "errors.cast/0001": "privacy/unbounded-sum",
  "errors.cast/0003": "privacy/unbounded-sum",
  "errors.math/0002": "privacy/unbounded-sum",
  "errors.math/0005": "sql/unknown-function",
  "errors.cardinality/0001": "privacy/scalar-over-people",
  "errors.user_error/0001": "sql/unknown-function",
  "errors.parse/0001": "sql/unknown-function",
  "existence.group_keys/0007": "privacy/unbounded-sum",
  "existence.group_keys/0008": "sql/type-mismatch",
  "existence.group_keys/0013": "sql/unsupported-syntax",
  "existence.group_keys/0014": "sql/unsupported-syntax",
  "existence.group_keys/0015": "privacy/rows-selected",
  "injection.sql/0002": "privacy/unit-lost",
  "injection.sql/0004": "sql/bad-character",
  "injection.sql/0009": "sql/syntax",
  "injection.sql/0010": "sql/unsupported-syntax",
  "injection.sql/0012": "sql/syntax",
  "injection.sql/0013": "sql/unknown-table",
  "injection.sql/0014": "sql/unsupported-syntax",
  "injection.sql/0017": "privacy/join-unbounded",
}
/** The same with bounds, so that they are answered: nothing may fail on the strange row. */
const bounded: Readonly<Record<string, string>> = {
  "errors.cast/0001": "SELECT SUM(CLAMP(CAST(s AS INTEGER), 0, 10)) FROM t",
  "errors.cast/0003":
    "SELECT SUM(CLAMP(CASE WHEN user_id = 0 THEN CAST(s AS INTEGER) ELSE 1 END, 0, 10)) FROM t",
  "errors.math/0002": "SELECT SUM(CLAMP(LN(x), -5, 5)) FROM t",
  "errors.division/0003": "SELECT SUM(CLAMP(x % x, -5, 5)) FROM t",
  "errors.division/0004": "SELECT AVG(CLAMP(d / (x - 99), -5, 5)) FROM t",
  "errors.math/0001": "SELECT SUM(CLAMP(SQRT(d), -5, 5)) FROM t",
  "errors.overflow/0001": "SELECT SUM(CLAMP(CLAMP(x, -1e15, 1e15) + 1, -5, 5)) FROM t",
  "errors.overflow/0002": "SELECT SUM(CLAMP(CLAMP(x, -1e15, 1e15) * x, -5, 5)) FROM t",
  "errors.nan/0001": "SELECT SUM(CLAMP(d, -5, 5)), MEDIAN(CLAMP(d, -5, 5)), COUNT(d) FROM t",
  "existence.group_keys/0017": "SELECT MEDIAN(CLAMP(x, 0, 60)) FROM t",
}
/** What printed SQL may hold in quotes only. */
const injected = /read_text|passwd|pg_sleep|attach|information_schema|error\s*\(|;|--|\/\*|\$\$/i

let grammar: Grammar
let database: TestDatabase
/** Only parses. */
let parser: DuckDBConnection

beforeAll(async () => {
  grammar = await testGrammar()
  database = await TestDatabase.open(1)
  parser = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect()
  const columns = "user_id INTEGER, g VARCHAR, x INTEGER, s VARCHAR, d DOUBLE, ts DATE"
  const people =
    "SELECT i, CASE WHEN i % 2 = 0 THEN 'a' ELSE 'b' END, i, '7', 1.0, DATE '2020-01-01' FROM range(1, 51) AS r(i)"
  const statements = ["CREATE SCHEMA d", `CREATE TABLE d.t (${columns})`, `INSERT INTO d.t ${people}`]
  for (const [place, { inputs }] of records.entries()) {
    const row = inputs.extra_row_in_Dprime
    statements.push(`CREATE SCHEMA d${place}`, `CREATE TABLE d${place}.t AS SELECT * FROM d.t`)
    if (row === undefined) continue
    const values = [
      row.user_id,
      quoted(row.g, "VARCHAR"),
      row.x,
      quoted(row.s, "VARCHAR"),
      `'${row.d}'::DOUBLE`,
      `DATE '${row.ts}'`,
    ]
    statements.push(`INSERT INTO d${place}.t VALUES (${values.join(", ")})`)
  }
  await database.execute(statements.join(";\n"))
})

afterAll(() => {
  parser.closeSync()
  database.close()
})

test("all probes are here", () => {
  expect(records).toHaveLength(35)
  const ids = new Set(records.map(({ id }) => id))
  expect(Object.keys(refusals).filter((id) => !ids.has(id))).toEqual([])
})

const cases = records.flatMap((probe, place) =>
  Object.entries(policies).map(([name, policy]) => ({ ...probe, place, name, policy })),
)

test.each(cases)("[Q4] $id with $name declared", async ({ id, inputs: { sql }, place, policy }) => {
  const plan = planOrCode(sql, policy)
  if (refusals[id] !== undefined) expect(plan).toBe(refusals[id])
  // Decided without data, so the same for everyone.
  if (typeof plan === "string") return expect(plan).toMatch(/^(sql|privacy)\//)
  const { broken } = await compareVersions(database, plan, ["d", `d${place}`])
  expect(broken).toEqual([])
  for (const { text } of printed(plan)) {
    expect(outsideQuotes(text)).not.toMatch(injected)
    expect(await statementsIn(text)).toBe(1)
  }
})

test.each(Object.entries(bounded))("%s with bounds is answered", async (id, sql) => {
  const place = records.findIndex((probe) => probe.id === id)
  for (const policy of Object.values(policies)) {
    const plan = planOf(sql, policy, { grammar })
    expect((await compareVersions(database, plan, ["d", `d${place}`])).broken).toEqual([])
  }
})

test("every probe is answered by some policy, or refused by all of them", () => {
  const answered = records.filter(({ inputs }) =>
    Object.values(policies).some((policy) => typeof planOrCode(inputs.sql, policy) !== "string"),
  )
  const refusedByAll = records.filter((probe) => !answered.includes(probe)).map(({ id }) => id)
  expect(refusedByAll.toSorted()).toEqual(Object.keys(refusals).toSorted())
})

test("a literal of 64 bits is printed digit by digit", () => {
  const plan = planOrCode("SELECT COUNT(*) FROM t WHERE x = 9007199254740993", policies.nothing)
  if (typeof plan === "string") throw new Error(plan)
  expect(
    printed(plan)
      .map(({ text }) => text)
      .join(),
  ).toContain("9007199254740993")
})

test("names are folded as PostgreSQL does", () => {
  const [upper, lower] = ["SELECT COUNT(*) FROM T", "SELECT COUNT(*) FROM t"].map((sql) =>
    planOrCode(sql, policies.bounds),
  )
  if (typeof upper !== "object" || typeof lower !== "object") throw new Error("both are answered")
  expect(printed(upper)).toEqual(printed(lower))
  expect(planOrCode('SELECT COUNT(*) FROM "T"', policies.bounds)).toBe("sql/unknown-table")
})

function planOrCode(sql: string, policy: string): ReleasePlan | string {
  try {
    return planOf(sql, policy, { grammar })
  } catch (error) {
    if (error instanceof DosimeterError && error.kind !== "bug") return error.code
    throw error
  }
}

function printed(plan: ReleasePlan): readonly { readonly text: string }[] {
  return plan.releases.flatMap(({ extracts }) => extracts.map(({ rel }) => printRel(rel, "duckdb")))
}

function outsideQuotes(text: string): string {
  return text.replaceAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"/g, "Q")
}

async function statementsIn(text: string): Promise<number> {
  return (await parser.extractStatements(text)).count
}
