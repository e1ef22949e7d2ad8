// Quantiles from SQL to intervals, over a table whose quantiles are known.

import { numberNear } from "@dosimeter/core/exact"
import { seededBits } from "@dosimeter/core/testing"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Engine } from "../engine.ts"
import type { QuestionOptions } from "../ask/ask-question.ts"
import type { AnswerCell, AnswerTable } from "@dosimeter/answers/shown/answer-table"
import { openWard, type Ward } from "../testing/ward.ts"

let ward: Ward
let engine: Engine
beforeAll(async () => {
  ward = await openWard({ rng: seededBits("quantiles") })
  engine = ward.engine
})
afterAll(async () => ward.close())

async function rowsOf(
  sql: string,
  options: QuestionOptions = {},
): Promise<readonly (readonly AnswerCell[])[]> {
  const table: AnswerTable = (await engine.ask(sql, options)).answer
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
