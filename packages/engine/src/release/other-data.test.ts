// What was proven of a plan is true of the data that its catalog describes, and of no other.

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DuckDBInstance } from "@duckdb/node-api"
import { DosimeterError } from "@dosimeter/core/errors"
import { rational } from "@dosimeter/core/exact"
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest"
import { openEngine, type Engine } from "../engine.ts"
import { freshHome } from "../testing/fresh-home.ts"

const policyOf = (text = ""): string => `
dataset: clinic
source: { duckdb: clinic.duckdb }
unit: patient
neighbours: add-or-remove
budget: { epsilon: 100, delta: 1e-3, accounting: zcdp }
question: { epsilon: { default: 1, max: 50 }, delta: 1e-6 }
bounding: { groups_per_unit: 1, rows_per_group: 1, norm: fixed }
tables:
  visits:
    source: visits
    unit: patient
    columns:
      patient: integer
      age: { type: integer, min: 0, max: 99 }
${text}`

/** Policies that say something else about the same tables: each proves what is not true of the first. */
const others: readonly (readonly [string, string])[] = [
  ["the same policy, read a second time", policyOf()],
  ["another name of the dataset", policyOf().replace("dataset: clinic", "dataset: practice")],
  ["every row a unit", policyOf().replace("unit: patient\n    columns", "unit: row\n    columns")],
  ["a public table", policyOf().replace("unit: patient\n    columns", "unit: public\n    columns")],
  [
    "a key that is none",
    policyOf().replace("unit: patient\n    columns", "unit: patient\n    keys: [patient]\n    columns"),
  ],
  ["another table behind the name", policyOf().replace("source: visits", "source: practice")],
  ["other neighbours", policyOf().replace("add-or-remove", "replace")],
  ["other ranges", policyOf().replace("max: 99", "max: 9")],
]

let folder: string
let state: string
let engine: Engine

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "dosimeter-other-data-"))
  const instance = await DuckDBInstance.create(join(folder, "clinic.duckdb"))
  const connection = await instance.connect()
  await connection.run(`
    CREATE TABLE visits AS SELECT i AS patient, i % 50 AS age FROM range(5) r(i);
    CREATE TABLE practice AS SELECT i AS patient, i % 50 AS age FROM range(9) r(i)`)
  connection.closeSync()
  instance.closeSync()
})
beforeEach(async () => {
  freshHome()
  state = mkdtempSync(join(tmpdir(), "dosimeter-other-state-"))
  engine = await openEngine({ policy: policyOf(), folder, state, prepare: "never" })
})
afterEach(async () => {
  await engine.close()
  rmSync(state, { recursive: true })
})
afterAll(() => rmSync(folder, { recursive: true }))

/** A workload that another policy has planned: the number of visits, and all of them. */
async function plannedWith(policy: string, sql: string): ReturnType<Engine["plan"]> {
  freshHome()
  const elsewhere = mkdtempSync(join(tmpdir(), "dosimeter-elsewhere-"))
  const other = await openEngine({ policy, folder, state: elsewhere, prepare: "never" })
  const workload = await other.plan([{ sql, weight: rational(1n) }])
  await other.close()
  rmSync(elsewhere, { recursive: true })
  return workload
}

test.each(others)(
  "[L4] what was proven with %s is not released here, and nothing is charged",
  async (_, policy) => {
    const before = await engine.ledger.entries(1n, 100)
    const workload = await plannedWith(policy, "SELECT COUNT(*) FROM visits WHERE age > 5")
    expect(await codeOf(engine.release(workload))).toBe("plan/of-other-data")
    expect(await engine.ledger.entries(1n, 100)).toEqual(before)
  },
)

test("[L4] a question that costs nothing where a table is public is not answered where it is not", async () => {
  const open = policyOf().replace("unit: patient\n    columns", "unit: public\n    columns")
  const workload = await plannedWith(open, "SELECT patient, age FROM visits")
  expect(workload.parts).toEqual([])
  expect(await codeOf(engine.release(workload))).toBe("plan/of-other-data")
})

test("what was planned here is released here", async () => {
  const workload = await engine.plan([{ sql: "SELECT COUNT(*) FROM visits", weight: rational(1n) }])
  expect((await engine.release(workload)).origin).toBe("released")
})

async function codeOf(attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt
  } catch (error) {
    if (error instanceof DosimeterError) return error.code
    throw error
  }
  return "answered"
}
