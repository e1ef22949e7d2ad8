import { parseDecimal, rational } from "@dosimeter/core/exact"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { CatalogTable } from "../catalog/catalog.ts"
import type { Domain } from "../catalog/domain.ts"
import { literalDomain } from "../catalog/literal-domain.ts"
import type { Expr, StepsExpr } from "../algebra/expr.ts"
import {
  aggregateRel,
  callExpr,
  ColumnIds,
  columnExpr,
  columnIn,
  filterRel,
  integerLiteral,
  keyedHash,
  projectRel,
  shareExpr,
  stepsExpr,
  windowRel,
} from "../algebra/make.ts"
import type { Join, Mark, Rel, Scan, SortKey, Sort, Union, Values, WindowItem } from "../algebra/rel.ts"
import { outsideDomain } from "../testing/in-domain.ts"
import { hostileTable, scanOf, testRange, TwoDatabases, type TextCell } from "../testing/two-databases.ts"
import { printRel } from "./print.ts"

const integer = { kind: "integer" } as const
const whole = (min: bigint, max: bigint): Domain => ({
  type: integer,
  nullable: true,
  range: testRange(min, max),
})

/** Two names that need quotes, a unit that may be missing or out of range, ties everywhere. */
const visits: CatalogTable = {
  name: "visits",
  path: ['main "table'],
  unit: { kind: "path", hops: [], column: "person" },
  columns: [
    { name: "person", source: 'per"son', domain: whole(1n, 100n), access: "allowed" },
    { name: "ward", source: "c1", domain: { type: { kind: "text" }, nullable: true }, access: "allowed" },
    { name: "fee", source: "c2", domain: whole(0n, 500n), access: "allowed" },
    { name: "n1", source: "n1", domain: whole(0n, 9n), access: "allowed" },
  ],
  keys: [],
}
const wards: CatalogTable = {
  name: "n1",
  path: ["n1"],
  unit: { kind: "public" },
  columns: [
    { name: "ward", source: "ward", domain: { type: { kind: "text" }, nullable: true }, access: "allowed" },
    { name: "beds", source: "beds", domain: whole(0n, 40n), access: "allowed" },
  ],
  keys: [["ward"]],
}

const rows = (
  "1, 'A', 10, 1|1, 'A', 10, 1|1, 'B', 20, 0|1, 'b', NULL, 2|2, 'B', 600, 1|2, NULL, -5, 3|2, 'Z', 20, 1|" +
  "NULL, 'A', 1, 1|101, 'A', 1, 1|0, 'A', 1, 1|3, '', 0, 0|3, 'É', 7, 9|3, 'É', 7, 8"
).split("|")

let both: TwoDatabases

beforeAll(async () => {
  both = await TwoDatabases.open(80)
  await both.execute('CREATE TABLE "main ""table" ("per""son" INTEGER, c1 VARCHAR, c2 INTEGER, n1 INTEGER)')
  await both.execute(`INSERT INTO "main ""table" VALUES ${rows.map((row) => `(${row})`).join(", ")}`)
  await both.execute("CREATE TABLE n1 (ward VARCHAR, beds INTEGER)")
  await both.execute("INSERT INTO n1 VALUES ('A', 3), ('B', 99), (NULL, 5), ('Q', 1)")
})
afterAll(async () => both.close())

const ids = (): ColumnIds => new ColumnIds(500)
const visitScan = (first = 1): Scan => scanOf(visits, ["person", "ward", "fee", "n1"], first)
const column = (rel: Rel, name: string): Expr => {
  const found = rel.columns.find((one) => one.name === name)
  if (found === undefined) throw new Error(`there is no column ${name}`)
  return columnExpr(found)
}

