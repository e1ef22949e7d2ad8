// Quantiles from SQL to intervals, over a table whose quantiles are known.

import { DuckDBInstance } from "@duckdb/node-api"
import { numberNear } from "@dosimeter/core"
import { seededBits } from "@dosimeter/core/testing"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openEngine, type Engine, type QuestionOptions } from "./engine.ts"
import type { AnswerCell, AnswerTable } from "./execute/answer.ts"

const policy = `dataset: ward
source: { duckdb: ward.duckdb }
unit: patient
neighbours: add-or-remove
budget: { epsilon: 50, delta: 1e-6, accounting: zcdp }
question: { epsilon: { default: 1, max: 2 }, delta: 1e-9, confidence: 0.95 }
bounding: { groups_per_unit: 1, rows_per_group: 1 }
tables:
  patients:
    unit: id
    keys: [[id]]
    columns:
      age: { type: integer, min: 0, max: 110 }
      weight: { type: float, min: 0, max: 250 }
      born: { type: date, min: 1900-01-01, max: 2029-12-31 }
      sex: { values: [f, m], nullable: false }
`
const people = 20_000
let folder = ""
let engine: Engine

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "dosimeter-quantiles-"))
  const instance = await DuckDBInstance.create(join(folder, "ward.duckdb"))
  const connection = await instance.connect()
  // Ages 0 to 99, as many of each; weights 40 to 140; birthdays on 10,000 days from 1970 on.
  await connection.run(`
    CREATE TABLE patients AS SELECT i AS id, (i % 100)::INTEGER AS age, 40 + (i % 1000) / 10.0 AS weight,
      DATE '1970-01-01' + (i % 10000)::INTEGER AS born,
      CASE WHEN i % 2 = 0 THEN 'f' ELSE 'm' END AS sex FROM range(${people}) r(i)`)
  connection.closeSync()
  instance.closeSync()
  engine = await openEngine({ policy, folder, rng: seededBits("quantiles") })
})

afterAll(async () => {
  await engine.close()
  rmSync(folder, { recursive: true })
})

async function rowsOf(
  sql: string,
  options: QuestionOptions = {},
): Promise<readonly (readonly AnswerCell[])[]> {
  const table: AnswerTable = JSON.parse((await engine.ask(sql, options)).answer)
  return table.rows
}

test("[E1] a median, quartiles and extremes come with intervals that hold them", async () => {
  const exact = [49.5, 24.75, 74.25, 0.495, 98.505]
  const [cells = []] = await rowsOf(`SELECT MEDIAN(age) AS middle,
    PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY age) AS low,
    PERCENTILE_CONT(0.75) WITHIN GROUP (ORDER BY age) AS high, MIN(age), MAX(age) FROM patients`)
  expect(cells).toHaveLength(5)
  for (const [index, { value, low, high }] of cells.entries()) {
    const truth = exact[index] ?? 0
    expect(Number(low)).toBeLessThanOrEqual(Math.ceil(truth))
    expect(Number(high)).toBeGreaterThanOrEqual(Math.floor(truth))
    expect(Number(low)).toBeLessThanOrEqual(Number(value))
    expect(Number(high)).toBeGreaterThanOrEqual(Number(value))
    // About a thousand rows of twenty thousand to either side, and 200 rows a year of age.
    expect(Number(high) - Number(low)).toBeLessThan(20)
  }
})

test("[E1] functions of quantiles have intervals: differences, and numbers that were cast", async () => {
  const [[range, cast] = []] = await rowsOf(`SELECT
    PERCENTILE_CONT(0.75) WITHIN GROUP (ORDER BY weight)
      - PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY weight),
    CAST(MEDIAN(weight) AS integer) FROM patients`)
  expect(Number(range?.low)).toBeLessThanOrEqual(50)
  expect(Number(range?.high)).toBeGreaterThanOrEqual(50)
  expect(Number(range?.high) - Number(range?.low)).toBeLessThan(40)
  expect(Number(cast?.low)).toBeLessThanOrEqual(90)
  expect(Number(cast?.high)).toBeGreaterThanOrEqual(90)
})

test("[E1] a median of dates lies between two dates, in each group", async () => {
  const rows = await rowsOf("SELECT sex, MEDIAN(born) AS born FROM patients GROUP BY sex")
  expect(rows.map(([sex]) => sex?.value)).toEqual(["f", "m"])
  for (const [, born] of rows) {
    const [low, value, high] = [born?.low, born?.value, born?.high].map((day) => Date.parse(`${day}`) / 864e5)
    expect(low).toBeLessThanOrEqual(5000)
    expect(high).toBeGreaterThanOrEqual(4999)
    expect(low).toBeLessThanOrEqual(value ?? 0)
    expect(high).toBeGreaterThanOrEqual(value ?? 0)
    expect((high ?? 0) - (low ?? 0)).toBeLessThan(2000)
  }
})

test("without intervals all of the loss goes to the value, at the same cost", async () => {
  const sql = "SELECT MEDIAN(age) AS age FROM patients"
  const points = await engine.explain(sql, { ask: { quantileIntervals: false } })
  const both = await engine.explain(sql)
  const [a, b] = [points, both].map(({ plan }) => numberNear(plan.charge.amount))
  expect(a).toBeCloseTo(b ?? 0, 9)
  expect(points.text).toContain("off by at most")
  expect(both.text).toContain("rows of the order to either side")
  const [[cell] = []] = await rowsOf(sql, { ask: { quantileIntervals: false } })
  expect([cell?.low, cell?.high]).toEqual([null, null])
})
