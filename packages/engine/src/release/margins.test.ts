// ROLLUP, CUBE and GROUPING SETS through the engine: what is shown adds up, and its intervals tell the truth.

import { isLongForm, seededBits } from "@dosimeter/core/testing"
import { DuckDBInstance } from "@duckdb/node-api"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openEngine, type Engine } from "../engine.ts"
import type { AnswerCell, AnswerTable } from "@dosimeter/answers/shown/answer-table"

const policy = (accounting: string): string => `dataset: clinic
source: { duckdb: clinic.duckdb }
unit: patient
neighbours: add-or-remove
budget: { epsilon: 400, delta: 1e-7, accounting: ${accounting} }
question: { epsilon: { default: 1, max: 2 }, delta: 1e-9, confidence: 0.95 }
bounding: { groups_per_unit: 2, rows_per_group: 3, norm: fixed }
tables:
  patients:
    unit: id
    keys: [[id]]
    columns:
      sex: { values: [f, m], nullable: false }
      ward: { values: [A, B, C], nullable: false }
      year: { type: integer, min: 2000, max: 2599, nullable: false }
      fee: { min: 0, max: 500, grid: 0.01 }
  visits:
    unit: patient_id
    columns:
      ward: { values: [A, B] }
      city: { type: text }
`
const folders: string[] = []
const engines = new Map<string, Engine>()

beforeAll(async () => {
  for (const accounting of ["zcdp", "gdp", "pure"]) {
    const folder = mkdtempSync(join(tmpdir(), "dosimeter-margins-"))
    folders.push(folder)
    const instance = await DuckDBInstance.create(join(folder, "clinic.duckdb"))
    const connection = await instance.connect()
    await connection.run(`
      CREATE TABLE patients AS SELECT i AS id, CASE WHEN i % 3 = 0 THEN 'f' ELSE 'm' END AS sex,
        ['A', 'B', 'C'][1 + (i // 3) % 3] AS ward, (2000 + i % 600)::INTEGER AS year,
        100.0::DOUBLE AS fee FROM range(9000) r(i);
      CREATE TABLE visits AS SELECT i % 300 AS patient_id, ['A', 'B', NULL][1 + i % 3] AS ward,
        'town ' || (i % 2) AS city FROM range(3000) r(i);`)
    connection.closeSync()
    instance.closeSync()
    const rng = seededBits(`margins ${accounting}`)
    engines.set(accounting, await openEngine({ policy: policy(accounting), folder, rng }))
  }
})

