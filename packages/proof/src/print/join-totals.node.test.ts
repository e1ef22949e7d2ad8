// Totals that are joined to rows, held against windows: the same relation is printed for DuckDB, which joins,
// and for PostgreSQL, which has windows, and both run it.

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { CatalogTable } from "../catalog/catalog.ts"
import type { Domain } from "../catalog/domain.ts"
import type { ColumnExpr, Expr } from "../algebra/expr.ts"
import {
  aggregateRel,
  callExpr,
  ColumnIds,
  columnExpr,
  columnIn,
  filterRel,
  integerLiteral,
  projectRel,
  weightExpr,
  windowRel,
} from "../algebra/make.ts"
import type { Rel, WindowItem, WindowRel } from "../algebra/rel.ts"
import { scanOf, testRange, TwoDatabases } from "../testing/two-databases.ts"
import { joinTotals } from "./join-totals.ts"
import { printRel } from "./print.ts"

const whole = (min: bigint, max: bigint): Domain => ({
  type: { kind: "integer" },
  nullable: true,
  range: testRange(min, max),
})
const text: Domain = { type: { kind: "text" }, nullable: true }

const visits: CatalogTable = {
  name: "visits",
  path: ["visits"],
  unit: { kind: "path", hops: [], column: "person" },
  columns: [
    { name: "person", source: "person", domain: { ...whole(1n, 9n), nullable: false }, access: "allowed" },
    { name: "ward", source: "ward", domain: text, access: "allowed" },
    { name: "fee", source: "fee", domain: whole(-50n, 50n), access: "allowed" },
    {
      name: "length",
      source: "length",
      domain: { type: { kind: "float" }, nullable: true, range: testRange(0n, 9n) },
      access: "allowed",
    },
  ],
  keys: [],
}
const stored: CatalogTable = {
  ...visits,
  prepared: { of: ["visits"], sources: ["person"], places: [] },
}
/** NULL in every place, ties, equal rows, a person with one row. */
const rows = [
  "1, 'a', 3, 1",
  "1, 'a', 3, 1",
  "1, 'b', -7, 2",
  "1, NULL, NULL, NULL",
  "1, NULL, 5, 2.5",
  "2, 'a', 50, 1",
  "2, '', NULL, 0",
  "2, 'A', 0, 9",
  "3, NULL, NULL, NULL",
  "NULL, 'a', 4, 1",
  "NULL, NULL, NULL, 1",
]

let both: TwoDatabases
beforeAll(async () => {
  both = await TwoDatabases.open(20)
  await both.execute(
    "CREATE TABLE visits (person INTEGER, ward VARCHAR, fee INTEGER, length DOUBLE PRECISION)",
  )
  await both.execute(`INSERT INTO visits VALUES ${rows.map((row) => `(${row})`).join(", ")}`)
})
afterAll(async () => both.close())

const ids = (): ColumnIds => new ColumnIds(500)
const names = ["person", "ward", "fee", "length"]
const scan = (): Rel => scanOf(visits, names, 1)
const column = (rel: Rel, name: string): ColumnExpr => {
  const found = rel.columns.find((one) => one.name === name)
  if (found === undefined) throw new Error(`there is no column ${name}`)
  return columnExpr(found)
}
const totals = (
  rel: Rel,
  item: Pick<WindowItem, "function" | "args">,
  by: readonly string[],
  more: Partial<WindowItem> = {},
  numbers = ids(),
): WindowRel => {
  const partitionBy = by.map((name) => column(rel, name))
  return windowRel(rel, { ...item, partitionBy, orderBy: [], frame: undefined, ...more }, "total", numbers)
}
const feesOf = (rel: Rel): Pick<WindowItem, "function" | "args"> => ({
  function: "sum",
  args: [column(rel, "fee")],
})
const rowsCounted = { function: "rows", args: [] } as const

async function same(rel: Rel): Promise<void> {
  const { duckdb, postgres } = await both.run(rel)
  const shown = (cell: unknown, index: number): unknown =>
    rel.columns[index]?.domain.type.kind === "float" && cell !== null ? Number(cell) : cell
  const sorted = (table: readonly (readonly unknown[])[]): readonly string[] =>
    table.map((row) => JSON.stringify(row.map(shown))).sort()
  expect(sorted(duckdb)).toEqual(sorted(postgres))
  expect(duckdb.length).toBeGreaterThan(0)
}
const written = (rel: Rel): string => printRel(rel, "duckdb").text

