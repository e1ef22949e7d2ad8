import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api"
import { rational } from "@dosimeter/core"
import { afterAll, beforeAll, expect, it } from "vitest"
import type { Domain } from "../catalog/domain.ts"
import { columnExpr, ColumnIds, projectRel, stepsExpr } from "../algebra/make.ts"
import type { Rel, Scan } from "../algebra/rel.ts"
import { testRange } from "../testing/two-databases.ts"
import { printRel } from "./print.ts"

const stored = ["INTEGER", "BIGINT", "DOUBLE", "DECIMAL(18, 3)", "HUGEINT"]
const numbers =
  "-3e9 -1e9 -4 -3 -2.5 -1 -0.5 0 0.4 0.5 1 4 5 6 99.5 100 199.6 200 201 499.5 500 500.4 501 3e9"
let connection: DuckDBConnection

beforeAll(async () => {
  connection = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect()
  for (const [index, type] of stored.entries()) {
    const values = numbers.split(" ").map((value) => `(TRY_CAST(${value}::DOUBLE AS ${type}))`)
    const more = type === "DOUBLE" ? ["('NaN')", "('Infinity')", "('-Infinity')", "('-0')"] : []
    await connection.run(`CREATE TABLE t${index} (x ${type})`)
    await connection.run(`INSERT INTO t${index} VALUES ${[...values, "(NULL)", ...more].join(", ")}`)
  }
})

afterAll(() => {
  connection.closeSync()
})

const bounds = [
  [0n, 500n],
  [-3n, 3n],
  [5n, 5n],
  [100n, 200n],
  [600n, 700n],
  [-(2n ** 40n), 2n ** 40n],
  // The ends of a type: what is read between these is not clamped, and what is counted is.
  [-(2n ** 31n), 2n ** 31n - 1n],
] as const
const ranges = [
  testRange(0n, 500n),
  testRange(-3n, 2n ** 33n),
  testRange(-2n, -1n),
  testRange(-(2n ** 40n), 2n ** 40n),
]

it.each(stored)(
  "[Q6] [Q7] whole steps straight from %s are those of the column as it is read",
  async (type) => {
    for (const range of ranges) {
      const scan = scanOf(`t${stored.indexOf(type)}`, { type: { kind: "integer" }, nullable: true, range })
      // A union stands between, so that the column is read first and clamped later.
      const apart: Rel = { kind: "union", inputs: [scan], columns: [{ ...column(scan), id: 2 }] }
      expect(await rowsOf(stepsOver(scan))).toEqual(await rowsOf(stepsOver(apart)))
    }
  },
)

it("they are written in one go", () => {
  const range = testRange(0n, 500n)
  const scan = scanOf("t0", { type: { kind: "integer" }, nullable: true, range })
  const [first] = printRel(stepsOver(scan), "duckdb").text.split(" AS ")
  expect(first?.match(/CASE/g)?.length).toBe(1)
})

function scanOf(name: string, domain: Domain): Scan {
  const sources = [{ name: "x", source: "x", domain, access: "allowed" }] as const
  const table = { name, path: [name], unit: { kind: "public" }, columns: sources, keys: [] } as const
  return { kind: "scan", table, sources, columns: [{ id: 1, name: "x", domain }] }
}

function column({ columns }: Rel): Rel["columns"][number] {
  const [first] = columns
  if (first === undefined) throw new Error("a column")
  return first
}

function stepsOver(rel: Rel): Rel {
  const operand = columnExpr(column(rel))
  const items = bounds.map(([lower, upper]) => ({
    name: "steps",
    value: stepsExpr(operand, rational(1n), { lower, upper }),
  }))
  return projectRel(rel, items, new ColumnIds(10))
}

async function rowsOf(rel: Rel): Promise<readonly string[]> {
  const reader = await connection.runAndReadAll(printRel(rel, "duckdb").text)
  return reader.getRows().map((row) => row.map(String).join(" "))
}