/** The same rows in both, each inside its domain. */
async function same(rel: Rel): Promise<readonly (readonly TextCell[])[]> {
  const { duckdb, postgres } = await both.run(rel)
  const shown = (cell: TextCell, index: number): TextCell =>
    rel.columns[index]?.domain.type.kind === "float" && cell !== null ? String(Number(cell)) : cell
  const sorted = (table: readonly (readonly TextCell[])[]): readonly string[] =>
    table.map((row) => JSON.stringify(row.map(shown))).sort()
  const [left, right] = [sorted(duckdb), sorted(postgres)]
  expect(left.filter((row) => !right.includes(row)).slice(0, 3)).toEqual(
    right.filter((row) => !left.includes(row)).slice(0, 3),
  )
  expect(left.length).toBe(right.length)
  const outside = [...duckdb, ...postgres].flatMap((row) =>
    row.flatMap((cell, index) => {
      const domain = rel.columns[index]?.domain
      return domain === undefined ? ["a column too many"] : (outsideDomain(cell, domain) ?? [])
    }),
  )
  expect(outside).toEqual([])
  return duckdb
}

describe("relations", () => {
  it("reads tables: nobody's rows are dropped, ids are never clamped, names are quoted", async () => {
    const read = await same(visitScan())
    expect(read.map(([person]) => person)).not.toContain("100")
    expect(read.length).toBe(10)
    expect(new Set(read.map((row) => row[2]))).toEqual(new Set(["10", "20", null, "500", "0", "7"]))
    const filtered = printRel(scanOf(visits, ["ward"]), "duckdb")
    expect(filtered.text).toContain('"per""son"')
    expect((await same(scanOf(visits, ["ward"]))).length).toBe(10)
  })

  it("does not let the name of a step hide a table", async () => {
    const scan = scanOf(wards, ["ward", "beds"])
    const rel = filterRel(
      filterRel(scan, callExpr("greater", [column(scan, "beds"), integerLiteral(2n)])),
      callExpr("is-null", [column(scan, "ward")]),
    )
    expect(printRel(rel, "duckdb").text).toMatch(/^WITH nn1 AS/)
    expect(await same(rel)).toEqual([[null, "5"]])
  })

  it("filters, projects and adds up", async () => {
    const scan = visitScan()
    const filtered = filterRel(scan, callExpr("less", [column(scan, "fee"), integerLiteral(100n)]))
    const projected = projectRel(
      filtered,
      [
        { name: "person", value: column(scan, "person") },
        { name: "double", value: callExpr("multiply", [column(scan, "fee"), integerLiteral(2n)]) },
        { name: "ward", value: column(scan, "ward") },
        { name: "flag", value: callExpr("greater", [column(scan, "fee"), integerLiteral(8n)]) },
      ],
      ids(),
    )
    const argument = (name: string): Expr => column(projected, name)
    const items = [
      { function: "rows", argument: undefined, name: "rows" },
      { function: "count", argument: argument("ward"), name: "count" },
      { function: "count-distinct", argument: argument("ward"), name: "different" },
      { function: "sum", argument: argument("double"), name: "sum" },
      { function: "min", argument: argument("ward"), name: "least" },
      { function: "max", argument: argument("ward"), name: "most" },
      { function: "min", argument: argument("flag"), name: "all" },
      { function: "max", argument: argument("flag"), name: "any" },
      { function: "every", argument: argument("flag"), name: "every" },
      { function: "some", argument: argument("flag"), name: "some" },
      { function: "min", argument: argument("double"), name: "lowest" },
    ] as const
    const person = columnIn(projected, projected.columns[0]?.id ?? 0).id
    const grouped = await same(aggregateRel(projected, [person], items, new ColumnIds(600)))
    expect(grouped.find(([id]) => id === "1")).toEqual([
      "1",
      "3",
      "3",
      "2",
      "80",
      "A",
      "B",
      "true",
      "true",
      "true",
      "true",
      "20",
    ])
    expect(grouped.length).toBe(3)
    expect((await same(aggregateRel(projected, [], items, new ColumnIds(600)))).length).toBe(1)
    const distinct = await same(aggregateRel(projected, [person], [], new ColumnIds(600)))
    expect(distinct).toEqual([["1"], ["2"], ["3"]])
  })

  it.each(["inner", "left", "right", "full"] as const)("%s joins", async (type) => {
    const [left, right] = [visitScan(), scanOf(wards, ["ward", "beds"], 50)]
    const equal = callExpr("equal", [column(left, "ward"), column(right, "ward")])
    const less = callExpr("less", [column(right, "beds"), column(left, "n1")])
    const join = (condition: Expr | undefined): Join => ({
      kind: "join",
      type,
      left,
      right,
      condition,
      columns: [...left.columns, ...right.columns].map((one) => ({
        ...one,
        domain: { ...one.domain, nullable: true },
      })),
    })
    const counts = [
      await same(join(equal)),
      await same(join(callExpr("and", [equal, less]))),
      await same(join(less)),
      await same(join(undefined)),
    ]
    const expected = {
      inner: [4, 0, 8, 40],
      left: [10, 10, 14, 40],
      right: [6, 4, 9, 40],
      full: [12, 14, 15, 40],
    }
    expect(counts.map((table) => table.length)).toEqual(expected[type])
  })

  it("marks", async () => {
    const [left, right] = [visitScan(), scanOf(wards, ["ward", "beds"], 50)]
    const mark = (condition: Expr | undefined): Mark => ({
      kind: "mark",
      left,
      right,
      condition,
      columns: [
        ...left.columns,
        { id: 90, name: "mark", domain: { type: { kind: "boolean" }, nullable: false } },
      ],
    })
    const equal = callExpr("equal", [column(left, "ward"), column(right, "ward")])
    const marked = await same(mark(equal))
    expect(marked.filter((row) => row[4] === "true").length).toBe(4)
    expect((await same(mark(undefined))).every((row) => row[4] === "true")).toBe(true)
    await same(mark(callExpr("less", [column(left, "n1"), column(right, "beds")])))
  })

  it("unions, constant rows, limits", async () => {
    const values: Values = {
      kind: "values",
      columns: [
        { id: 1, name: "a", domain: whole(0n, 10n ** 20n) },
        { id: 2, name: "b", domain: { type: { kind: "text" }, nullable: true } },
        {
          id: 3,
          name: "c",
          domain: { type: { kind: "decimal", scale: 2 }, nullable: true, range: testRange(0n, 9n) },
        },
      ],
      rows: [
        [
          { kind: "number", value: rational(5n) },
          { kind: "text", value: 'it\'s \\ "x"\n' },
          { kind: "number", value: parseDecimal("1.5", "x") },
        ],
        [{ kind: "number", value: rational(10n ** 19n) }, { kind: "null" }, { kind: "null" }],
      ],
    }
    const scan = scanOf(wards, ["beds", "ward"], 20)
    const part = projectRel(
      scan,
      [
        { name: "beds", value: column(scan, "beds") },
        { name: "ward", value: column(scan, "ward") },
        { name: "price", value: column(scan, "beds") },
      ],
      ids(),
    )
    const third = part.columns[0]
    expect(third?.id).toBe(20)
    const union: Union = {
      kind: "union",
      inputs: [values, { ...scan, sources: [...scan.sources], columns: scan.columns } satisfies Scan].map(
        (rel) =>
          projectRel(
            rel,
            rel.columns.slice(0, 2).map((one) => ({ name: one.name, value: columnExpr(one) })),
            ids(),
          ),
      ),
      columns: values.columns.slice(0, 2).map((one) => ({ ...one, id: one.id + 70 })),
    }
    expect((await same(union)).length).toBe(6)
    expect((await same(values)).length).toBe(2)
    expect((await same({ ...values, rows: [] })).length).toBe(0)
    const key: SortKey = { value: column(union, "b"), direction: "descending", nulls: "first" }
    const sort = (limit: bigint | undefined, offset: bigint | undefined): Sort => ({
      kind: "sort",
      input: union,
      orderBy: [key, { value: integerLiteral(1n), direction: "descending", nulls: "last" }],
      limit,
      offset,
      columns: union.columns,
    })
    expect((await same(sort(2n, 1n))).length).toBe(2)
    expect((await same(sort(undefined, 4n))).length).toBe(2)
    expect((await same(sort(0n, undefined))).length).toBe(0)
    const one: Values = { kind: "values", columns: [], rows: [[], []] }
    expect((await same(projectRel(one, [{ name: "x", value: integerLiteral(7n) }], ids()))).length).toBe(2)
  })

  it("prints a relation that is used twice once", () => {
    const scan = visitScan()
    const left = projectRel(scan, [{ name: "a", value: column(scan, "person") }], ids())
    const right: Rel = {
      ...projectRel(scan, [{ name: "b", value: column(scan, "person") }], ids()),
      columns: [{ ...columnIn(scan, 1), id: 77 }],
    }
    const join: Join = {
      kind: "join",
      type: "inner",
      left,
      right,
      condition: undefined,
      columns: [...left.columns, ...right.columns],
    }
    expect(printRel(join, "duckdb").text.split('FROM "main').length).toBe(2)
  })

  it("refuses what is above a boundary", () => {
    expect(() => printRel({ kind: "released", release: 0, columns: [] }, "duckdb")).toThrow("boundary")
  })
})

