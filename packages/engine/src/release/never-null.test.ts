// Columns that a policy says are never NULL: checked as they are read, NaN included; and a histogram in which
// no row of a table can take the place of another.

import { DosimeterError } from "@dosimeter/core"
import { seededBits } from "@dosimeter/core/testing"
import { compile } from "@dosimeter/planner/compile"
import { loadGrammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { DuckDBInstance } from "@duckdb/node-api"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { openEngine, type Engine } from "../engine.ts"
import { releaseTables } from "./release.ts"
import { paidTables } from "../testing/read-paid.ts"

const policy = `dataset: clinic
source: { duckdb: clinic.duckdb }
unit: patient
neighbours: add-or-remove
budget: { epsilon: 1000, delta: 1e-5, accounting: zcdp }
question: { epsilon: { default: 1, max: 400 }, delta: 1e-8 }
bounding: { groups_per_unit: 1, rows_per_group: 1, norm: fixed }
tables:
  patients:
    unit: id
    keys: [id]
    columns:
      id: integer
      age: { type: integer, min: 0, max: 9, nullable: false }
      weight: { type: float, min: 0, max: 200, nullable: false }
      height: { type: float, min: 0, max: 300, nullable: false }
`
const folders: string[] = []

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

/** An engine over a few patients and one more. */
async function engineWith(columns: string, row: string): Promise<Engine> {
  const folder = mkdtempSync(join(tmpdir(), "dosimeter-never-null-"))
  folders.push(folder)
  const instance = await DuckDBInstance.create(join(folder, "clinic.duckdb"))
  const connection = await instance.connect()
  await connection.run(`CREATE TABLE patients (id INTEGER, ${columns});
    INSERT INTO patients SELECT i, i % 10, 50 + i % 50, 150 + i % 50 FROM range(500) r(i);
    INSERT INTO patients VALUES ${row}`)
  connection.closeSync()
  instance.closeSync()
  return openEngine({ policy, folder, prepare: "never" })
}

const plain = "age INTEGER, weight DOUBLE, height DOUBLE"
const enforced = "age INTEGER NOT NULL, weight DOUBLE NOT NULL, height DOUBLE NOT NULL"

test.each([
  ["a NULL", plain, "(500, NULL, 60, 160)", "age is NULL"],
  ["a NaN", plain, "(500, 1, 'NaN', 160)", "weight is NULL"],
  ["a NaN, where the database enforces NOT NULL", enforced, "(500, 1, 60, 'NaN')", "height is NULL"],
  ["both", plain, "(500, NULL, 'NaN', 160)", "age, weight are NULL"],
])("[Q2] a dataset with %s in a column that is never NULL is not served", async (_, columns, row, words) => {
  const error: unknown = await engineWith(columns, row).catch((reason: unknown) => reason)
  if (!(error instanceof DosimeterError)) throw new Error("it was opened")
  expect(error.code).toBe("dataset/claim-broken")
  expect(error.message).toContain(words)
  expect(error.issues[0]?.help).toContain("nullable: true")
})

test("[S3] averages of floats that are never NULL share the number of rows", async () => {
  const engine = await engineWith(plain, "(500, 1, 60, 160)")
  const { text } = await engine.explain("SELECT AVG(weight), AVG(height), COUNT(*) FROM patients")
  await engine.close()
  // Three parts of the loss: two sums of distances, and one count.
  expect(text.match(/noise of sigma/g)).toHaveLength(3)
  expect(text).toMatch(/one patient adds at most 100\b/)
})

test("[Q2] cells that are read alike are added up, in whatever order they come", async () => {
  const { plan } = compile("SELECT MEDIAN(age) FROM patients", {
    grammar: await loadGrammar(),
    ...readPolicy(policy),
    ask: { epsilon: { numerator: 400n, denominator: 1n } },
  })
  // A cell that could not be read came out as 0, beside the 1,000 persons of cell 0.
  const rows = [
    [0n, 1000n],
    [0n, 1n],
    [9n, 500n],
  ].map((values) => ({ keys: [], values }))
  for (const order of [rows, rows.toReversed()]) {
    const [tables] = await paidTables(plan, [{ rows: order }])
    if (tables === undefined) throw new Error("nothing is released")
    const [row] = releaseTables(tables, seededBits("cells"))
    expect(row?.cells[0]?.value).toMatchObject({ kind: "number", value: { numerator: 0n } })
  }
})
