import { DosimeterError } from "@dosimeter/core"
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { makeDuckdb } from "./testing/make-duckdb.ts"
import { openEngine, type Engine } from "./engine.ts"
import type { AnswerTable } from "@dosimeter/answers/shown/answer-table"
import { freshHome } from "./testing/fresh-home.ts"

const canary = "CANARY-8f3a"
const policy = `dataset: clinic
source: { duckdb: clinic.duckdb }
unit: patient
neighbours: add-or-remove
budget: { epsilon: 2, delta: 1e-7, accounting: zcdp }
question: { epsilon: { default: 0.5, max: 1 }, delta: 1e-9, confidence: 0.95 }
bounding: { groups_per_unit: 3, rows_per_group: 5, norm: fixed }
tables:
  patients:
    unit: id
    keys: [[id]]
    columns:
      sex: { values: [f, m], nullable: false }
      name: deny
  visits:
    unit: patient_id
    columns:
      fee: { min: 0, max: 500, grid: 0.01 }
      ward: { values: [A, B, C] }
      city: { type: text }
  wards:
    unit: public
    columns:
      ward: { type: text }
      title: { type: text }
`
let folder = ""
let engine: Engine

async function fillClinic(path: string, more = ""): Promise<void> {
  await makeDuckdb(
    path,
    `
    CREATE TABLE patients AS SELECT i AS id, CASE WHEN i % 2 = 0 THEN 'f' ELSE 'm' END AS sex,
      '${canary}' || i AS name FROM range(2000) r(i);
    CREATE TABLE visits AS SELECT i % 2000 AS patient_id, (i % 700)::DOUBLE AS fee,
      ['A', 'B', 'C', 'X'][1 + i % 4] AS ward,
      CASE WHEN i = 7 THEN '${canary}' ELSE 'town ' || (i % 2) END AS city FROM range(20000) r(i);
    CREATE TABLE wards AS
      SELECT * FROM (VALUES ('A', 'Acute'), ('B', 'Burns'), ('C', 'Cardio')) t(ward, title);
    ${more}`,
  )
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "dosimeter-engine-"))
  await fillClinic(join(folder, "clinic.duckdb"))
  engine = await openEngine({ policy, folder })
})

afterAll(async () => {
  await engine.close()
  rmSync(folder, { recursive: true })
})

async function answer(sql: string): Promise<AnswerTable> {
  const table: AnswerTable = (await engine.ask(sql)).answer
  return table
}

async function failure(run: () => Promise<unknown>): Promise<DosimeterError> {
  try {
    await run()
  } catch (error) {
    if (error instanceof DosimeterError) return error
  }
  throw new Error("this should have been refused")
}

test("[Q5] public keys come back whole, with intervals around noisy numbers", async () => {
  const { columns, rows } = await answer(
    "SELECT ward, COUNT(*) AS n, AVG(fee) AS fee FROM visits GROUP BY ward",
  )
  expect(columns.map(({ name, kind }) => [name, kind])).toEqual([
    ["ward", "key"],
    ["n", "noisy"],
    ["fee", "derived"],
  ])
  expect(rows.map(([key]) => key?.value)).toEqual(["A", "B", "C", null])
  for (const [, n, fee] of rows.slice(0, 3)) {
    expect(Number(n?.low)).toBeLessThan(Number(n?.value))
    expect(Number(n?.high)).toBeGreaterThan(Number(n?.value))
    expect(Number(fee?.low)).toBeLessThanOrEqual(Number(fee?.value))
  }
})

test("[Q5] a key that one person holds does not come back", async () => {
  const { rows } = await answer("SELECT city, COUNT(DISTINCT patient_id) AS people FROM visits GROUP BY city")
  expect(rows.map(([key]) => key?.value)).toEqual(["town 0", "town 1"])
})

test("results are joined with public tables, filtered and cut afterwards", async () => {
  const { rows } = await answer(`
    WITH n AS (SELECT ward, COUNT(*) AS visits FROM visits GROUP BY ward)
    SELECT w.title, n.visits FROM n JOIN wards w ON w.ward = n.ward
    WHERE n.visits > 0 ORDER BY 1 DESC LIMIT 2`)
  expect(rows.map(([title]) => title?.value)).toEqual(["Cardio", "Burns"])
})

