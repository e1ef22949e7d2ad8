// Groupings over public trees through the engine: parts add up to wholes, and intervals tell the truth.

import { seededBits } from "@dosimeter/core/testing"
import { DuckDBInstance } from "@duckdb/node-api"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openEngine, type Engine } from "../engine.ts"
import type { AnswerCell, AnswerTable } from "@dosimeter/answers/shown/answer-table"
import { findMeasurements, type MeasurementTable } from "../answer/measurements.ts"
import { paidReceipt } from "../testing/paid-receipt.ts"

const policy = (accounting: string): string => `dataset: clinic
source: { duckdb: clinic.duckdb }
unit: patient
neighbours: add-or-remove
budget: { epsilon: 400, delta: 1e-7, accounting: ${accounting} }
question: { epsilon: { default: 1, max: 2 }, delta: 1e-9, confidence: 0.95 }
bounding: { groups_per_unit: 2, rows_per_group: 3, norm: fixed }
trees:
  site:
    levels: [region, hospital, ward]
    nodes:
      North: { Elm: [ICU, Surgery], Oak: [ICU] }
      South: { Bay: [ICU, Birth, Eyes] }
tables:
  wards:
    unit: public
    keys: [ward_id]
    columns:
      ward_id: { nullable: false }
      region: { tree: site.region, nullable: false }
      hospital: { tree: site.hospital, nullable: false }
      ward: { tree: site.ward, nullable: false }
  patients:
    unit: id
    keys: [id]
    columns:
      ward_id: integer
      fee: { min: 0, max: 500, grid: 0.01 }
`
const folders: string[] = []
const engines = new Map<string, Engine>()

beforeAll(async () => {
  for (const accounting of ["zcdp", "pure"]) {
    const folder = mkdtempSync(join(tmpdir(), "dosimeter-tree-"))
    folders.push(folder)
    const instance = await DuckDBInstance.create(join(folder, "clinic.duckdb"))
    const connection = await instance.connect()
    await connection.run(`
      CREATE TABLE wards AS FROM (VALUES (1, 'North', 'Elm', 'ICU'), (2, 'North', 'Elm', 'Surgery'),
        (3, 'North', 'Oak', 'ICU'), (4, 'South', 'Bay', 'ICU'), (5, 'South', 'Bay', 'Birth'),
        (6, 'South', 'Bay', 'Eyes')) AS listed (ward_id, region, hospital, ward);
      CREATE TABLE patients AS SELECT i AS id, 1 + (i * i) % 7 % 6 AS ward_id, 100.0::DOUBLE AS fee
        FROM range(700) r(i);`)
    connection.closeSync()
    instance.closeSync()
    const rng = seededBits(`tree ${accounting}`)
    engines.set(accounting, await openEngine({ policy: policy(accounting), folder, rng }))
  }
})

afterAll(async () => {
  for (const engine of engines.values()) await engine.close()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

async function ask(sql: string, accounting: string, nonNegative = false): Promise<AnswerTable> {
  const engine = engines.get(accounting)
  if (engine === undefined) throw new Error("no such engine")
  const table: AnswerTable = (await engine.ask(sql, { ask: { nonNegative } })).answer
  return table
}

const rollup = (where = ""): string =>
  `SELECT region, hospital, ward, COUNT(*) AS n, SUM(fee) AS fees, GROUPING(region, hospital, ward) AS g
   FROM patients JOIN wards USING (ward_id) ${where} GROUP BY ROLLUP (region, hospital, ward)`

const numberOf = (cell: AnswerCell | undefined): number => Number(cell?.value)

/** The numbers of a grouping by the first keys, added up. */
function sumsOf(
  { rows }: AnswerTable,
  { keys, by, column }: { readonly keys: number; readonly by: number; readonly column: number },
): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const row of rows.filter((one) => one[5]?.value === 2 ** (3 - keys) - 1)) {
    const name = row
      .slice(0, by)
      .map(({ value }) => `${value}`)
      .join()
    sums.set(name, (sums.get(name) ?? 0) + numberOf(row[column]))
  }
  return sums
}

test.each(["zcdp", "pure"])("[M7] parts add up to wholes, under %s accounting", async (accounting) => {
  const answer = await ask(rollup(), accounting)
  expect(answer.rows.length).toBe(6 + 3 + 2 + 1)
  for (const column of [3, 4]) {
    for (const keys of [0, 1, 2]) {
      for (const below of [1, 2, 3].filter((one) => one > keys)) {
        const whole = sumsOf(answer, { keys, by: keys, column })
        const parts = sumsOf(answer, { keys: below, by: keys, column })
        expect([...parts.keys()].toSorted()).toEqual([...whole.keys()].toSorted())
        for (const [name, value] of whole) expect(parts.get(name)).toBeCloseTo(value, 8)
      }
    }
  }
  expect(Math.abs(numberOf(answer.rows.at(-1)?.[3]) - 700)).toBeLessThan(120)
})

test.each(["zcdp", "pure"])("[P2] counts become whole numbers from 0 that add up: %s", async (accounting) => {
  const answer = await ask(rollup("WHERE id < 9"), accounting, true)
  const [total] = sumsOf(answer, { keys: 0, by: 0, column: 3 }).values()
  for (const row of answer.rows) {
    expect(Number.isInteger(numberOf(row[3])) && numberOf(row[3]) >= 0).toBe(true)
  }
  for (const keys of [1, 2, 3]) {
    expect([...sumsOf(answer, { keys, by: 0, column: 3 }).values()]).toEqual([total])
  }
})

