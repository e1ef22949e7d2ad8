// Traps that were found by hand: data that databases or readers fold together, so that a proof on paper would
// fail on the table. Each is a pair of neighbouring datasets and the questions that would show it.

import { DosimeterError } from "@dosimeter/core"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { compareVersions, planOf, policyOf } from "./testing/clinic/hand-made.ts"
import { TestDatabase } from "./testing/units/test-database.ts"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"

interface Trap {
  readonly name: string
  /** The columns of t beside user_id, and its keys. */
  readonly columns: readonly string[]
  readonly keys?: string
  /** Rows of everyone else, and of user 0. */
  readonly others: string
  readonly own: string
  readonly questions: readonly string[]
  readonly bounds?: { readonly groups: number; readonly rows: number }
}

const long = "x".repeat(65_536)
const traps: readonly Trap[] = [
  {
    name: "IS DISTINCT FROM in an OR, where all other values are NULL (DuckDB 1.5 drops the rows)",
    columns: ["k: integer", "s: text", "d: float"],
    others: "SELECT i, NULL::BIGINT, NULL::VARCHAR, NULL::DOUBLE FROM range(1, 20) AS r(i)",
    own: "SELECT 0, 5, 'a', 2.5",
    questions: [
      "SELECT COUNT(*) FROM t WHERE k IS DISTINCT FROM 3 OR k = 3",
      "SELECT COUNT(*) FROM t WHERE NOT (k IS NOT DISTINCT FROM 3) OR k = 4",
      "SELECT COUNT(*) FROM t WHERE s IS DISTINCT FROM 'q' OR s = 'z'",
      "SELECT COUNT(*) FROM t WHERE d IS DISTINCT FROM 1 OR d = 2",
      "SELECT COUNT(*) FROM t WHERE k IS NOT DISTINCT FROM NULL OR k IS DISTINCT FROM 9",
    ],
  },
  {
    name: "texts that are too long to be read in full, in a key",
    columns: ["k: text"],
    keys: "[[user_id, k]]",
    others: "SELECT i, 'k' || i FROM range(1, 5) AS r(i)",
    own: "SELECT 0, repeat('x', 70000) || i FROM range(20) AS r(i)",
    questions: [
      "SELECT k, COUNT(*) FROM t GROUP BY k",
      `SELECT COUNT(*) FROM t WHERE k = '${long}'`,
      "SELECT COUNT(*) FROM t AS a JOIN t AS b ON a.user_id = b.user_id AND a.k = b.k",
    ],
  },
  {
    name: "integers beyond 64 bits, in a key",
    columns: ["k: integer"],
    keys: "[[user_id, k]]",
    others: "SELECT i, i::HUGEINT FROM range(1, 5) AS r(i)",
    own: "SELECT 0, 100000000000000000000000::HUGEINT + i FROM range(20) AS r(i)",
    questions: [
      "SELECT k, COUNT(*) FROM t GROUP BY k",
      "SELECT COUNT(*) FROM t WHERE k = 9223372036854775807",
    ],
  },
  {
    name: "two zeros, and doubles that look alike",
    columns: ["d: { type: float, min: -10, max: 10 }", "n: { type: integer, min: -5, max: 5 }"],
    others: "SELECT i, j::DOUBLE, j FROM range(1, 5) AS r(i), range(-2, 3) AS q(j)",
    own: "VALUES (0, -0.0::DOUBLE, 0), (0, 0.0, 0), (0, 0.1, 1), (0, 0.1::DOUBLE + 2e-17, 1), (0, 0.1000000001, 1)",
    questions: [
      "SELECT d, COUNT(*) FROM t WHERE d = 0.1 GROUP BY d",
      "SELECT d * -1, COUNT(*), COUNT(DISTINCT d * n) FROM t GROUP BY 1",
      "SELECT k, COUNT(*) FROM (SELECT user_id, d * n AS k FROM t) AS q WHERE k = 0 GROUP BY k",
    ],
    bounds: { groups: 1, rows: 1 },
  },
  {
    name: "texts that grow",
    columns: ["k: text"],
    others: "SELECT i, 'k' || i FROM range(1, 5) AS r(i)",
    own: "SELECT 0, repeat('a', 60000)",
    questions: [
      `SELECT COUNT(*) FROM t WHERE ${"REPLACE(".repeat(40)}k${", 'a', 'aa')".repeat(40)} = 'x'`,
      `SELECT COUNT(*) FROM t WHERE ${Array.from({ length: 100 }, () => "k").join(" || ")} = 'x'`,
    ],
  },
]

let grammar: Grammar
let database: TestDatabase

beforeAll(async () => {
  grammar = await testGrammar()
  database = await TestDatabase.open(1)
})

afterAll(() => {
  database.close()
})

const cases = traps.flatMap((trap, place) =>
  trap.questions.map((sql, which) => ({
    ...trap,
    sql,
    short: sql.slice(0, 80),
    schema: `s${place}_${which}`,
  })),
)

test.each(cases)("$name: $short", async ({ columns, keys, others, own, sql, bounds, schema }) => {
  const [before, after] = [`${schema}a`, `${schema}b`]
  const names = ["user_id", ...columns.map((column) => column.split(":")[0] ?? "")].join(", ")
  await database.execute(`CREATE SCHEMA ${before}; CREATE SCHEMA ${after};
    CREATE TABLE ${before}.t(${names}) AS (${others}) UNION ALL (${own});
    CREATE TABLE ${after}.t(${names}) AS (${others})`)
  const lines = [
    `  t:`,
    `    unit: user_id`,
    ...(keys === undefined ? [] : [`    keys: ${keys}`]),
    `    columns:`,
  ]
  const table = [...lines, ...["user_id: integer", ...columns].map((column) => `      ${column}`)].join("\n")
  try {
    const plan = planOf(sql, policyOf(`${table}\n`, bounds), { grammar })
    expect((await compareVersions(database, plan, [before, after])).broken).toEqual([])
  } catch (error) {
    // A refusal is an answer too.
    if (!(error instanceof DosimeterError) || error.kind === "bug") throw error
  }
})
