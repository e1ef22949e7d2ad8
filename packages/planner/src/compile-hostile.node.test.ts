// Hostile input: long, deep, wide or huge. Each ends in a plan or a clear refusal, in bounded time.

import { isLongForm } from "@dosimeter/core/testing"
import { DosimeterError } from "@dosimeter/core"
import { beforeAll, expect, test } from "vitest"
import { printPlan } from "@dosimeter/proof/print/print-plan"
import { compile } from "./compile.ts"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { clinicPolicy } from "./testing/clinic/clinic.ts"
import { randomMistake } from "./testing/random/random-mistake.ts"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"

const { catalog, terms } = readPolicy(clinicPolicy({}))
let grammar: Grammar

beforeAll(async () => {
  grammar = await testGrammar()
})

const list = (length: number, item: (place: number) => string, separator = ", "): string =>
  Array.from({ length }, (_, place) => item(place)).join(separator)
const nested = (depth: number, open: string, inside: string, close: string): string =>
  open.repeat(depth) + inside + close.repeat(depth)

const hostile: Readonly<Record<string, string>> = {
  "100 kB of conditions": `SELECT COUNT(*) FROM visits WHERE ${list(5000, (i) => `n <> ${i}`, " AND ")}`,
  "100 kB of comment": `SELECT COUNT(*) FROM visits /* ${"x".repeat(100_000)} */`,
  "100 kB of brackets": "(".repeat(100_000),
  "100 kB of text": `SELECT COUNT(*) FROM visits WHERE code = '${"x".repeat(100_000)}'`,
  "a megabyte": `SELECT COUNT(*) FROM visits WHERE code = '${"x".repeat(1_000_000)}'`,
  "10,000 columns": `SELECT ${list(10_000, (i) => `COUNT(*) AS c${i}`)} FROM visits`,
  "10,000 different columns": `SELECT ${list(10_000, (i) => `SUM(CLAMP(n, 0, ${i + 1}))`)} FROM visits`,
  "2,000 different aggregates": `SELECT ${list(2000, (i) => `SUM(CLAMP(n, 0, ${i + 1}))`)} FROM visits`,
  "300 medians": `SELECT ${list(300, (i) => `MEDIAN(CLAMP(n, 0, ${i + 1}))`)} FROM visits`,
  "500 keys": `SELECT COUNT(*) FROM visits GROUP BY ${list(500, (i) => `n + ${i}`)}`,
  "an IN list of 5,000": `SELECT COUNT(*) FROM visits WHERE n IN (${list(5000, String)})`,
  "an IN list of 5,000 texts": `SELECT COUNT(*) FROM visits WHERE code NOT IN (${list(5000, (i) => `'c${i}'`)})`,
  "300 brackets": `SELECT COUNT(*) FROM visits WHERE ${nested(300, "(", "n > 1", ")")}`,
  "300 subqueries": `SELECT COUNT(*) FROM ${nested(300, "(SELECT person_id, n FROM ", "visits", ") AS q")}`,
  "300 CASEs": `SELECT COUNT(*) FROM visits WHERE ${nested(300, "CASE WHEN ", "n > 1", " THEN n > 2 ELSE n > 3 END")}`,
  "300 NOTs": `SELECT COUNT(*) FROM visits WHERE ${"NOT ".repeat(300)} n > 1`,
  "300 EXISTS": `SELECT COUNT(*) FROM visits AS v WHERE ${nested(300, "EXISTS (SELECT 1 FROM drugs AS d WHERE d.person_id = v.person_id AND ", "TRUE", ")")}`,
  "50 subqueries": `SELECT COUNT(*) FROM ${nested(50, "(SELECT person_id, n FROM ", "visits", ") AS q")}`,
  "200 joins": `SELECT COUNT(*) FROM visits AS v ${list(200, (i) => `JOIN drugs AS d${i} ON d${i}.person_id = v.person_id`, " ")}`,
  "200 joins USING": `SELECT COUNT(*) FROM visits ${list(200, (i) => `JOIN drugs AS d${i} USING (person_id)`, " ")}`,
  "20 joins": `SELECT COUNT(*) FROM visits AS v ${list(20, (i) => `JOIN drugs AS d${i} ON d${i}.person_id = v.person_id`, " ")}`,
  "200 CTEs, each used twice": `WITH c0 AS (SELECT person_id, n FROM visits), ${list(
    200,
    (i) =>
      `c${i + 1} AS (SELECT a.person_id, a.n FROM c${i} AS a JOIN c${i} AS b ON a.person_id = b.person_id)`,
  )} SELECT COUNT(*) FROM c200`,
  "20 CTEs, each used twice": `WITH c0 AS (SELECT person_id, n FROM visits), ${list(
    20,
    (i) =>
      `c${i + 1} AS (SELECT a.person_id, a.n FROM c${i} AS a JOIN c${i} AS b ON a.person_id = b.person_id)`,
  )} SELECT COUNT(*) FROM c20`,
  "200 CTEs, each in a union with itself": `WITH c0 AS (SELECT person_id, n FROM visits), ${list(
    200,
    (i) => `c${i + 1} AS (SELECT person_id, n FROM c${i} UNION ALL SELECT person_id, n FROM c${i})`,
  )} SELECT COUNT(*) FROM c200`,
  "200 released CTEs, each used twice": `WITH c0 AS (SELECT COUNT(*) AS n FROM visits), ${list(
    200,
    (i) => `c${i + 1} AS (SELECT a.n + b.n AS n FROM c${i} AS a CROSS JOIN c${i} AS b)`,
  )} SELECT n FROM c200`,
  "1,000 branches of UNION ALL": `SELECT COUNT(*) FROM (${list(1000, () => "SELECT person_id FROM visits", " UNION ALL ")}) AS q`,
  "1,000 questions in a union": list(1000, () => "SELECT COUNT(*) FROM visits", " UNION ALL "),
  "10^10000": `SELECT SUM(CLAMP(n, 0, 1${"0".repeat(10_000)})) FROM visits`,
  "10^10000 in a comparison": `SELECT COUNT(*) FROM visits WHERE n < 1${"0".repeat(10_000)}`,
  "10,000 digits after the point": `SELECT COUNT(*) FROM visits WHERE n < 0.${"3".repeat(10_000)}`,
  "1e-400": "SELECT SUM(CLAMP(n, 0, 1e-400)) FROM visits",
  "1e400": "SELECT SUM(CLAMP(n, 0, 1e400)) FROM visits",
  "1e999999999": "SELECT COUNT(*) FROM visits WHERE n < 1e999999999",
  "1e-999999999": "SELECT COUNT(*) FROM visits WHERE n < 1e-999999999",
  "-1e999999999 as a float":
    "SELECT COUNT(*) FROM visits WHERE fee < CAST('-1e999999999' AS double precision)",
  "an interval of 10^18 years":
    "SELECT COUNT(*) FROM visits WHERE day < DATE '2020-01-01' + INTERVAL '1000000000000000000 years'",
  "a date in the year 10^9": "SELECT COUNT(*) FROM visits WHERE day < DATE '1000000000-01-01'",
  "a power of powers": "SELECT SUM(POWER(POWER(POWER(n, 300), 300), 300)) FROM visits",
  "repeated squares": `SELECT COUNT(*) FROM visits WHERE ${nested(12, "(", "n", ") * n")} > 0`,
  "a LIMIT of 10^30": "SELECT ward, COUNT(*) FROM visits GROUP BY ward LIMIT 1000000000000000000000000000000",
  "a name of 10,000 letters": `SELECT COUNT(*) AS ${"a".repeat(10_000)} FROM visits`,
  "a table of 10,000 letters": `SELECT COUNT(*) FROM ${"a".repeat(10_000)}`,
  "a long sum": `SELECT SUM(CLAMP(${list(2000, () => "n", " + ")}, 0, 9)) FROM visits`,
  "a long concatenation": `SELECT COUNT(*) FROM visits WHERE ${list(2000, () => "code", " || ")} = 'x'`,
  "a deep chain of functions": `SELECT COUNT(*) FROM visits WHERE ${nested(300, "LOWER(", "code", ")")} = 'x'`,
  "a deep chain of casts": `SELECT COUNT(*) FROM visits WHERE n${"::text::integer".repeat(200)} = 1`,
  "doubling text": `SELECT COUNT(*) FROM visits WHERE ${nested(60, "REPLACE(", "code", ", 'a', 'aa')")} = 'x'`,
  "listed values, joined": `SELECT ${list(9, () => "ward", " || ")}, COUNT(*) FROM visits GROUP BY 1`,
  "many listed keys": `SELECT COUNT(*) FROM visits GROUP BY ${list(12, () => "ward || ''")}`,
  "10,000 VALUES": `SELECT COUNT(*) FROM visits CROSS JOIN (VALUES ${list(10_000, (i) => `(${i})`)}) AS t(x)`,
  "a row of 5,000 VALUES": `SELECT COUNT(*) FROM (VALUES (${list(5000, String)})) AS t`,
  "1,000 windows": `SELECT COUNT(*) FROM (SELECT person_id, ${list(1000, (i) => `LAG(n, ${i + 1}) OVER (PARTITION BY person_id ORDER BY day) AS w${i}`)} FROM visits) AS q WHERE w5 > 1`,
  "a list of 9,000 days": "SELECT day + n * 1000, COUNT(*) FROM visits GROUP BY 1",
  "500 quantiles": `SELECT ${list(499, (i) => `PERCENTILE_CONT(${(i + 1) / 500}) WITHIN GROUP (ORDER BY n)`)} FROM visits`,
  "parameters that are not there": `SELECT COUNT(*) FROM visits WHERE n = $65535`,
  "strange letters": "SELECT COUNT(*) FROM visits WHERE code = '\u202e\ud83d\ude00\u0301' -- \u0000",
  "half a surrogate": "SELECT COUNT(*) FROM visits WHERE code = '\ud83d'",
}

test.each(Object.entries(hostile))("%s ends in a refusal or a plan", (_name, sql) => {
  expect(outcomeOf(sql)).toMatch(/^(a plan|(sql|privacy|parameter|ask)\/)/)
})

test("mistakes end in a refusal or a plan, in every dialect", () => {
  for (let place = 0; place < (isLongForm ? 5000 : 60); place += 1) {
    const sql = randomMistake(`mistake ${place}`)
    expect(outcomeOf(sql), sql).toMatch(/^(a plan|(sql|privacy|parameter|ask)\/)/)
  }
})

function outcomeOf(sql: string): string {
  try {
    const { plan } = compile(sql, { grammar, catalog, terms })
    const texts = (["duckdb", "postgres", "trino"] as const).flatMap((dialect) => printPlan(plan, dialect))
    return `a plan of ${texts.reduce((sum, { text }) => sum + text.length, 0)} letters`
  } catch (error) {
    if (error instanceof DosimeterError) {
      // Messages are for people: they quote the query, and not all of it.
      expect(error.message.length).toBeLessThan(2000)
      return `${error.code}: ${error.message}`
    }
    throw error
  }
}