describe("totals of whole partitions are joined", () => {
  const items: readonly ((rel: Rel) => Pick<WindowItem, "function" | "args">)[] = [
    () => rowsCounted,
    feesOf,
    (rel) => ({ function: "count", args: [column(rel, "ward")] }),
    (rel) => ({ function: "min", args: [column(rel, "ward")] }),
    (rel) => ({ function: "max", args: [column(rel, "length")] }),
    (rel) => ({ function: "every", args: [callExpr("is-null", [column(rel, "fee")])] }),
    (rel) => ({ function: "some", args: [callExpr("is-null", [column(rel, "fee")])] }),
  ]

  it("as windows give them, by a column that is never NULL and by columns that may be", async () => {
    for (const by of [["person"], ["ward"], ["person", "ward"], ["ward", "fee", "person"]]) {
      for (const item of items) {
        const rel = totals(scan(), item(scan()), by)
        expect(written(rel)).not.toContain("OVER (")
        expect(printRel(rel, "postgres").text).toContain("OVER (")
        await same(rel)
      }
    }
  })

  it("with several items, conditions between, and totals of totals", async () => {
    const numbers = ids()
    const first = totals(scan(), feesOf(scan()), ["person"], {}, numbers)
    const two: WindowRel = {
      ...first,
      items: [
        ...first.items,
        { ...rowsCounted, partitionBy: [column(scan(), "person")], orderBy: [], frame: undefined },
      ],
      columns: [
        ...first.columns,
        {
          id: numbers.next(),
          name: "rows",
          domain: totals(scan(), rowsCounted, ["person"]).columns.at(-1)?.domain ?? text,
        },
      ],
    }
    const few = filterRel(two, callExpr("less-or-equal", [column(two, "rows"), integerLiteral(4n)]))
    const again = totals(few, { function: "sum", args: [column(few, "rows")] }, ["ward"], {}, numbers)
    expect(written(again)).not.toContain("OVER (")
    await same(two)
    await same(few)
    await same(again)
  })

  it("under what is computed of them, for rows and for groups", async () => {
    const numbers = ids()
    const total = totals(
      scan(),
      { function: "sum", args: [callExpr("abs", [column(scan(), "fee")])] },
      ["person"],
      {},
      numbers,
    )
    const sum = columnExpr(columnIn(total, total.columns.at(-1)?.id ?? -1))
    const items: readonly { readonly name: string; readonly value: Expr }[] = [
      { name: "ward", value: column(total, "ward") },
      // Of the group alone, of the group and its keys, of the row as well, and of the row alone.
      { name: "weight", value: weightExpr(sum, "l1", { bound: 7n, full: 256n }) },
      { name: "both", value: callExpr("add", [sum, column(total, "person")]) },
      { name: "mixed", value: callExpr("add", [sum, column(total, "fee")]) },
      { name: "row", value: callExpr("is-null", [column(total, "fee")]) },
      { name: "sum", value: sum },
    ]
    const rel = projectRel(total, items, numbers)
    const added = aggregateRel(
      rel,
      [column(rel, "ward").id],
      [{ name: "all", function: "sum", argument: column(rel, "weight") }],
      numbers,
    )
    await same(rel)
    await same(added)
    // The weight is worked out below the join, once for each person.
    const text_ = written(added)
    expect(text_.indexOf("//")).toBeGreaterThan(0)
    expect(text_.lastIndexOf("//")).toBeLessThan(text_.indexOf("INNER JOIN"))
  })
})

describe("rows that are read twice are the same rows", () => {
  it("because they are kept, whatever is below", () => {
    const rel = totals(scan(), feesOf(scan()), ["person"])
    expect(written(rel).match(/ AS MATERIALIZED \(/g)?.length).toBe(1)
    const { readTwice } = joinTotals(rel)
    expect([...readTwice.values()]).toEqual(["kept"])
  })

  it("or because they are a copy's; rows that were grouped are kept even there", () => {
    const copy = scanOf(stored, names, 1)
    const few = filterRel(copy, callExpr("is-null", [column(copy, "ward")]))
    expect([...joinTotals(totals(few, feesOf(few), ["person"])).readTwice.values()]).toEqual(["stored"])
    const numbers = ids()
    const pairs = aggregateRel(
      copy,
      [1, 2],
      [{ name: "fee", function: "sum", argument: column(copy, "fee") }],
      numbers,
    )
    const rel = totals(pairs, feesOf(pairs), ["person"], {}, numbers)
    expect([...joinTotals(rel).readTwice.values()]).toEqual(["kept"])
  })
})

describe("other windows stay", () => {
  it.each<[string, (rel: Rel) => Partial<WindowItem>]>([
    [
      "in an order",
      (rel) => ({ orderBy: [{ value: column(rel, "fee"), direction: "ascending", nulls: "last" }] }),
    ],
    [
      "of a frame",
      () => ({
        frame: { mode: "rows", start: { kind: "unbounded-preceding" }, end: { kind: "unbounded-following" } },
      }),
    ],
    ["over all rows", () => ({ partitionBy: [] })],
    ["by a number that is not exact", (rel) => ({ partitionBy: [column(rel, "length")] })],
    ["by what is computed", (rel) => ({ partitionBy: [callExpr("abs", [column(rel, "fee")])] })],
  ])("%s", async (_, more) => {
    const rel = totals(scan(), feesOf(scan()), ["person"], more(scan()))
    expect(joinTotals(rel).rel).toBe(rel)
    await same(rel)
  })
})