describe("the ledger", () => {
  test("[B4] is charged once for the same question, and the answer is the recorded one", async () => {
    const sql = "SELECT sex, COUNT(*) FROM patients GROUP BY sex"
    const before = await engine.account()
    const first = await engine.ask(sql)
    const after = await engine.account()
    const second = await engine.ask(`${sql}   -- the same question`)
    expect([first.origin, second.origin]).toEqual(["released", "recorded"])
    expect([second.answer, second.receipt]).toStrictEqual([first.answer, first.receipt])
    expect(await engine.account()).toEqual(after)
    expect(after.spent).not.toEqual(before.spent)
    expect(first.receipt).toMatchObject({ unit: "patient", neighbours: "add-or-remove" })
  })

  test("explains for nothing, and charges nothing for what depends on nobody", async () => {
    const before = await engine.account()
    expect((await engine.explain("SELECT COUNT(*) FROM visits")).text).toContain("more like it fit")
    expect((await engine.ask("SELECT COUNT(*) FROM wards")).origin).toBe("public")
    expect(await engine.account()).toEqual(before)
  })

  test("refuses when it is spent, and says what is left", async () => {
    freshHome()
    const state = mkdtempSync(join(tmpdir(), "dosimeter-state-"))
    const poor = await openEngine({ policy: policy.replace("epsilon: 2,", "epsilon: 1,"), folder, state })
    const questions = Array.from(
      { length: 40 },
      (_, index) => `SELECT COUNT(*) FROM visits WHERE fee > ${index}`,
    )
    const outcomes: string[] = []
    for (const sql of questions) {
      outcomes.push(
        await poor.ask(sql).then(
          ({ origin }) => origin,
          ({ code }: DosimeterError) => code,
        ),
      )
    }
    expect(outcomes[0]).toBe("released")
    expect(outcomes.at(-1)).toBe("budget/exhausted")
    expect(await poor.ledger.verify()).toMatchObject({ sound: true })
    await poor.close()
    rmSync(state, { recursive: true })
  })

  test("keeps the charge of a question that was stopped, and of one that failed", async () => {
    const stopped = new AbortController()
    stopped.abort()
    const sql = "SELECT COUNT(*) FROM visits WHERE fee < 100"
    const before = await engine.account()
    const error = await failure(() => engine.ask(sql, { signal: stopped.signal, requestId: "r1" }))
    expect(error.code).toBe("backend/cancelled")
    expect((await engine.account()).spent).not.toEqual(before.spent)
    const again = await failure(() => engine.ask(sql, { requestId: "r1" }))
    expect(again.code).toBe("ledger/request-failed")
  })
})

test("what the database says about a failure stays inside", async () => {
  freshHome()
  const state = mkdtempSync(join(tmpdir(), "dosimeter-state-"))
  const place = mkdtempSync(join(tmpdir(), "dosimeter-broken-"))
  // A view whose cast fails in one row: no version of the data can tell.
  const view = `CREATE TABLE bills AS SELECT patient_id, CASE WHEN fee = 7 THEN '${canary}' ELSE '3' END AS fee,
      ward, city FROM visits;
    DROP TABLE visits;
    CREATE VIEW visits AS SELECT patient_id, CAST(fee AS DOUBLE) AS fee, ward, city FROM bills`
  await fillClinic(join(place, "clinic.duckdb"), view)
  const broken = await openEngine({ policy, folder: place, state, prepare: "never" })
  const error = await failure(() => broken.ask("SELECT SUM(fee) FROM visits"))
  expect(error.code).toBe("backend/failed")
  expect(JSON.stringify([error.message, error.issues, error.stack])).not.toContain(canary)
  await broken.close()
  rmSync(state, { recursive: true })
  rmSync(place, { recursive: true })
})

describe("a dataset is not served", () => {
  test("if a key that proofs lean on does not hold", async () => {
    const place = mkdtempSync(join(tmpdir(), "dosimeter-twice-"))
    await fillClinic(join(place, "clinic.duckdb"), "INSERT INTO patients VALUES (7, 'f', 'again')")
    const error = await failure(() => openEngine({ policy, folder: place }))
    expect(error.code).toBe("dataset/claim-broken")
    expect(error.message).not.toMatch(/7|again/)
    rmSync(place, { recursive: true })
  })

  test("if its key file was changed", async () => {
    freshHome()
    const state = mkdtempSync(join(tmpdir(), "dosimeter-state-"))
    writeFileSync(join(state, "clinic.key"), "not a key")
    expect((await failure(() => openEngine({ policy, folder, state }))).code).toBe("dataset/bad-key")
    rmSync(state, { recursive: true })
  })
})

test("nothing on disk besides the source and its copies holds a value of the data", () => {
  const state = join(folder, ".dosimeter")
  for (const name of readdirSync(state)) {
    const path = join(state, name)
    const isPrivate = name.endsWith(".key") || name.endsWith(".prepared")
    if (!name.endsWith(".prepared")) expect(readFileSync(path).includes(canary)).toBe(false)
    if (isPrivate) expect(statSync(path).mode & 0o077).toBe(0)
  }
  chmodSync(state, 0o700)
})
