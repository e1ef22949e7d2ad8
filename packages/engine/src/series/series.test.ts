import { seededBits, withoutRandomText } from "@dosimeter/core/testing"
import { DuckDBInstance } from "@duckdb/node-api"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { exactly } from "@dosimeter/core"
import { afterEach, beforeEach, expect, test } from "vitest"
import { openEngine, type Engine } from "../engine.ts"
import { askerOf } from "../ask/ask-question.ts"
import { findSeries, seriesSubject, type SeriesDefinition } from "./series-record.ts"
import { isSameSeries } from "./series.ts"
import { receiptFacts } from "../receipts/receipt-facts.ts"
import { refusal } from "../testing/ledger-fixtures.ts"

// At this loss the noise is zero but with a probability below 1e-12 a node: totals are exact.
const policy = `dataset: clinic
source: { duckdb: clinic.duckdb }
unit: patient
neighbours: add-or-remove
budget: { epsilon: 700, delta: 0, accounting: pure }
question: { epsilon: { default: 300, max: 300 }, delta: 0, confidence: 0.95 }
bounding: { groups_per_unit: 2, rows_per_group: 1, norm: fixed }
tables:
  cases:
    unit: patient_id
    columns:
      day: { min: 2026-01-01, max: 2027-12-31, type: date, nullable: false }
`
let folder = ""
let engine: Engine

async function sql(text: string): Promise<void> {
  const instance = await DuckDBInstance.create(join(folder, "clinic.duckdb"))
  const connection = await instance.connect()
  await connection.run(text)
  connection.closeSync()
  instance.closeSync()
}

async function reopened(change: string): Promise<void> {
  await engine.close()
  await sql(change)
  engine = await openEngine({ policy, folder, prepare: "never", rng: seededBits("series") })
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "dosimeter-series-"))
  // One new patient on each day of the first three weeks from Monday 2026-01-05; patient 0 comes daily.
  await sql(`CREATE TABLE cases AS
    SELECT i + 1 AS patient_id, DATE '2026-01-05' + CAST(i AS INTEGER) AS day FROM range(21) r(i)
    UNION ALL SELECT 0, DATE '2026-01-05' + CAST(i AS INTEGER) FROM range(21) r(i)`)
  engine = await openEngine({ policy, folder, prepare: "never", rng: seededBits("series") })
})
afterEach(async () => {
  await engine.close()
  rmSync(folder, { recursive: true })
})

const day = (text: string): bigint => BigInt(Date.parse(`${text}T00:00:00Z`) / 86_400_000)
const weekly: SeriesDefinition = {
  name: "flu",
  sql: "SELECT date_trunc('week', day) AS week, COUNT(DISTINCT patient_id) AS n FROM cases GROUP BY 1",
  from: day("2026-01-05"),
  periods: 5,
  epsilon: exactly("300", "epsilon"),
}

async function totals(): Promise<unknown> {
  const { table } = await engine.series.show("flu")
  return table.rows.map((row) => row.map(({ value }) => value))
}

test("[M3] a series is paid for once, grows with the data, and never changes what it has shown", async () => {
  await engine.series.create(weekly, askerOf({}))
  const account = await engine.account()
  expect(await engine.series.update("flu", day("2026-01-18"))).toBe(1)
  // Seven new patients a week, and patient 0 in the first two weeks.
  expect(await totals()).toEqual([["2026-01-05", 8, 8, 8]])
  expect(await engine.series.update("flu", day("2026-01-19"))).toBe(1)
  expect(await engine.series.update("flu", day("2026-01-25"))).toBe(0)
  expect(await totals()).toEqual([
    ["2026-01-05", 8, 8, 8],
    ["2026-01-12", 16, 16, 16],
  ])
  // Two patients of the first week come in late: where each week is measured by itself, they do not count.
  await reopened("INSERT INTO cases VALUES (100, DATE '2026-01-06'), (101, DATE '2026-01-06')")
  expect(await engine.series.update("flu", day("2026-02-02"))).toBe(2)
  expect(await totals()).toEqual([
    ["2026-01-05", 8, 8, 8],
    ["2026-01-12", 16, 16, 16],
    ["2026-01-19", 23, 23, 23],
    ["2026-01-26", 23, 23, 23],
  ])
  expect(await engine.series.update("flu", day("2027-01-01"))).toBe(1)
  expect(await engine.series.update("flu", day("2027-12-01"))).toBe(0)
  expect(await engine.account()).toEqual(account)
  expect(await engine.ledger.verify()).toMatchObject({ sound: true })
})

test("the receipt of a series says what is measured, with which noise", () => {
  const { plan } = engine.series.plan(weekly).proven
  expect(receiptFacts(plan).mechanisms).toEqual([
    {
      column: "COUNT(DISTINCT patient_id)",
      mechanism: "running totals of 5 periods, laplace noise in each period",
      scale: exactly("1/150", "scale"),
      sensitivity: "1 in each of 2 periods",
      grid: exactly("1", "grid"),
    },
  ])
})