afterAll(async () => {
  for (const engine of engines.values()) await engine.close()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

async function ask(sql: string, accounting = "zcdp", nonNegative = false): Promise<AnswerTable> {
  const engine = engines.get(accounting)
  if (engine === undefined) throw new Error("no such engine")
  const table: AnswerTable = (await engine.ask(sql, { ask: { nonNegative } })).answer
  return table
}

const numberOf = (cell: AnswerCell | undefined): number => Number(cell?.value)

test.each(["zcdp", "gdp", "pure"])("a cube adds up exactly, under %s accounting", async (accounting) => {
  const { rows, columns } = await ask(
    "SELECT ward, sex, COUNT(*) AS n, GROUPING(ward, sex) AS g FROM patients GROUP BY CUBE (ward, sex)",
    accounting,
  )
  expect(columns.map(({ kind }) => kind)).toEqual(["key", "key", "noisy", "derived"])
  expect(rows.length).toBe(6 + 3 + 2 + 1)
  const values = (grouping: number, ward?: string, sex?: string): number =>
    rows
      .filter((row) => row[3]?.value === grouping)
      .filter((row) => ward === undefined || row[0]?.value === ward)
      .filter((row) => sex === undefined || row[1]?.value === sex)
      .reduce((sum, row) => sum + numberOf(row[2]), 0)
  for (const ward of ["A", "B", "C"]) expect(values(0, ward)).toBe(values(1, ward))
  for (const sex of ["f", "m"]) expect(values(0, undefined, sex)).toBe(values(2, undefined, sex))
  for (const grouping of [0, 1, 2]) expect(values(grouping)).toBe(values(3))
  expect(Math.abs(values(3) - 9000)).toBeLessThan(400)
  const total = rows.find((row) => row[3]?.value === 3)
  expect(total?.[0]?.value).toBeNull()
})

test("sums of cells know what noise they share", async () => {
  const { rows } = await ask(`
    WITH q AS (SELECT ward, sex, COUNT(*) AS n FROM patients GROUP BY ROLLUP (ward, sex))
    SELECT (SELECT SUM(n) FROM q WHERE sex IS NOT NULL) AS cells,
      (SELECT SUM(n) FROM q WHERE ward IS NULL) AS whole,
      (SELECT SUM(n) FROM q WHERE sex IS NOT NULL) - (SELECT SUM(n) FROM q WHERE ward IS NULL) AS difference`)
  const [cells, whole, difference] = rows[0] ?? []
  expect(numberOf(cells)).toBe(numberOf(whole))
  expect(Number(cells?.high) - Number(cells?.low)).toBeCloseTo(Number(whole?.high) - Number(whole?.low), 1)
  expect(numberOf(difference)).toBe(0)
})

test("averages, HAVING and ORDER BY stand above the groupings", async () => {
  const { rows } = await ask(
    `SELECT ward, AVG(fee) AS a, SUM(fee) AS s FROM patients GROUP BY ROLLUP (ward)
     HAVING COUNT(DISTINCT id) > 100 ORDER BY ward NULLS LAST`,
  )
  expect(rows.map((row) => row[0]?.value)).toEqual(["A", "B", "C", null])
  for (const row of rows) {
    expect(Number(row[1]?.low)).toBeLessThanOrEqual(numberOf(row[1]))
    expect(Math.abs(numberOf(row[1]) - 100)).toBeLessThan(30)
  }
})

test("persons in several groups, and keys from the data, are asked for one by one", async () => {
  const { rows } = await ask(
    `SELECT ward, city, COUNT(DISTINCT patient_id) AS n, GROUPING(ward, city) AS g FROM visits
     GROUP BY ROLLUP (ward, city)`,
  )
  const total = rows.find((row) => row[3]?.value === 3)
  expect(Math.abs(numberOf(total?.[2]) - 300)).toBeLessThan(150)
  expect(rows.filter((row) => row[3]?.value === 1).length).toBe(3)
})

test.runIf(isLongForm)("a large table has intervals of its cells, and wider ones of their sums", async () => {
  const { rows } = await ask(
    `SELECT q.y, SUM(q.n) AS n FROM (
       SELECT ward, sex, year AS y, COUNT(*) AS n FROM patients GROUP BY CUBE (ward, sex, year)) AS q
     WHERE q.ward IS NOT NULL AND q.sex = 'f' AND (q.y IS NULL OR q.y = 2003) GROUP BY q.y`,
  )
  for (const row of rows) {
    expect(Number(row[1]?.low)).toBeLessThan(numberOf(row[1]))
    expect(Number.isFinite(Number(row[1]?.high))).toBe(true)
  }
})

test.each(["zcdp", "pure"])("[P2] counts become whole numbers from 0 that add up: %s", async (accounting) => {
  const { rows } = await ask(
    "SELECT ward, sex, COUNT(*), GROUPING(ward, sex) FROM patients WHERE id < 20 GROUP BY CUBE (ward, sex)",
    accounting,
    true,
  )
  const values = (grouping: number): readonly number[] =>
    rows.filter((row) => row[3]?.value === grouping).map((row) => numberOf(row[2]))
  const total = values(3)[0] ?? -1
  for (const grouping of [0, 1, 2, 3]) {
    expect(values(grouping).every((value) => Number.isInteger(value) && value >= 0)).toBe(true)
    expect(values(grouping).reduce((sum, value) => sum + value, 0)).toBe(total)
  }
  expect(rows.every((row) => Number(row[2]?.low) >= 0)).toBe(true)
})
