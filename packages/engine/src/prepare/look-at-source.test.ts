// Trees that public tables have: read when a dataset is opened, from any kind of source, and checked there.

import { DosimeterError } from "@dosimeter/core"
import { seededBits } from "@dosimeter/core/testing"
import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { readWithSource } from "./look-at-source.ts"
import { openEngine } from "../engine.ts"
import type { AnswerTable } from "@dosimeter/answers/shown/answer-table"
import { freshHome } from "../testing/fresh-home.ts"
import { paidReceipt } from "../testing/paid-receipt.ts"

let folder = ""
let made: DuckDBInstance
let connection: DuckDBConnection

const policy = (source: string, more = ""): string => `dataset: clinic
source: { ${source} }
unit: patient
neighbours: add-or-remove
budget: { epsilon: 100, delta: 1e-7, accounting: zcdp }
question: { epsilon: { default: 50, max: 99 }, delta: 1e-9 }
bounding: { groups_per_unit: 1, rows_per_group: 1, norm: fixed }
trees:
  icd: { table: icd, levels: [chapter, block, code] }
tables:
  icd: { unit: public${more} }
  visits: { unit: patient_id, columns: { code: { tree: icd.code, nullable: false } } }
`

// In no order; a row stands there twice.
const leaves = `('II', 20, 'C61'), ('I', 3, 'A01'), ('I', 1, 'A00'), ('II', 100, 'D00'), ('I', 1, 'A00')`

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "dosimeter-table-trees-"))
  made = await DuckDBInstance.create(join(folder, "clinic.duckdb"))
  connection = await made.connect()
  await connection.run(`
    CREATE TABLE icd AS SELECT * FROM (VALUES ${leaves}) AS listed (chapter, block, code);
    CREATE TABLE visits AS SELECT i AS patient_id, ['A00', 'A01', 'C61', 'Z99'][1 + i % 4] AS code
      FROM range(400) r(i);`)
  for (const table of ["icd", "visits"]) {
    for (const format of ["csv", "parquet"]) {
      const file = join(folder, `${table}.${format}`)
      await connection.run(
        `COPY ${table} TO '${file}' (FORMAT ${format}${format === "csv" ? ", HEADER" : ""})`,
      )
    }
  }
  await connection.run("CHECKPOINT")
  connection.closeSync()
  made.closeSync()
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const sources = {
  duckdb: "duckdb: clinic.duckdb",
  csv: "csv: [icd.csv, visits.csv]",
  parquet: "parquet: [icd.parquet, visits.parquet]",
}

test.each(Object.entries(sources))(
  "[Q5] the leaves of a tree are the rows of a table: %s",
  async (_, source) => {
    freshHome()
    const state = mkdtempSync(join(folder, "state-"))
    const rng = seededBits("table trees")
    const engine = await openEngine({ policy: policy(source), folder, state, rng, prepare: "never" })
    try {
      const { answer } =
        await engine.ask(`SELECT ANCESTOR(code, 'chapter') AS c, ANCESTOR(code, 'block') AS b, code,
      COUNT(*) AS n FROM visits GROUP BY ROLLUP (1, 2, 3)`)
      const table: AnswerTable = answer
      const shown = table.rows.map((row) =>
        row
          .slice(0, 3)
          .map(({ value }) => value ?? "-")
          .join(" "),
      )
      // Integers in their order, and each leaf once. A code that is not in the tree is in no group.
      expect(shown.filter((row) => !row.includes("-"))).toEqual([
        "I 1 A00",
        "I 3 A01",
        "II 20 C61",
        "II 100 D00",
      ])
      expect(shown).toContain("II - -")
      const total = table.rows.at(-1)?.[3]
      expect(Math.abs(Number(total?.value) - 300)).toBeLessThan(20)
      // The table's own columns are levels, never NULL.
      const level = engine.policy.catalog.tables[0]?.columns.map(({ name, domain }) => [
        name,
        domain.tree?.level,
        domain.nullable,
      ])
      expect(level).toEqual([
        ["chapter", 0, false],
        ["block", 1, false],
        ["code", 2, false],
      ])
    } finally {
      await engine.close()
    }
  },
)