test("sums of groups know what noise they share", async () => {
  const { rows } = await ask(
    `WITH q AS (${rollup("WHERE id < 600")})
     SELECT (SELECT SUM(n) FROM q WHERE g = 0) - (SELECT SUM(n) FROM q WHERE g = 3) AS none,
            (SELECT SUM(n) FROM q WHERE g = 1 AND region = 'South') AS south,
            (SELECT SUM(n) FROM q WHERE g = 3 AND region = 'South') AS region`,
    "zcdp",
  )
  const [none, south, region] = rows[0] ?? []
  expect(numberOf(none)).toBeCloseTo(0, 8)
  expect(Number(south?.high) - Number(south?.low)).toBeCloseTo(Number(region?.high) - Number(region?.low), 1)
})

test.each([
  ["zcdp", "GROUP BY ROLLUP (region, hospital, ward)"],
  ["pure", "GROUP BY ROLLUP (region, hospital, ward)"],
  ["zcdp", "GROUP BY CUBE (region, fee > 50)"],
])("[P1] what was measured gives the answer again: %s, %s", async (accounting, grouping) => {
  const engine = engines.get(accounting)
  if (engine === undefined) throw new Error("no such engine")
  const keys = grouping.includes("fee") ? "region, fee > 50" : "region, hospital, ward"
  const sql = `SELECT ${keys}, COUNT(*) AS n FROM patients JOIN wards USING (ward_id) WHERE id < 650 ${grouping}`
  const asked = await engine.ask(sql, { ask: { nonNegative: false } })
  const { answer, charge = 0n } = asked
  const { planHash, dataVersion } = paidReceipt(asked)
  const text = await findMeasurements(engine.ledger, { planHash, dataVersion, position: charge })
  const { tables }: { readonly tables: readonly MeasurementTable[] } = JSON.parse(text ?? "")
  const [table] = tables
  if (table === undefined) throw new Error("nothing was measured")
  expect(table.measurements.every(({ variance }) => variance > 0)).toBe(true)
  const cells = cellsOf(table)
  const { rows }: AnswerTable = answer
  const width = keys.split(",").length
  for (const [index, group] of cells.groups.entries()) {
    const row = rows.find((one) => group.every((value, place) => one[place]?.value === value))
    expect(cells.values[index]).toBeCloseTo(numberOf(row?.[width]), 2)
  }
})

/** The cells that measurements are of: as many equations as there are cells, solved by elimination. */
function cellsOf({ axes, measurements }: MeasurementTable): {
  readonly groups: readonly (readonly unknown[])[]
  readonly values: readonly number[]
} {
  const places = axes.reduce<readonly (readonly number[])[]>(
    (rows, { groups }) => rows.flatMap((row) => groups.map((_, place) => [...row, place])),
    [[]],
  )
  const factorOf = (
    over: MeasurementTable["measurements"][number]["over"][number],
    place: number,
  ): number => {
    if (over === null) return 1
    const [from, middle, to, plus, minus] = over
    return place < from || place >= to ? 0 : place < middle ? Number(plus) : -Number(minus)
  }
  const rows = measurements.map(({ over, value }) => [
    ...places.map((cell) => cell.reduce((all, place, axis) => all * factorOf(over[axis] ?? null, place), 1)),
    Number(value),
  ])
  expect(rows.length).toBe(places.length)
  for (let column = 0; column < rows.length; column += 1) {
    const pivot = rows.findIndex((row, at) => at >= column && Math.abs(row[column] ?? 0) > 1e-9)
    const [best, here] = [rows[pivot] ?? [], rows[column] ?? []]
    rows[pivot] = here
    const scaled = best.map((value) => value / (best[column] ?? 1))
    rows[column] = scaled
    for (const [at, row] of rows.entries()) {
      const times = row[column] ?? 0
      if (at !== column) rows[at] = row.map((value, place) => value - times * (scaled[place] ?? 0))
    }
  }
  const groups = places.map((cell) => cell.flatMap((place, axis) => axes[axis]?.groups[place] ?? []))
  return { groups, values: rows.map((row) => row.at(-1) ?? 0) }
}

test("[E1] [P2] intervals of all levels hold as often as stated", async () => {
  // Squares leave 0, 1, 2 or 4 on division by 7, the first for one in seven and each other one for two.
  const wardOf = (id: number): number => 1 + (((id * id) % 7) % 6)
  const isIn = (from: number, to: number): number =>
    [...Array(700).keys()].filter((id) => wardOf(id) >= from && wardOf(id) <= to).length
  const truths = new Map([
    ["North,Elm,ICU", isIn(1, 1)],
    ["North,Elm,Surgery", isIn(2, 2)],
    ["North,Oak,ICU", isIn(3, 3)],
    ["South,Bay,ICU", isIn(4, 4)],
    ["South,Bay,Birth", isIn(5, 5)],
    ["South,Bay,Eyes", isIn(6, 6)],
    ["North,Elm,", isIn(1, 2)],
    ["North,,", isIn(1, 3)],
    ["South,,", isIn(4, 6)],
    [",,", isIn(1, 6)],
  ])
  let [held, all] = [0, 0]
  for (let draw = 0; draw < 8; draw += 1) {
    const { rows } = await ask(rollup(`WHERE id >= ${-draw}`), "zcdp")
    for (const row of rows) {
      const names = row.slice(0, 3).map(({ value }) => value ?? "")
      const truth = truths.get(names.join())
      if (truth === undefined) continue
      all += 1
      if (Number(row[3]?.low) <= truth && truth <= Number(row[3]?.high)) held += 1
    }
  }
  expect(all).toBe(80)
  expect(held).toBeGreaterThanOrEqual(70)
})
