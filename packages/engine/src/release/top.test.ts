// The largest groups, asked of real tables: chosen first, then measured.

import { seededBits } from "@dosimeter/core/testing"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { makeDuckdb } from "../testing/make-duckdb.ts"
import { openEngine, type Engine } from "../engine.ts"
import type { AnswerTable } from "@dosimeter/answers/shown/answer-table"
import { paidReceipt } from "../testing/paid-receipt.ts"

const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index))
const policy = `dataset: clinic
source: { duckdb: clinic.duckdb }
unit: patient
neighbours: add-or-remove
budget: { epsilon: 20, delta: 1e-6, accounting: zcdp }
question: { epsilon: { default: 1, max: 2 }, delta: 1e-8, confidence: 0.999999 }
bounding: { groups_per_unit: 26, rows_per_group: 2, norm: fixed }
tables:
  visits:
    unit: patient_id
    columns:
      ward: { values: [${letters.join(", ")}], nullable: false }
      code: { type: text }
`
let folder = ""
let engine: Engine

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "dosimeter-top-"))
  // Person i is in ward w if w divides i: ward 0 ('A') has everybody, and so on. Everyone has a code alone.
  await makeDuckdb(
    join(folder, "clinic.duckdb"),
    `
    CREATE TABLE visits AS
      SELECT i AS patient_id, chr((64 + w)::INTEGER) AS ward, 'code ' || w AS code
      FROM range(1, 6001) p(i), range(1, 27) q(w) WHERE i % w = 0
      UNION ALL SELECT i, 'Z', 'own ' || i FROM range(1, 6001) p(i)`,
  )
  engine = await openEngine({ policy, folder, rng: seededBits("top") })
})

afterAll(async () => {
  await engine.close()
  rmSync(folder, { recursive: true })
})

async function answer(sql: string): Promise<AnswerTable> {
  const table: AnswerTable = (await engine.ask(sql)).answer
  return table
}

test("[Q5] the largest of listed groups", async () => {
  const sql =
    "SELECT ward, COUNT(DISTINCT patient_id) AS people FROM visits WHERE ward <> 'Z' GROUP BY 1 ORDER BY 2 DESC LIMIT 3"
  expect((await engine.explain(sql)).text).toContain("the 3 largest by COUNT(DISTINCT patient_id)")
  const { rows } = await answer(sql)
  expect(rows.map(([ward]) => ward?.value)).toEqual(["A", "B", "C"])
  for (const [index, [, people]] of rows.entries()) {
    const exact = 6000 / (index + 1)
    expect(Number(people?.low)).toBeLessThanOrEqual(exact)
    expect(Number(people?.high)).toBeGreaterThanOrEqual(exact)
  }
})

test("[Q5] [M4] the largest of groups that come from the data; those that one person holds never come back", async () => {
  const sql =
    "SELECT code, COUNT(DISTINCT patient_id) AS people FROM visits GROUP BY 1 ORDER BY 2 DESC LIMIT 2"
  expect((await engine.explain(sql)).text).toContain("keys come from the data, and one of")
  const asked = await engine.ask(sql)
  const { rows }: AnswerTable = asked.answer
  expect(rows.map(([code]) => code?.value)).toEqual(["code 1", "code 2"])
  expect(paidReceipt(asked).mechanisms[0]?.mechanism).toContain("top k, exponential with a threshold")
  const few = await answer(
    "SELECT code, COUNT(*) FROM visits WHERE code LIKE 'own%' GROUP BY 1 ORDER BY 2 DESC LIMIT 2",
  )
  expect(few.rows).toEqual([])
})

test("the largest groups say nothing of the others: a question for all is paid for", async () => {
  const top = "SELECT ward, COUNT(*) AS n FROM visits GROUP BY 1 ORDER BY 2 DESC LIMIT 2"
  expect((await engine.ask(top)).origin).toBe("released")
  const all = await engine.ask("SELECT ward, COUNT(*) AS n FROM visits GROUP BY 1", { reuse: "always" })
  expect(all.origin).toBe("released")
})

test("[B5] one of the largest groups is given again, with its number; what it lacks is paid for", async () => {
  const asked = "COUNT(DISTINCT patient_id) AS people FROM visits WHERE ward <> 'Y'"
  const top = await answer(`SELECT ward, ${asked} GROUP BY 1 ORDER BY 2 DESC LIMIT 2`)
  const [key, count] = top.rows[1] ?? []
  const shown = `'${String(key?.value)}'`
  const found = await engine.ask(`SELECT ${asked} AND ward = ${shown}`, { reuse: "always" })
  expect(found.origin).toBe("reused")
  const { rows }: AnswerTable = found.answer
  expect(rows[0]?.[0]).toMatchObject({ value: count?.value, low: count?.low, high: count?.high })
  for (const wards of ["= 'V'", `IN (${shown}, 'V')`]) {
    const other = await engine.ask(`SELECT ${asked} AND ward ${wards}`, { reuse: "always" })
    expect(other.origin).toBe("released")
  }
})

test("a question for the largest is free after one for all, and not before", async () => {
  const all = "SELECT code, COUNT(DISTINCT patient_id) AS p FROM visits WHERE ward <> 'Z' GROUP BY 1"
  expect((await engine.ask(all)).origin).toBe("released")
  const top = await engine.ask(`${all} ORDER BY 2 DESC LIMIT 2`, { reuse: "always" })
  expect(top.origin).toBe("reused")
  const { rows }: AnswerTable = top.answer
  expect(rows.map(([code]) => code?.value)).toEqual(["code 1", "code 2"])
})

test("[B5] where no group was shown, a question for the largest shows none either", async () => {
  // Everybody's own code is held by one person, so that none is shown.
  const all = "SELECT code, COUNT(*) AS n FROM visits WHERE code LIKE 'own%' AND ward = 'Z' GROUP BY 1"
  expect(await answer(all)).toMatchObject({ rows: [] })
  const top = await engine.ask(`${all} ORDER BY 2 DESC LIMIT 2`, { reuse: "always" })
  expect(top.origin).toBe("reused")
  expect(top.answer).toMatchObject({ rows: [] })
})