/** What a policy is refused with, over a source whose tables are made for it. */
async function refused(tables: string, text: string): Promise<string> {
  const own = mkdtempSync(join(folder, "other-"))
  const instance = await DuckDBInstance.create(join(own, "clinic.duckdb"))
  const other = await instance.connect()
  await other.run(`CREATE TABLE visits (patient_id INTEGER, code VARCHAR); ${tables}`)
  other.closeSync()
  instance.closeSync()
  const error: unknown = await readWithSource(text, own).catch((reason: unknown) => reason)
  if (!(error instanceof DosimeterError)) throw new Error("it was read")
  return error.issues.map(({ message, help }) => `${message}; ${help ?? ""}`).join("\n")
}

const listed = (rows: string): string =>
  `CREATE TABLE icd AS SELECT * FROM (VALUES ${rows}) AS listed (chapter, block, code)`
const own = policy("duckdb: clinic.duckdb")

test.each([
  ["rows without a value", listed("('I', 1, 'A00'), ('II', NULL, 'SECRET')"), own, "have no block"],
  ["rows with an empty name", listed("('I', 1, ' '), ('II', 2, 'SECRET')"), own, "have no code"],
  ["no rows", `${listed("('I', 1, 'A00')")}; DELETE FROM icd`, own, "without rows"],
  [
    "too many rows",
    "CREATE TABLE icd AS SELECT 'I' AS chapter, 1 AS block, 'A' || i AS code FROM range(10001) r(i)",
    own,
    "more than 10000 leaves",
  ],
  ["another type", listed("('I', 1, 7), ('I', 1, 8)"), own, "visits.code is text, and icd.code is integer"],
  ["a level of a strange type", listed("('I', 1.5::DOUBLE, 'A00')"), own, "of type text or integer"],
  [
    "no such column",
    "CREATE TABLE icd AS SELECT 'I' AS chapter, 'A00' AS code",
    own,
    "the table icd has no column block",
  ],
  [
    "a table about people",
    listed("('I', 1, 'SECRET')"),
    policy("duckdb: clinic.duckdb").replace("icd: { unit: public }", "icd: { unit: code }"),
    "unit: public",
  ],
  [
    "no such table",
    listed("('I', 1, 'SECRET')"),
    policy("duckdb: clinic.duckdb").replace("table: icd,", "table: ice,"),
    "ice",
  ],
  [
    "nodes besides",
    listed("('I', 1, 'SECRET')"),
    own.replace("table: icd,", "table: icd, nodes: { I: { B: [C] } },"),
    "nodes and a table",
  ],
])("[E2] a tree of a table with %s is refused, and no value is shown", async (_name, tables, text, words) => {
  const said = await refused(tables, text)
  expect(said).toContain(words)
  expect(said).not.toContain("SECRET")
})

test("[Q4] another tree makes another question", async () => {
  const hashes: string[] = []
  for (const rows of ["('I', 1, 'A00'), ('II', 2, 'C61')", "('I', 1, 'A00'), ('I', 2, 'C61')"]) {
    const at = mkdtempSync(join(folder, "changed-"))
    const instance = await DuckDBInstance.create(join(at, "clinic.duckdb"))
    const other = await instance.connect()
    await other.run(`CREATE TABLE visits (patient_id INTEGER, code VARCHAR); ${listed(rows)}`)
    other.closeSync()
    instance.closeSync()
    const engine = await openEngine({ policy: own, folder: at, prepare: "never" })
    const sql = "SELECT ANCESTOR(code, 'chapter') AS c, COUNT(*) FROM visits GROUP BY 1"
    hashes.push(paidReceipt(await engine.ask(sql)).planHash)
    await engine.close()
  }
  expect(hashes[0]).toMatch(/^[0-9a-f]{64}$/)
  expect(hashes[0]).not.toBe(hashes[1])
})
