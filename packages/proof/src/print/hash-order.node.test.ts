import { DuckDBInstance } from "@duckdb/node-api"
import { expect, it } from "vitest"
import {
  keyedHash,
  ColumnIds,
  columnExpr,
  filterRel,
  callExpr,
  integerLiteral,
  windowRel,
} from "../algebra/make.ts"
import type { RelColumn, Scan } from "../algebra/rel.ts"
import { testRange } from "../testing/two-databases.ts"
import { printRel } from "./print.ts"

const whole = { type: { kind: "integer" }, nullable: false, range: testRange(0n, 1000n) } as const
const columns: readonly RelColumn[] = ["unit", "word"].map((name, id) => ({ id, name, domain: whole }))
const scan: Scan = {
  kind: "scan",
  table: {
    name: "pairs",
    path: ["pairs"],
    unit: { kind: "public" },
    columns: columns.map(({ name }) => ({ name, source: name, domain: whole, access: "allowed" })),
    keys: [],
  },
  sources: columns.map(({ name }) => ({ name, source: name, domain: whole, access: "allowed" })),
  columns,
}

// 1,000 units have 20 keys each, and keep 5. Whether a unit keeps a key has variance 0.25 * 0.75, so 250 is
// passed by 6 standard deviations (82) once in 10^8 such tests of 20 keys; the secret is fixed, so this does
// not vary from run to run.
it("the order by hash favours no key, and differs between secrets", async () => {
  const [unit, word] = columns.map(columnExpr)
  if (unit === undefined || word === undefined) throw new Error("two columns")
  const order = [keyedHash([unit, word]), word].map((value) => ({
    value,
    direction: "ascending" as const,
    nulls: "last" as const,
  }))
  const item = {
    function: "row-number" as const,
    args: [],
    partitionBy: [unit],
    orderBy: order,
    frame: undefined,
  }
  const placed = windowRel(scan, item, "place", new ColumnIds(10))
  const place = placed.columns.at(-1)
  if (place === undefined) throw new Error("a place")
  const kept = filterRel(placed, callExpr("less-or-equal", [columnExpr(place), integerLiteral(5n)]))
  const { text } = printRel(kept, "duckdb")
  const connection = await (await DuckDBInstance.create(":memory:")).connect()
  await connection.run(
    "CREATE TABLE pairs AS SELECT u AS unit, k AS word FROM range(1000) a(u), range(20) b(k)",
  )
  const keptWith = async (secret: string): Promise<readonly string[]> => {
    const rows = (await connection.runAndReadAll(text, [secret])).getRows()
    return rows.map(([u, k]) => `${String(u)} ${String(k)}`).toSorted()
  }
  const first = await keptWith("one")
  expect(first.length).toBe(5000)
  expect(await keptWith("one")).toEqual(first)
  const second = new Set(await keptWith("two"))
  const shared = first.filter((pair) => second.has(pair)).length
  expect(shared).toBeGreaterThan(1000)
  expect(shared).toBeLessThan(1500)
  for (let key = 0; key < 20; key += 1) {
    const count = first.filter((pair) => pair.endsWith(` ${key}`)).length
    expect(Math.abs(count - 250)).toBeLessThan(82)
  }
  // Two keys are no more often kept together than chance would have it: 5/20 * 4/19 of 1,000 units.
  const pairs = first.filter((pair) => pair.endsWith(" 3")).map((pair) => pair.replace(/ 3$/, " 4"))
  const together = pairs.filter((pair) => first.includes(pair)).length
  expect(Math.abs(together - 53)).toBeLessThan(45)
  connection.closeSync()
})