test("[M3] a series that an earlier version has made goes on", async () => {
  const { charge } = engine.series.plan(weekly).proven
  // As that version wrote it.
  const hash = "5ea85162e5ecf5128b17d6c1a70503eac8e2d3c319d702e2836ef440230d07a8"
  const text = [
    `{"epsilon":"300","format":"dosimeter-series/1","from":"20458","name":"flu","periods":"5",`,
    `"planHash":"${hash}","sql":"${weekly.sql}","view":{"amount":"1/150","confidence":"19/20",`,
    `"days":["20458","20465","20472","20479","20486","20493"],"form":"fading","grid":"1",`,
    `"label":"COUNT(DISTINCT patient_id)","law":"laplace","rises":true,"sixteenths":"0"}}`,
  ].join("")
  const question = { planHash: hash, dataVersion: "all that are to come" }
  const payer = { principal: "ada", requestId: "1", accounts: [] }
  const reservation = await engine.ledger.reserve({ ...payer, ...question, charge, steps: 5n })
  const release = { answer: text, receipt: "{}", kept: [{ subject: seriesSubject("flu"), text }] }
  await engine.ledger.settle(reservation, { outcome: "released", release })
  expect(await engine.series.update("flu", day("2026-01-19"))).toBe(2)
  expect(await totals()).toEqual([
    ["2026-01-05", 8, 8, 8],
    ["2026-01-12", 16, 16, 16],
  ])
  expect(await engine.series.update("flu", day("2026-01-26"))).toBe(1)
})

test("[M3] two who go on at the same time draw for it once", async () => {
  await engine.series.create(weekly, askerOf({}))
  const both = await Promise.allSettled([
    engine.series.update("flu", day("2026-01-19")),
    engine.series.update("flu", day("2026-01-19")),
  ])
  // One after the other: the second finds nothing new.
  expect(both).toMatchObject([{ value: 2 }, { value: 0 }])
  expect(await totals()).toHaveLength(2)
})

test("[M3] a person whose date is corrected every week counts once, over versions of the data", async () => {
  await engine.close()
  const once = policy.replace("groups_per_unit: 2", "groups_per_unit: 1")
  engine = await openEngine({ policy: once, folder, prepare: "never", rng: seededBits("once") })
  await engine.series.create(weekly, askerOf({}))
  await engine.series.update("flu", day("2026-01-12"))
  for (const [corrected, through] of [
    ["2026-01-13", "2026-01-19"],
    ["2026-01-20", "2026-01-26"],
    ["2026-01-27", "2026-02-02"],
  ] as const) {
    await engine.close()
    await sql(`UPDATE cases SET day = DATE '${corrected}' WHERE patient_id = 3`)
    engine = await openEngine({ policy: once, folder, prepare: "never", rng: seededBits("once") })
    await engine.series.update("flu", day(through))
  }
  // Seven patients a week and patient 0: patient 3 counts in the first week and never again.
  expect(await totals()).toEqual([
    ["2026-01-05", 8, 8, 8],
    ["2026-01-12", 15, 15, 15],
    ["2026-01-19", 22, 22, 22],
    ["2026-01-26", 22, 22, 22],
  ])
})

test("series/memory-missing: a series does not go on without what it remembers", async () => {
  await engine.series.create(weekly, askerOf({}))
  await engine.series.update("flu", day("2026-01-12"))
  const state = join(folder, ".dosimeter")
  const memory = readdirSync(state).find((name) => /\.series-[0-9a-f]+$/.test(name)) ?? ""
  const text = readFileSync(join(state, memory), "utf8")
  expect(withoutRandomText(text)).not.toMatch(/2026|patient/)
  rmSync(join(state, memory))
  expect((await refusal(engine.series.update("flu", day("2026-01-19")))).code).toBe("series/memory-missing")
  writeFileSync(join(state, memory), text.slice(0, -3))
  expect((await refusal(engine.series.update("flu", day("2026-01-19")))).code).toBe(
    "series/memory-unreadable",
  )
  // A memory of another update, or under another key.
  writeFileSync(join(state, memory), text.replace(/^memory [0-9a-f]{32}/m, `memory ${"0".repeat(32)}`))
  expect((await refusal(engine.series.update("flu", day("2026-01-19")))).code).toBe("series/memory-missing")
  writeFileSync(join(state, memory), text.replace(/memory 2 \S+/, `memory 2 ${"x".repeat(22)}`))
  expect((await refusal(engine.series.update("flu", day("2026-01-19")))).code).toBe("series/memory-missing")
  writeFileSync(join(state, memory), text)
  expect(await engine.series.update("flu", day("2026-01-19"))).toBe(1)
})

test("series/known, series/unknown, series/changed: a series keeps its name, its plan and its budget", async () => {
  await engine.series.create(weekly, askerOf({}))
  expect((await refusal(engine.series.create(weekly, askerOf({})))).code).toBe("series/known")
  expect((await refusal(engine.series.show("gout"))).code).toBe("series/unknown")
  await engine.close()
  const wider = policy.replace("max: 2027-12-31", "max: 2028-12-31")
  engine = await openEngine({ policy: wider, folder, prepare: "never", rng: seededBits("wider") })
  expect((await refusal(engine.series.update("flu", day("2026-02-02")))).code).toBe("series/changed")
  expect((await engine.series.show("flu")).table.rows).toEqual([])
  const more = { ...weekly, name: "more" }
  await engine.series.create(more, askerOf({}))
  const error = await refusal(engine.series.create({ ...weekly, name: "much" }, askerOf({})))
  expect(error.code).toBe("budget/exhausted")
})

test("[M3] a series goes on with the form and the noise that it was charged for", async () => {
  await engine.series.create(weekly, askerOf({}))
  const known = await findSeries(engine.ledger, "flu")
  if (known === undefined) throw new Error("the series is there")
  expect(known.view.form).toEqual({ kind: "fading", sixteenths: 0n })
  const plan = engine.series.plan(weekly)
  const noise = { ...known.view.noise, law: "laplace", amount: exactly("1/1000", "scale") } as const
  expect(isSameSeries(known, plan)).toBe(true)
  const { view } = known
  expect(isSameSeries({ ...known, view: { ...view, noise } }, plan)).toBe(false)
  expect(isSameSeries({ ...known, view: { ...view, form: { kind: "tree" } } }, plan)).toBe(false)
})