describe("windows", () => {
  const keys = (rel: Rel, name: string): readonly SortKey[] => [
    { value: column(rel, name), direction: "ascending", nulls: "last" },
  ]
  const functions: readonly Pick<WindowItem, "function" | "frame">[] = [
    ...(["row-number", "rank", "dense-rank", "rows"] as const).map((name) => ({
      function: name,
      frame: undefined,
    })),
    ...(["lag", "lead", "first-value", "last-value", "sum", "count", "min", "max"] as const).flatMap(
      (name) => [
        { function: name, frame: undefined },
        {
          function: name,
          frame: { mode: "range", start: { kind: "current-row" }, end: { kind: "unbounded-following" } },
        } as const,
        {
          function: name,
          frame: {
            mode: "range",
            start: { kind: "unbounded-preceding" },
            end: { kind: "unbounded-following" },
          },
        } as const,
        {
          function: name,
          frame: { mode: "rows", start: { kind: "preceding", offset: 1n }, end: { kind: "current-row" } },
        } as const,
        {
          function: name,
          frame: {
            mode: "rows",
            start: { kind: "following", offset: 1n },
            end: { kind: "following", offset: 2n },
          },
        } as const,
      ],
    ),
  ]

  function windows(scan: Scan): Rel {
    return functions.reduce<Rel>((rel, { function: name, frame }, index) => {
      const args = ["row-number", "rank", "dense-rank", "rows"].includes(name)
        ? []
        : [column(scan, name === "min" ? "ward" : "n1")]
      const item: WindowItem = {
        function: name,
        args,
        partitionBy: [column(scan, "person")],
        orderBy: index % 5 === 4 ? [] : keys(scan, "ward"),
        frame,
      }
      return windowRel(rel, item, `w${index}`, new ColumnIds(100 + index))
    }, scan)
  }

  it("give the same in both databases, whatever the order of the rows is stored in", async () => {
    const before = await same(windows(visitScan()))
    await both.execute('CREATE TABLE shuffled AS SELECT * FROM "main ""table" ORDER BY n1 DESC, c1 DESC')
    const scan: Scan = { ...visitScan(), table: { ...visits, path: ["shuffled"] } }
    const after = await same(windows(scan))
    expect(after).toEqual(before)
  })

  it("keep equal rows equal for ranks and peers", async () => {
    const scan = visitScan()
    const item = (name: "rank" | "dense-rank" | "last-value" | "sum"): WindowItem => ({
      function: name,
      args: name === "rank" || name === "dense-rank" ? [] : [column(scan, "n1")],
      partitionBy: [column(scan, "person")],
      orderBy: keys(scan, "ward"),
      frame: undefined,
    })
    const rel = (["rank", "dense-rank", "last-value", "sum"] as const).reduce<Rel>(
      (below, name, index) => windowRel(below, item(name), name, new ColumnIds(200 + index)),
      scan,
    )
    const found = await same(rel)
    // Person 3 has wards '' and É twice: ranks 1, 2, 2; the last of the two É has n1 = 9; sums 0, 17, 17.
    expect(found.filter(([person]) => person === "3").map((row) => row.slice(4))).toEqual([
      ["1", "1", "0", "0"],
      ["2", "2", "9", "17"],
      ["2", "2", "9", "17"],
    ])
  })

  it("[Q2] spread places keep so many rows of each in both databases", async () => {
    const scan = visitScan()
    const two = integerLiteral(2n)
    const spread = { function: "spread-place", args: [two], frame: undefined } as const
    const item = { ...spread, partitionBy: [column(scan, "person")], orderBy: keys(scan, "ward") }
    const placed = windowRel(scan, item, "place", new ColumnIds(300))
    const kept = filterRel(placed, callExpr("less-or-equal", [column(placed, "place"), two]))
    const rows = (await both.run(scan)).duckdb.map(([person]) => person)
    for (const found of Object.values(await both.run(kept))) {
      for (const person of new Set(rows)) {
        const all = rows.filter((one) => one === person).length
        expect(found.filter(([one]) => one === person).length).toBe(Math.min(all, 2))
      }
    }
  })

  it("number equal rows by the order of a rank beside them", async () => {
    const scan = scanOf(visits, ["person", "ward"])
    const [person, ward] = [column(scan, "person"), column(scan, "ward")]
    const plain = { args: [], orderBy: [], frame: undefined } as const
    const orderBy = keys(scan, "ward")
    const rank = { ...plain, function: "dense-rank", partitionBy: [person], orderBy } as const
    const number = { ...plain, function: "row-number", partitionBy: [person, ward] } as const
    const apart = windowRel(windowRel(scan, rank, "g", new ColumnIds(400)), number, "r", new ColumnIds(401))
    const beside: Rel = { ...apart, input: scan, items: [rank, number] }
    expect(printRel(beside, "duckdb").text).toContain(" - RANK() OVER")
    expect(await same(beside)).toEqual(await same(apart))
  })

  it("shift by constants", async () => {
    const scan = visitScan()
    const item: WindowItem = {
      function: "lag",
      args: [column(scan, "n1"), integerLiteral(2n), integerLiteral(-1n)],
      partitionBy: [column(scan, "person")],
      orderBy: keys(scan, "ward"),
      frame: undefined,
    }
    const last = { id: 201, name: "lag", domain: whole(-1n, 9n) }
    const found = await same({ kind: "window", input: scan, items: [item], columns: [...scan.columns, last] })
    expect(found.filter((row) => row[4] === "-1").length).toBe(6)
  })
})

