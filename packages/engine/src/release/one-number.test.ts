// Keys and COUNT(*) from one noisy number, asked of a real table: what is shown, its intervals and receipt,
// and the same groups again from the record.

import { exactly } from "@dosimeter/core"
import { seededBits } from "@dosimeter/core/testing"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { makeDuckdb } from "../testing/make-duckdb.ts"
import { openEngine, type Engine } from "../engine.ts"
import type { Recorded } from "../record/recorded.ts"
import { freshHome } from "../testing/fresh-home.ts"
import { paidReceipt } from "../testing/paid-receipt.ts"

const policy = `dataset: clinic
source: { duckdb: clinic.duckdb }
unit: patient
neighbours: add-or-remove
budget: { epsilon: 20, delta: 1e-6, accounting: zcdp }
question: { epsilon: { default: 1, max: 2 }, delta: 1e-8, confidence: 0.999999 }
bounding: { groups_per_unit: 3, rows_per_group: 2, norm: fixed }
tables:
  visits:
    unit: patient_id
    columns:
      code: { type: text }
`
let folder = ""
let engine: Engine

beforeAll(async () => {
  freshHome()
  folder = mkdtempSync(join(tmpdir(), "dosimeter-one-number-"))
  // Two rows of everybody with code 'a', one of every third with 'b', and five with a code of their own.
  await makeDuckdb(
    join(folder, "clinic.duckdb"),
    `
    CREATE TABLE visits AS SELECT i AS patient_id, 'a' AS code FROM range(3000) p(i), range(2)
      UNION ALL SELECT i, 'b' FROM range(0, 3000, 3) p(i)
      UNION ALL SELECT i, 'own ' || i FROM range(3000) p(i), range(5)`,
  )
  engine = await openEngine({ policy, folder, prepare: "never", rng: seededBits("one number") })
})
afterAll(async () => {
  await engine.close()
  rmSync(folder, { recursive: true })
})

const sql = "SELECT code, COUNT(*) AS n FROM visits GROUP BY code"
const keysOf = ({ answer }: Recorded): readonly unknown[] => answer.rows.map(([key]) => key?.value)

test("[M4] only what many people have is shown, with the counts that decided it", async () => {
  const asked = await engine.ask(sql, { ask: { keys: "counts" } })
  expect(new Set(keysOf(asked))).toEqual(new Set(["a", "b"]))
  for (const [key, n] of asked.answer.rows) {
    const exact = key?.value === "a" ? 6000 : 1000
    expect(Number(n?.low)).toBeLessThanOrEqual(exact)
    expect(Number(n?.high)).toBeGreaterThanOrEqual(exact)
    expect(Number(n?.high) - Number(n?.low)).toBeLessThan(400)
  }
  const { mechanisms } = paidReceipt(asked)
  expect(mechanisms.map(({ mechanism }) => mechanism)).toEqual([
    expect.stringMatching(/^key selection, Gaussian threshold \d+.* on counts of rows, 3 x 2$/),
  ])
})

test("[B5] the same groups come from the record, and from re-use", async () => {
  const first = await engine.ask(sql, { ask: { keys: "counts" } })
  const small = { keys: "counts", epsilon: exactly("0.5", "epsilon") } as const
  const again = await engine.ask(sql, { ask: small, reuse: "always" })
  expect([first.origin, again.origin]).toEqual(["recorded", "reused"])
  expect(keysOf(again)).toEqual(keysOf(first))
  expect(again.answer.rows.map((row) => row[1]?.value)).toEqual(first.answer.rows.map((row) => row[1]?.value))
})
