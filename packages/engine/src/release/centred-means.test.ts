// Averages that share a count are near the truth, and their intervals hold it.

import { seededBits } from "@dosimeter/core/testing"
import { expect, test } from "vitest"
import type { AnswerTable } from "@dosimeter/answers/shown/answer-table"
import { openWard, wardPolicy } from "../testing/ward.ts"

test("averages of the same rows: value, interval, and the same by keys that come from the data", async () => {
  const policy = wardPolicy
    .replace("max: 110 }", "max: 110, nullable: false }")
    .replace("{ values: [f, m], nullable: false }", "{ type: text, nullable: false }")
  const { engine, close } = await openWard({ rng: seededBits("shared count"), policy })
  // Ages are 0 to 99, even ones of women.
  const truths = [
    ["f", 49, 25],
    ["m", 50, 25],
  ]
  for (const key of ["sex", "CASE WHEN sex = 'f' THEN 'f' ELSE 'm' END"]) {
    const sql = `SELECT ${key} AS s, COUNT(*), AVG(age), AVG(CLAMP(age, 0, 50)) - 12 FROM patients GROUP BY 1`
    const { rows }: AnswerTable = (await engine.ask(sql)).answer
    const sorted = rows.toSorted((a, b) => (`${a[0]?.value}` < `${b[0]?.value}` ? -1 : 1))
    expect(sorted.map((row) => row[0]?.value)).toEqual(["f", "m"])
    for (const [index, row] of sorted.entries()) {
      const [, age = 0] = truths[index] ?? []
      expect(Math.abs(Number(row[2]?.value) - Number(age))).toBeLessThan(1)
      expect(Number(row[2]?.low)).toBeLessThan(Number(age))
      expect(Number(row[2]?.high)).toBeGreaterThan(Number(age))
      expect(Number(row[2]?.high) - Number(row[2]?.low)).toBeLessThan(3)
      expect(Math.abs(Number(row[3]?.value) - 25.5)).toBeLessThan(1)
    }
  }
  await close()
})
