// Counts with filters that exclude each other: the answer is as if each were measured by itself, with less
// noise.

import { exactly } from "@dosimeter/core"
import { seededBits } from "@dosimeter/core/testing"
import { expect, test } from "vitest"
import type { AnswerTable } from "@dosimeter/answers/shown/answer-table"
import { planWithin } from "../stages/within.ts"
import { openWard } from "../testing/ward.ts"

test("each filter has its own column, with an interval and its noise", async () => {
  const { engine, close } = await openWard({ rng: seededBits("filters") })
  const sql = `SELECT sex, COUNT(*) FILTER (WHERE age < 10) AS young,
    COUNT(*) FILTER (WHERE age >= 90) AS old FROM patients GROUP BY sex`
  const { columns, rows }: AnswerTable = (await engine.ask(sql)).answer
  expect(columns.map(({ name, kind, mechanism }) => [name, kind, mechanism])).toEqual([
    ["sex", "key", undefined],
    ["young", "noisy", "gaussian"],
    ["old", "noisy", "gaussian"],
  ])
  expect(rows.map(([sex]) => sex?.value)).toEqual(["f", "m"])
  const one = await engine.explain("SELECT sex, COUNT(*) AS n FROM patients GROUP BY sex")
  for (const [, ...counts] of rows) {
    for (const { value, low, high } of counts) {
      expect(Math.abs(Number(value) - 1000)).toBeLessThan(60)
      expect(Number(low)).toBeLessThan(Number(high))
    }
  }
  expect(columns[1]?.scale).toBe(one.columns[1]?.scale)
  const target = { kind: "size", amount: exactly("40", "within") } as const
  expect((await planWithin({ engine, sql, options: {}, target })).kind).toBe("known")
  const { answer } = await engine.ask(
    "SELECT SUM(age) FILTER (WHERE sex = 'f') - SUM(age) FILTER (WHERE sex = 'm') AS d FROM patients",
  )
  const difference: AnswerTable = answer
  // Women have the even ages: 49 years on average, and men 50.
  expect(Math.abs(Number(difference.rows[0]?.[0]?.value) + 10_000)).toBeLessThan(8000)
  await close()
})