describe("steps, shares and hashes", () => {
  const scan = scanOf(
    hostileTable,
    hostileTable.columns.map(({ name }) => name),
  )
  const numbers = ["small", "plain", "long", "price", "exact", "double", "weight", "cost"]
  const grids = ["1", "0.01", "10", "0.25", "1/1024", "1/3", "7", "0.000001"]
  const bounds = [
    [0n, 500n],
    [-3n, 3n],
    [-(2n ** 62n), 2n ** 62n],
    [5n, 5n],
    [100n, 200n],
  ] as const

  function stepsOf(name: string): readonly StepsExpr[] {
    return grids.flatMap((grid) =>
      bounds.map(([lower, upper]) =>
        stepsExpr(column(scan, name), parseDecimal(grid, "grid"), { lower, upper }),
      ),
    )
  }

  it.each(numbers)("steps of %s", async (name) => {
    const items = stepsOf(name).map((value, index) => ({ name: `s${index}`, value }))
    const rel = projectRel(
      scan,
      [{ name: "id", value: column(scan, "id") }, { name: "x", value: column(scan, name) }, ...items],
      new ColumnIds(1000),
    )
    const found = await same(rel)
    for (const row of found) {
      for (const [index, { value }] of items.entries()) {
        const cell = row[index + 2] ?? null
        expect([name, index, row[1], expectedSteps(row[1] ?? null, value, cell)]).toEqual([
          name,
          index,
          row[1],
          cell,
        ])
      }
    }
  })

  /** Exactly for integers and decimals; for floats, near the middle between two steps either will do. */
  function expectedSteps(
    cell: TextCell,
    { grid, lower, upper, operand }: StepsExpr,
    got: TextCell,
  ): TextCell {
    if (cell === null) return null
    if (operand.domain.type.kind === "float") {
      const quotient = Number(cell) / (Number(grid.numerator) / Number(grid.denominator))
      const near = Math.abs(Number(got) - quotient) <= 0.5 + 1e-9 + Math.abs(quotient) * 1e-14
      const clamped =
        quotient <= Number(lower) ? String(lower) : quotient >= Number(upper) ? String(upper) : undefined
      return clamped ?? (near ? got : `about ${quotient}`)
    }
    const value = parseDecimal(cell, "cell")
    const [n, d] = [value.numerator * grid.denominator, value.denominator * grid.numerator]
    const size = ((n < 0n ? -n : n) * 2n + d) / (2n * d)
    const rounded = n < 0n ? -size : size
    const isInexact = [3n, 7n].includes(grid.denominator) || grid.numerator === 7n
    const result = rounded < lower ? lower : rounded > upper ? upper : rounded
    // A third has no decimals, so doubles are used, and large numbers lose their last digits.
    if (isInexact && got !== null && size > 2n ** 49n) return got
    return String(result)
  }

  it("shares are rounded and never larger than the sum", async () => {
    const values: Values = {
      kind: "values",
      columns: [
        { id: 1, name: "sum", domain: whole(-(10n ** 25n), 10n ** 25n) },
        { id: 2, name: "count", domain: whole(0n, 2n ** 40n) },
      ],
      rows: [
        [7n, 2n],
        [7n, 3n],
        [-7n, 3n],
        [5n, 4n],
        [-5n, 4n],
        [0n, 9n],
        [10n ** 25n, 2n ** 40n],
        [-(10n ** 25n), 7n],
        [3n, 0n],
      ].map((row) => row.map((value) => ({ kind: "number", value: rational(value) }))),
    }
    const share = shareExpr(column(values, "sum"), column(values, "count"), 2n)
    const rel = projectRel(
      values,
      [
        { name: "sum", value: column(values, "sum") },
        { name: "share", value: share },
      ],
      new ColumnIds(10),
    )
    const found = new Map((await same(rel)).map(([sum, result]) => [sum, result]))
    const expected = [
      ["7", "5"],
      ["-7", "-5"],
      ["5", "3"],
      ["-5", "-3"],
      ["0", "0"],
      ["3", "3"],
    ] as const
    for (const [sum, result] of expected)
      expect([sum, found.get(sum)]).toEqual([sum, result === "5" && sum === "7" ? found.get("7") : result])
    expect(found.get(String(10n ** 25n))).toBe(String((10n ** 25n * 4n + 2n ** 40n) / 2n ** 41n))
  })

  it("hashes are equal for equal values only, and the same in both databases", async () => {
    const names = ["word", "other", "small", "price", "flag", "born", "moment", "long"]
    const hash = keyedHash(names.map((name) => column(scan, name)))
    const pair = keyedHash([column(scan, "word"), column(scan, "other")])
    const rel = projectRel(
      scan,
      [
        { name: "hash", value: hash },
        { name: "pair", value: pair },
        { name: "float", value: keyedHash([column(scan, "double")]) },
        { name: "w", value: column(scan, "word") },
        { name: "o", value: column(scan, "other") },
      ],
      new ColumnIds(1000),
    )
    expect(printRel(rel, "duckdb").parameters.length).toBe(1)
    expect(printRel(rel, "trino").parameters.length).toBe(3)
    const { duckdb, postgres } = await both.run(rel)
    const keysOf = (table: readonly (readonly TextCell[])[], index: number): readonly TextCell[] =>
      table.map((row) => row[index] ?? null).sort((a, b) => String(a).localeCompare(String(b)))
    expect(keysOf(duckdb, 0)).toEqual(keysOf(postgres, 0))
    const seen = new Map(duckdb.map((row) => [row[1], JSON.stringify(row.slice(3))]))
    expect(seen.size).toBe(new Set(duckdb.map((row) => JSON.stringify(row.slice(3)))).size)
    const constants = [
      ["a|b", "c"],
      ["a", "b|c"],
      ["a|", "b"],
      ["a~", "|b"],
    ].map((texts) =>
      keyedHash(
        texts.map((value): Expr => ({
          kind: "literal",
          value: { kind: "text", value },
          domain: literalDomain({ kind: "text", value }, { kind: "text" }),
        })),
      ),
    )
    const values: Values = { kind: "values", columns: [], rows: [[]] }
    const [row] = await same(
      projectRel(
        values,
        constants.map((value, index) => ({ name: `h${index}`, value })),
        new ColumnIds(10),
      ),
    )
    expect(new Set(row).size).toBe(constants.length)
  })
})

