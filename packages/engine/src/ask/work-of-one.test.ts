// One person's rows decide neither whether a question is answered nor how much there is to do for it.

import { DuckDBInstance } from "@duckdb/node-api"
import { DosimeterError } from "@dosimeter/core"
import { seededBits } from "@dosimeter/core/testing"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openEngine, type Engine } from "../engine.ts"

const policy = `dataset: one
source: { duckdb: one.duckdb }
unit: person
neighbours: add-or-remove
budget: { epsilon: 50, delta: 1e-6, accounting: zcdp }
question: { epsilon: { default: 0.1, max: 1 }, delta: 1e-9, confidence: 0.95 }
bounding: { groups_per_unit: 1, rows_per_group: 1, norm: fixed }
resources: { seconds: 60, memory_mb: 1000 }
tables:
  people:
    unit: id
    keys: [[id]]
    columns:
      diagnosis: { values: [hiv, flu] }
      age: { min: 0, max: 120 }
`
const folders: string[] = []
let engines: readonly Engine[] = []

beforeAll(async () => {
  engines = await Promise.all([open("'hiv'"), open("'flu'")])
})
afterAll(async () => {
  for (const engine of engines) await engine.close()
  for (const folder of folders) rmSync(folder, { recursive: true })
})

async function open(diagnosis: string): Promise<Engine> {
  const folder = mkdtempSync(join(tmpdir(), "dosimeter-one-"))
  folders.push(folder)
  const instance = await DuckDBInstance.create(join(folder, "one.duckdb"))
  const connection = await instance.connect()
  await connection.run(`CREATE TABLE people AS SELECT i AS id, (i % 90)::INTEGER AS age,
    CASE WHEN i = 77 THEN ${diagnosis} ELSE 'flu' END AS diagnosis FROM range(200) r(i)`)
  connection.closeSync()
  instance.closeSync()
  return openEngine({ policy, folder, rng: seededBits("one") })
}

async function outcomeOf(engine: Engine, sql: string): Promise<string> {
  try {
    const { origin } = await engine.ask(sql)
    return origin
  } catch (error) {
    return error instanceof DosimeterError ? error.code : String(error)
  }
}

const has = "id = 77 AND diagnosis = 'hiv'"
const rows = (count: number): string =>
  `(VALUES ${Array.from({ length: count }, (_, index) => `(${index})`).join(", ")})`
const grow = (text: string, by: number, times: number): string =>
  Array.from({ length: times }).reduce<string>((inner) => `REPLACE(${inner}, 'a', '${"a".repeat(by)}')`, text)
const letter = `CASE WHEN ${has} THEN 'a' ELSE '' END`
const many = ["a", "b", "c", "d"].map((name) => `JOIN ${rows(400)} ${name}(x) ON (${has}) OR ${name}.x = 0`)
const long = grow(letter, 250, 2)

/** What must happen, with and without. */
const questions: readonly (readonly [what: string, outcome: string, sql: string])[] = [
  ["rows of constants", "released", `SELECT COUNT(*) FROM people ${many.join(" ")}`],
  [
    "a pattern of several %",
    "released",
    `SELECT COUNT(*) FROM people WHERE ${grow(letter, 60, 2)} NOT LIKE '%a%a%a%b'`,
  ],
  [
    "the same in any case",
    "released",
    `SELECT COUNT(*) FROM people WHERE ${grow(letter, 60, 2)} NOT ILIKE '%A%a%b'`,
  ],
  ["a long text", "sql/too-much-work", `SELECT COUNT(*) FROM people WHERE ${long} NOT LIKE '%a%b'`],
  [
    "long texts that differ",
    "sql/too-much-work",
    `SELECT COUNT(DISTINCT ${long} || a.x) FROM people ${many.slice(0, 2).join(" ")}`,
  ],
  [
    "texts that fit, of many rows",
    "sql/too-much-work",
    `SELECT COUNT(DISTINCT ${grow(letter, 60, 2)} || a.x || b.x) FROM people ${many.slice(0, 2).join(" ")}`,
  ],
  [
    "short texts of many rows",
    "released",
    `SELECT COUNT(DISTINCT ${grow(letter, 80, 1)} || a.x || b.x) FROM people ${many.slice(0, 2).join(" ")}`,
  ],
  [
    "groups of short texts",
    "released",
    `SELECT COUNT(*) FROM (SELECT id, ${letter} || a.x AS t, COUNT(*) AS c FROM people ${many.slice(0, 2).join(" ")} GROUP BY id, ${letter} || a.x) q WHERE c > 1`,
  ],
  [
    "a window over many rows",
    "released",
    `SELECT COUNT(*) FROM (SELECT id, ROW_NUMBER() OVER (PARTITION BY id ORDER BY a.x, b.x) AS place FROM people ${many.slice(0, 2).join(" ")}) q WHERE place > 5`,
  ],
  [
    "a window in the order of long texts",
    "released",
    `SELECT COUNT(*) FROM (SELECT id, ROW_NUMBER() OVER (PARTITION BY id ORDER BY ${grow(letter, 60, 2)} || a.x || b.x) AS place FROM people ${many.slice(0, 2).join(" ")}) q WHERE place > 5`,
  ],
  [
    "one text in another",
    "sql/too-much-work",
    `SELECT COUNT(*) FROM people WHERE POSITION(LEFT(diagnosis, 60000) || 'b' IN diagnosis || diagnosis) > 0`,
  ],
  [
    "a short text in another",
    "released",
    `SELECT COUNT(*) FROM people WHERE POSITION(LEFT(${grow(letter, 60, 2)}, 900) IN diagnosis) = 0`,
  ],
]

test.each(questions)("[W1] %s: the same with and without", async (_, outcome, sql) => {
  for (const engine of engines) expect(await outcomeOf(engine, sql)).toBe(outcome)
})
