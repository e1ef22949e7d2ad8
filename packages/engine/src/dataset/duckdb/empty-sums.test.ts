// Sums of nothing, beside clamps that leave 0 out: whether anybody meets a condition decides no failure.

import { DuckDBInstance } from "@duckdb/node-api"
import { DosimeterError } from "@dosimeter/core"
import { seededBits } from "@dosimeter/core/testing"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openEngine, type Engine } from "../../engine.ts"

const policy = `dataset: sums
source: { duckdb: sums.duckdb }
unit: person
neighbours: add-or-remove
budget: { epsilon: 500, delta: 1e-6, accounting: zcdp }
question: { epsilon: { default: 0.1, max: 1 }, delta: 1e-9, confidence: 0.95 }
bounding: { groups_per_unit: 1, rows_per_group: 1, norm: fixed }
tables:
  people:
    unit: id
    keys: [[id]]
    columns:
      diagnosis: { values: [hiv, flu] }
      age: { type: integer, min: 0, max: 120 }
`
const folders: string[] = []
let engines: readonly Engine[] = []

beforeAll(async () => {
  engines = await Promise.all(
    (["hiv", "flu"] as const).flatMap((diagnosis) =>
      (["always", "never"] as const).map((prepare) => open(diagnosis, prepare)),
    ),
  )
})
afterAll(async () => {
  for (const engine of engines) await engine.close()
  for (const folder of folders) rmSync(folder, { recursive: true })
})

async function open(diagnosis: string, prepare: "always" | "never"): Promise<Engine> {
  const folder = mkdtempSync(join(tmpdir(), "dosimeter-sums-"))
  folders.push(folder)
  const instance = await DuckDBInstance.create(join(folder, "sums.duckdb"))
  const connection = await instance.connect()
  await connection.run(`CREATE TABLE people AS SELECT i AS id, (i % 90)::INTEGER AS age,
    CASE WHEN i = 77 THEN '${diagnosis}' ELSE 'flu' END AS diagnosis FROM range(200) r(i)`)
  connection.closeSync()
  instance.closeSync()
  return openEngine({ policy, folder, prepare, rng: seededBits("sums") })
}

const has = "id = 77 AND diagnosis = 'hiv'"

test.each([
  `SELECT SUM(CLAMP(age, 5, 10)) AS n FROM people WHERE ${has}`,
  `SELECT AVG(CLAMP(age, 5, 10)) AS a, COUNT(*) AS n FROM people WHERE ${has}`,
  `SELECT VARIANCE(CLAMP(age, 5, 10)) AS v FROM people WHERE ${has}`,
  `SELECT SUM(CLAMP(-age, -10, -5)) AS n FROM people WHERE ${has}`,
  `SELECT SUM(CLAMP(age, 5, 10)) FILTER (WHERE ${has}) AS s, COUNT(*) AS n FROM people`,
  `SELECT SUM(n) AS s, COUNT(*) AS c FROM (SELECT id, age + 5 AS n, diagnosis FROM people) z WHERE ${has}`,
  `SELECT diagnosis, SUM(CLAMP(CASE WHEN NOT (${has}) THEN 7 END, 5, 10)) AS s, COUNT(*) AS n FROM people GROUP BY 1`,
  `SELECT MEDIAN(CLAMP(age, 5, 10)) AS m FROM people WHERE ${has}`,
  `SELECT diagnosis, SUM(CLAMP(CASE WHEN id < 0 THEN 7 END, 5, 10)) AS s FROM people GROUP BY 1`,
])("[Q4] a sum of nothing is answered as any other: %s", async (sql) => {
  for (const engine of engines) {
    const outcome = await engine.ask(sql).then(
      ({ origin }) => origin,
      (error: unknown) => (error instanceof DosimeterError ? error.code : String(error)),
    )
    expect(outcome).toBe("released")
  }
})
