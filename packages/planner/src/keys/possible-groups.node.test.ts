// WHERE leaves out the groups that it makes impossible, and no others: held against a database that has a row
// for every combination of values that the columns may have.

import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { numberNear, rational } from "@dosimeter/core/exact"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import { civilOfDay, floorDivide } from "@dosimeter/proof/catalog/civil-date"
import { publicRows } from "@dosimeter/proof/algebra/public-rows"
import type { ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { linearHalfWidth } from "../aggregates/errors/reading-errors.ts"
import { compile } from "../compile.ts"

const policy = `
dataset: d
source: { duckdb: d.duckdb }
neighbours: add-or-remove
budget: { epsilon: 10, delta: 1e-6, accounting: zcdp }
question: { epsilon: 1, delta: 1e-8 }
bounding: { groups_per_unit: 4, rows_per_group: 3 }
tables:
  visits:
    unit: person_id
    columns:
      person_id: integer
      ward: { values: [A, B, C] }
      urgent: { type: boolean, nullable: false }
      age: { type: integer, min: 0, max: 9 }
      day: { type: date, min: 2020-01-15, max: 2021-06-20, nullable: false }
      seen: { type: timestamp, min: 2020-12-30 06:00:00, max: 2021-01-02 17:30:00 }
      old: { type: date, min: 1950-01-01, max: 2049-12-31, nullable: false }
      code: text
`

let grammar: Grammar
let instance: DuckDBInstance
let connection: DuckDBConnection

beforeAll(async () => {
  grammar = await testGrammar()
  instance = await DuckDBInstance.create(":memory:")
  connection = await instance.connect()
  // A key and its conditions read one or two of these columns: pairs of tables have all their combinations.
  await connection.run(`
    CREATE TABLE small AS SELECT ward, urgent, age FROM (VALUES ('A'), ('B'), ('C'), (NULL)) w(ward),
      (VALUES (true), (false)) u(urgent), (SELECT i AS age FROM range(10) r(i) UNION ALL SELECT NULL) a;
    CREATE TABLE days AS SELECT (DATE '2020-01-15' + i::INTEGER) AS day FROM range(523) r(i);
    CREATE TABLE moments AS SELECT TIMESTAMP '2020-12-30 06:00:00' + INTERVAL 15 MINUTE * i AS seen
      FROM range(335) r(i) UNION ALL SELECT NULL
      UNION ALL SELECT TIMESTAMP '2021-01-01 00:00:00' - INTERVAL 1 MICROSECOND`)
})
afterAll(() => {
  connection.closeSync()
  instance.closeSync()
})

function planOf(sql: string): ReleasePlan {
  const { catalog, terms } = readPolicy(policy)
  return compile(sql, { grammar, catalog, terms }).plan
}

/** The groups that a plan lists. */
function listed(sql: string): readonly string[] {
  const [release] = planOf(sql).releases
  return release === undefined ? [] : publicRows(release.keys).map((row) => row.map(show).join(" "))
}

function show(value: Constant): string {
  const two = (part: bigint): string => part.toString().padStart(2, "0")
  const date = (day: bigint): string => {
    const civil = civilOfDay(day)
    return `${civil.year}-${two(civil.month)}-${two(civil.day)}`
  }
  switch (value.kind) {
    case "null":
      return "-"
    case "number":
      return `${value.value.numerator}`
    case "date":
      return date(value.day)
    case "timestamp": {
      const hours = floorDivide(value.micros, 3_600_000_000n)
      return `${date(floorDivide(hours, 24n))} ${two(hours - 24n * floorDivide(hours, 24n))}`
    }
    case "text":
    case "boolean":
      return `${value.value}`
    default:
      throw new Error("no key is an interval")
  }
}

/** The groups that have rows, by the tables that the question needs. */
async function there(keys: readonly string[], where: string, from: string): Promise<readonly string[]> {
  const spelled = keys.map((key) => {
    const text = key.startsWith("DATE_TRUNC('hour'") ? `strftime(${key}, '%Y-%m-%d %H')` : `(${key})::VARCHAR`
    return `coalesce(${text}, '-')`
  })
  const sql = `SELECT DISTINCT ${spelled.join(" || ' ' || ")} AS g FROM ${from} WHERE ${where}`
  const rows = (await connection.runAndReadAll(sql)).getRowsJS()
  return rows.map(([group]) => (typeof group === "string" ? group : "")).toSorted()
}

const exact: readonly (readonly [keys: readonly string[], from: string, conditions: readonly string[]])[] = [
  [
    ["ward"],
    "small",
    [
      "ward IN ('A', 'B')",
      "ward = 'A'",
      "ward <> 'A'",
      "ward NOT IN ('A', 'C')",
      "NOT (ward = 'B')",
      "ward IS NOT NULL",
      "ward IS NULL",
      "ward IS NOT DISTINCT FROM NULL",
      "ward LIKE 'A%' OR ward > 'B'",
      "ward = 'A' AND age > 3",
      "(ward = 'A' AND age > 3) OR (ward = 'B' AND age < 3)",
      "ward = 'A' OR age > 3",
      "UPPER(ward) = 'C'",
      "(ward = 'A') IS NOT TRUE",
    ],
  ],
  [
    ["ward", "urgent"],
    "small",
    [
      "(ward = 'A' AND urgent) OR (ward = 'B' AND NOT urgent)",
      "urgent",
      "NOT urgent AND ward IN ('A', 'B')",
      "CASE WHEN urgent THEN ward = 'A' ELSE ward IS NULL END",
      "(ward = 'C') = urgent",
    ],
  ],
  [
    ["CASE WHEN age < 3 THEN 'young' WHEN age < 7 THEN 'middle' ELSE 'old' END"],
    "small",
    ["age >= 3", "age BETWEEN 1 AND 4", "age > 2 AND age < 7", "age IS NOT NULL AND age < 7", "age % 5 = 4"],
  ],
  [
    ["EXTRACT(month FROM day)"],
    "days",
    [
      "EXTRACT(month FROM day) BETWEEN 3 AND 5",
      "day >= DATE '2021-03-17'",
      "day > DATE '2021-03-31'",
      "day BETWEEN DATE '2020-11-30' AND DATE '2021-02-01'",
      "EXTRACT(quarter FROM day) = 2",
    ],
  ],
  [
    ["EXTRACT(year FROM day)", "EXTRACT(month FROM day)"],
    "days",
    [
      "day >= DATE '2020-11-03' AND day < DATE '2021-03-01'",
      "EXTRACT(year FROM day) = 2021 OR day < DATE '2020-02-01'",
    ],
  ],
  [
    ["DATE_TRUNC('month', day)::DATE"],
    "days",
    [
      "day >= DATE '2020-06-30' AND day <= DATE '2020-09-01'",
      "EXTRACT(year FROM day) = 2021",
      "EXTRACT(month FROM day) IN (1, 12)",
      "day > DATE '2021-02-27' AND day < DATE '2021-03-02'",
    ],
  ],
  [
    ["seen::DATE"],
    "moments",
    [
      "seen >= TIMESTAMP '2021-01-01 00:00:00'",
      "seen < TIMESTAMP '2021-01-01 00:00:00'",
      "seen <= TIMESTAMP '2021-01-01 00:00:00'",
      "TIMESTAMP '2020-12-31 23:00:00' < seen AND seen IS NOT NULL",
      "seen BETWEEN TIMESTAMP '2020-12-31 10:00:00' AND TIMESTAMP '2021-01-01 10:00:00'",
      "seen::DATE <> DATE '2021-01-01'",
      "EXTRACT(year FROM seen) = 2021",
      "seen IS NULL",
    ],
  ],
  [
    ["DATE_TRUNC('hour', seen)"],
    "moments",
    ["seen < TIMESTAMP '2020-12-30 08:30:00'", "EXTRACT(hour FROM seen) = 3"],
  ],
]

const cases = exact.flatMap(([keys, from, conditions]) => conditions.map((where) => ({ keys, from, where })))

describe("[Q5] the groups that are listed are those that can have rows", () => {
  test.each(cases)("$keys where $where", async ({ keys, from, where }) => {
    const places = keys.map((_, index) => index + 1)
    const sql = `SELECT ${keys.join(", ")}, COUNT(*) FROM visits WHERE ${where} GROUP BY ${places.join(", ")}`
    expect(listed(sql).toSorted()).toEqual(await there(keys, where, from))
  })
})

test("what other columns decide leaves all groups", () => {
  const all = listed("SELECT ward, COUNT(*) FROM visits GROUP BY ward")
  expect(all).toEqual(["A", "B", "C", "-"])
  for (const where of ["age > 3", "ward = 'A' OR code = 'x'", "seen > TIMESTAMP '2021-01-01 00:00:00'"]) {
    expect(listed(`SELECT ward, COUNT(*) FROM visits WHERE ${where} GROUP BY ward`)).toEqual(all)
  }
})

test("data may have values that are not declared: a group of all other values stays", () => {
  const sql = "SELECT ward = 'A' AS is_a, COUNT(*) FROM visits WHERE ward NOT IN ('B', 'C') GROUP BY 1"
  expect(listed(sql)).toContain("false")
})

test("a condition of a subquery, of a join and of its ON narrow as well", () => {
  const inner = "SELECT ward, COUNT(*) FROM (SELECT * FROM visits WHERE ward <> 'A') AS v GROUP BY ward"
  expect(listed(inner)).toEqual(["B", "C"])
  const joined =
    "SELECT a.ward, COUNT(*) FROM visits a JOIN visits b ON a.person_id = b.person_id AND a.ward = 'C' GROUP BY 1"
  expect(listed(joined)).toEqual(["C"])
  const outer =
    "SELECT b.ward, COUNT(*) FROM visits a LEFT JOIN visits b ON a.person_id = b.person_id AND b.ward = 'C' GROUP BY 1"
  expect(listed(outer)).toContain("-")
})

test("fewer groups need less noise, and a list that was too long is short enough", () => {
  const sigma = (sql: string): number => {
    const measurement = planOf(sql).releases[0]?.measurements[0]
    if (measurement?.kind !== "linear") throw new Error("a count")
    const width = linearHalfWidth(measurement, { column: 0, isWhole: false }, rational(19n, 20n))
    return width === undefined ? 0 : numberNear(width) ** 2
  }
  const all = sigma("SELECT ward, COUNT(*) FROM visits GROUP BY ward")
  const one = sigma("SELECT ward, COUNT(*) FROM visits WHERE ward = 'A' GROUP BY ward")
  // A count of one row has noise in whole steps, and its half width is rounded up.
  expect(all / one).toBeGreaterThan(3.8)
  expect(all / one).toBeLessThan(4.2)
  const days = "SELECT old, COUNT(*) FROM visits WHERE old >= DATE '2049-12-01' GROUP BY old"
  expect(listed(days)).toHaveLength(31)
  expect(planOf("SELECT old, COUNT(*) FROM visits GROUP BY old").releases[0]?.keys.kind).toBe("private")
})

test("where no group is possible nothing is read, and nothing is charged", () => {
  const plan = planOf("SELECT ward, COUNT(*) FROM visits WHERE ward = 'A' AND ward = 'B' GROUP BY ward")
  expect(plan.releases).toEqual([])
  expect(plan.charge.amount.numerator).toBe(0n)
})

test("groupings are of the groups that are left", () => {
  const [release] = planOf(
    "SELECT ward, urgent, COUNT(*) FROM visits WHERE (ward = 'A' AND urgent) OR ward = 'B' GROUP BY CUBE (ward, urgent)",
  ).releases
  expect(release?.keys.kind === "public" && release.keys.groupings?.sets).toHaveLength(4)
  if (release === undefined) throw new Error("a release")
  expect(publicRows(release.keys).map((row) => row.map(show).join(" "))).toEqual([
    "A true",
    "B false",
    "B true",
  ])
})

describe("values that the question lists for a key that nobody declared", () => {
  const kindOf = (sql: string): string | undefined => planOf(sql).releases[0]?.keys.kind
  const by = (where: string, keys = "code"): string =>
    `SELECT ${keys}, COUNT(*) FROM visits WHERE ${where} GROUP BY ${keys}`

  test("are its groups, each once and in order, and need no selection", () => {
    expect(listed(by("code IN ('b', 'a', 'b', NULL)"))).toEqual(["a", "b"])
    expect(listed(by("'a' = code"))).toEqual(["a"])
    expect(listed(by("code IN ('a', 'b') AND code <> 'a'"))).toEqual(["b"])
    expect(listed(by("code IN ('a', 'b') AND ward = 'A'"))).toEqual(["a", "b"])
    expect(listed(by("code IN ('a', 'b') AND ward IN ('C', 'A')", "ward, code"))).toHaveLength(4)
    const { charge } = planOf(by("code IN ('a', 'b')"))
    expect(charge.delta.numerator).toBe(0n)
  })

  test("are not, where other values can count, too, or values are not exact", () => {
    const open = [
      "code <> 'a'",
      "code IN ('a') OR ward = 'A'",
      "code NOT IN ('a')",
      "upper(code) = 'A'",
      "code > 'a'",
      "code IN ('a', ward)",
    ]
    for (const where of open) expect([where, kindOf(by(where))]).toEqual([where, "private"])
    expect(kindOf(by("age / 3.0 = 1.5", "age / 3.0"))).toBe("private")
  })

  test("are taken from the question alone, whatever the range of the column leaves of them", () => {
    expect(listed(by("old IN (DATE '2001-02-03', DATE '2050-01-01')", "old"))).toHaveLength(1)
  })
})