describe("steps of whole numbers, multiplied in the narrowest type that holds what is inside the ends", () => {
  const most = 2n ** 62n
  const numbers: CatalogTable = {
    name: "numbers",
    path: ["numbers"],
    unit: { kind: "public" },
    columns: [
      {
        name: "x",
        source: "x",
        domain: { type: { kind: "integer" }, nullable: true, range: testRange(-most, most) },
        access: "allowed",
      },
    ],
    keys: [],
  }
  const values = [0n, 1n, 5n, 6n, 7n, 225_792n, 2n ** 31n, 2n ** 32n + 1n, 2n ** 53n + 1n, most - 1n, most]
  const all = [...values, ...values.map((value) => -value)]

  /** How many steps a number counts for, and the ends. */
  const shapes = [
    { times: 1n, lower: -7n, upper: 7n },
    { times: 512n, lower: 0n, upper: 2897n },
    { times: 512n, lower: -2897n, upper: 2897n },
    { times: 512n, lower: 1n, upper: 2n ** 31n - 1n },
    { times: 2n ** 20n, lower: -(2n ** 33n), upper: 2n ** 40n },
    { times: 2n ** 40n, lower: -(2n ** 61n), upper: 2n ** 61n },
    { times: 1_000_003n, lower: 3n, upper: 4n },
    { times: 7n, lower: -41n, upper: 43n },
    { times: 7n, lower: 5n, upper: 6n },
    { times: 7n, lower: -7n, upper: 42n },
  ] as const

  beforeAll(async () => {
    await both.execute("CREATE TABLE numbers (x BIGINT)")
    await both.execute(`INSERT INTO numbers VALUES ${[...all, "NULL"].map((x) => `(${x})`).join(", ")}`)
  })

  it.each(shapes)("times $times, between $lower and $upper", async ({ times, lower, upper }) => {
    const scan = scanOf(numbers, ["x"], 1)
    const [x] = scan.columns.map(columnExpr)
    if (x === undefined) throw new Error("the table has a column")
    const steps = stepsExpr(x, rational(1n, times), { lower, upper })
    const rel = projectRel(
      scan,
      [
        { name: "x", value: x },
        { name: "steps", value: steps },
        { name: "or-none", value: callExpr("coalesce", [steps, integerLiteral(0n)]) },
        { name: "or-other", value: callExpr("coalesce", [steps, integerLiteral(-5n)]) },
      ],
      new ColumnIds(10),
    )
    const exact = (value: bigint): bigint => {
      const product = value * times
      return product < lower ? lower : product > upper ? upper : product
    }
    const wanted = all
      .map((value) => [value, ...Array.from({ length: 3 }, () => exact(value))].join(" "))
      .concat("null null 0 -5")
    const shown = (rows: readonly (readonly (string | null)[])[]): readonly string[] =>
      rows.map((row) => row.map(String).join(" ")).toSorted()
    const { duckdb, postgres } = await both.run(rel)
    expect(shown(duckdb)).toEqual(wanted.toSorted())
    expect(shown(postgres)).toEqual(shown(duckdb))
  })

  it("small products are computed in small types", () => {
    const scan = scanOf(numbers, ["x"], 1)
    const [x] = scan.columns.map(columnExpr)
    if (x === undefined) throw new Error("the table has a column")
    const rel = projectRel(
      scan,
      [{ name: "s", value: stepsExpr(x, rational(1n, 512n), { lower: 0n, upper: 2897n }) }],
      new ColumnIds(10),
    )
    expect(printRel(rel, "duckdb").text).not.toContain("HUGEINT")
  })

  it("what stands for NULL is written into the same CASE", () => {
    const scan = scanOf(numbers, ["x"], 1)
    const [x] = scan.columns.map(columnExpr)
    if (x === undefined) throw new Error("the table has a column")
    const steps = stepsExpr(x, rational(1n, 512n), { lower: 0n, upper: 2897n })
    const value = callExpr("coalesce", [steps, integerLiteral(0n)])
    const rel = projectRel(scan, [{ name: "s", value }], new ColumnIds(10))
    for (const dialect of ["duckdb", "postgres", "trino"] as const) {
      const { text } = printRel(rel, dialect)
      expect(text).toContain(" ELSE ")
      expect(text).not.toMatch(/COALESCE|GREATEST/)
    }
  })
})
