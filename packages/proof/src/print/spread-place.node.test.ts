import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api"
import { afterAll, beforeAll, expect, it } from "vitest"
import { callExpr, columnExpr, ColumnIds, filterRel, integerLiteral, windowRel } from "../algebra/make.ts"
import type { Rel, RelColumn, Scan } from "../algebra/rel.ts"
import { testRange } from "../testing/two-databases.ts"
import { printRel } from "./print.ts"

// Unit u has u rows; cells of every third row are equal.
const units = 300
const whole = { type: { kind: "integer" }, nullable: false, range: testRange(0n, 1000n) } as const
const columns: readonly RelColumn[] = ["unit", "cell"].map((name, id) => ({ id, name, domain: whole }))
const sources = columns.map(({ name }) => ({ name, source: name, domain: whole, access: "allowed" }) as const)
const scan: Scan = {
  kind: "scan",
  table: { name: "cells", path: ["cells"], unit: { kind: "public" }, columns: sources, keys: [] },
  sources,
  columns,
}
let connection: DuckDBConnection

beforeAll(async () => {
  connection = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect()
  await connection.run(
    `CREATE TABLE cells AS SELECT u AS unit, r - r % 3 AS cell FROM range(1, ${units + 1}) a(u), range(u) b(r)`,
  )
})

afterAll(() => {
  connection.closeSync()
})

it.each([1n, 2n, 4n, 6n, 7n])("[Q2] of each unit's rows just %s are kept, or all", async (step) => {
  const kept = await keptWith("one", step)
  expect(kept.size).toBe(units)
  for (const [unit, cells] of kept) expect(cells.length).toBe(Math.min(unit, Number(step)))
})

// Whatever the hash says, four of 300 rows are 75 apart (cells are three rows wide). The place of single rows
// is uniform, so that the mean of 280 is within 6 standard deviations of one half. The secret is fixed: this
// does not vary from run to run.
it("rows that are kept are spread over the order, and none is preferred", async () => {
  const four = (await keptWith("one", 4n)).get(units) ?? []
  const [first = 0, second = 0, third = 0, last = 0] = four.toSorted((a, b) => a - b)
  for (const gap of [second - first, third - second, last - third]) {
    expect(Math.abs(gap - units / 4)).toBeLessThanOrEqual(3)
  }
  const single = [...(await keptWith("one", 1n))].filter(([unit]) => unit > 20)
  const places = single.map(([unit, [cell = 0]]) => (cell + 1) / unit)
  const mean = places.reduce((a, b) => a + b, 0) / places.length
  expect(Math.abs(mean - 0.5)).toBeLessThan(6 * Math.sqrt(1 / 12 / places.length))
})

it("which row is kept follows the secret alone", async () => {
  const one = await keptWith("one", 1n)
  expect(await keptWith("one", 1n)).toEqual(one)
  const two = await keptWith("two", 1n)
  const same = [...one].filter(([unit, [cell]]) => unit > 100 && two.get(unit)?.[0] === cell).length
  expect(same).toBeLessThan(30)
})

it("a step that 64 bits might not hold is not printed", () => {
  expect(() => printRel(spread(2n ** 22n + 1n), "duckdb")).toThrow("small whole number")
  expect(printRel(spread(2n ** 22n), "trino").text).toContain("% COUNT(*) OVER")
})

function spread(step: bigint): Rel {
  const [unit, cell] = columns.map(columnExpr)
  if (unit === undefined || cell === undefined) throw new Error("two columns")
  const orderBy = [{ value: cell, direction: "ascending", nulls: "last" }] as const
  const args = [integerLiteral(step)]
  const item = { function: "spread-place", args, partitionBy: [unit], orderBy, frame: undefined } as const
  const placed = windowRel(scan, item, "place", new ColumnIds(10))
  const place = placed.columns.at(-1)
  if (place === undefined) throw new Error("a place")
  return filterRel(placed, callExpr("less-or-equal", [columnExpr(place), integerLiteral(step)]))
}

// The cells that each unit keeps.
async function keptWith(secret: string, step: bigint): Promise<ReadonlyMap<number, readonly number[]>> {
  const reader = await connection.runAndReadAll(printRel(spread(step), "duckdb").text, [secret])
  const kept = new Map<number, number[]>()
  for (const [unit, cell] of reader.getRows()) {
    kept.set(Number(unit), [...(kept.get(Number(unit)) ?? []), Number(cell)])
  }
  return new Map([...kept].map(([unit, cells]) => [unit, cells.toSorted((a, b) => a - b)]))
}
