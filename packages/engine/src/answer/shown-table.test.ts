// What is shown of counts and sums through the engine: nothing below 0 where nothing can be, and what was
// measured for whoever asks for it.

import { DuckDBInstance } from "@duckdb/node-api"
import { seededBits } from "@dosimeter/core/testing"
import type { Ask } from "@dosimeter/proof/catalog/terms"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openEngine, type Engine } from "../engine.ts"
import type { AnswerTable } from "@dosimeter/answers/shown/answer-table"

const policy = (more: string): string => `dataset: wards
source: { duckdb: wards.duckdb }
unit: patient
neighbours: add-or-remove
budget: { epsilon: 400, delta: 1e-5, accounting: zcdp }
question: { epsilon: { default: 0.2, max: 2 }, delta: 1e-8, confidence: 0.95 }
bounding: { groups_per_unit: 1, rows_per_group: 1, norm: fixed }
${more}
tables:
  stays:
    unit: id
    keys: [[id]]
    columns:
      ward: { type: integer, min: 0, max: 99, nullable: false }
      fee: { type: integer, min: 0, max: 50, nullable: false }
      change: { type: integer, min: -50, max: 50, nullable: false }
`
const folders: string[] = []
const engines = new Map<string, Engine>()

beforeAll(async () => {
  for (const more of ["", "raw_values: true", "shown_from: 30"]) {
    const folder = mkdtempSync(join(tmpdir(), "dosimeter-shown-"))
    folders.push(folder)
    const instance = await DuckDBInstance.create(join(folder, "wards.duckdb"))
    const connection = await instance.connect()
    // Ward 7 has 3000 patients, five others have 40, all else is empty.
    await connection.run(`CREATE TABLE stays AS SELECT i AS id,
        (CASE WHEN i < 3000 THEN 7 ELSE 20 + i % 5 END)::INTEGER AS ward, 10::INTEGER AS fee,
        (-4)::INTEGER AS change FROM range(3200) r(i)`)
    connection.closeSync()
    instance.closeSync()
    engines.set(more, await openEngine({ policy: policy(more), folder, rng: seededBits(`shown ${more}`) }))
  }
})

afterAll(async () => {
  for (const engine of engines.values()) await engine.close()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

type Asked = { readonly answer: AnswerTable; readonly origin: string }

async function ask(sql: string, wanted: Ask = {}, more = ""): Promise<Asked> {
  const engine = engines.get(more)
  if (engine === undefined) throw new Error("no such engine")
  const { answer, origin } = await engine.ask(sql, { ask: wanted })
  return { answer, origin }
}

const column = ({ answer }: Asked, place: number): readonly number[] =>
  answer.rows.map((row) => Number(row[place]?.value))
const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0)
const raw: Ask = { nonNegative: false }

test("counts and sums of what is not negative are not negative, and nor are their intervals", async () => {
  const shown = await ask("SELECT ward, COUNT(*) AS n, SUM(fee) AS fees FROM stays GROUP BY ward")
  for (const row of shown.answer.rows) {
    for (const cell of row.slice(1)) {
      expect(Number(cell.value)).toBeGreaterThanOrEqual(0)
      expect(Number(cell.low)).toBeGreaterThanOrEqual(0)
      expect(Number(cell.low)).toBeLessThanOrEqual(Number(cell.value))
      expect(Number(cell.high)).toBeGreaterThanOrEqual(Number(cell.value))
      expect(Number(cell.high)).toBeGreaterThan(0)
    }
  }
})

test("raw values are there to be had, free, and tell the same of what is sure", async () => {
  const sql = "SELECT ward, COUNT(*) AS n FROM stays GROUP BY ward ORDER BY ward"
  const [shown, measured] = [await ask(sql), await ask(sql, raw)]
  expect(measured.origin).toBe("reused")
  expect(column(measured, 1).filter((value) => value < 0).length).toBeGreaterThan(20)
  expect(column(shown, 1)[7]).toBe(column(measured, 1)[7])
  // The others add up to what they did, unless that was less than nothing.
  const others = (all: readonly number[]): number => sum(all) - (all[7] ?? 0)
  expect(others(column(shown, 1))).toBe(Math.max(0, others(column(measured, 1))))
})

test("post-processing works with what is shown, intervals with what was measured", async () => {
  const inner = "SELECT ward, COUNT(*) AS n FROM stays GROUP BY ward"
  const cells = await ask(`${inner} ORDER BY ward`)
  const total = await ask(`SELECT SUM(n) AS total FROM (${inner}) AS c`)
  expect(total.origin).toBe("reused")
  expect(column(total, 0)).toEqual([sum(column(cells, 1))])
  const rawTotal = await ask(`SELECT SUM(n) AS total FROM (${inner}) AS c`, raw)
  const [end, rawEnd] = [total.answer.rows[0]?.[0], rawTotal.answer.rows[0]?.[0]]
  expect([end?.low, end?.high]).toEqual([rawEnd?.low, rawEnd?.high])
  const kept = await ask(`SELECT ward FROM (${inner}) AS c WHERE n < 0`)
  expect(kept.answer.rows).toEqual([])
})

test("sums that may be negative stay so, and averages are of what was measured", async () => {
  const sql = "SELECT ward, SUM(change) AS changed, AVG(fee) AS fee FROM stays GROUP BY ward ORDER BY ward"
  const [shown, measured] = [await ask(sql), await ask(sql, raw)]
  expect(measured.origin).toBe("reused")
  for (const place of [1, 2]) expect(column(shown, place)).toEqual(column(measured, place))
  expect(column(shown, 1)[7]).toBeLessThan(0)
})

test("the owner can have raw values shown, unless a question asks for others", async () => {
  const sql = "SELECT ward, COUNT(*) AS n FROM stays GROUP BY ward"
  expect(Math.min(...column(await ask(sql, {}, "raw_values: true"), 1))).toBeLessThan(0)
  expect(Math.min(...column(await ask(sql, { nonNegative: true }, "raw_values: true"), 1))).toBe(0)
})

test("the rule about small counts looks at what is shown", async () => {
  const { answer } = await ask("SELECT ward, COUNT(*) AS n FROM stays GROUP BY ward", {}, "shown_from: 30")
  const states = answer.rows.map(([, cell]) => cell?.state)
  expect(states.filter((state) => state === "below-threshold").length).toBeGreaterThan(50)
  for (const [, cell] of answer.rows) {
    if (cell?.state === "released") expect(Number(cell.value)).toBeGreaterThanOrEqual(30)
  }
})

test("groupings that are measured together are not negative, and add up", async () => {
  const sql = `SELECT ward, COUNT(*) AS n FROM (
      SELECT CASE WHEN ward < 50 THEN ward ELSE 50 END AS ward FROM stays) AS s GROUP BY ROLLUP (ward)`
  const [shown, measured] = [await ask(sql), await ask(sql, raw)]
  expect(measured.origin).toBe("reused")
  expect(Math.min(...column(measured, 1))).toBeLessThan(0)
  const total = shown.answer.rows.findIndex(([ward]) => ward?.value === null)
  const wards = column(shown, 1).filter((_, row) => row !== total)
  expect(wards.every((value) => value >= 0)).toBe(true)
  expect(sum(wards)).toBeCloseTo(column(shown, 1)[total] ?? Number.NaN, 6)
  for (const [, cell] of shown.answer.rows) expect(Number(cell?.low)).toBeGreaterThanOrEqual(0)
})
