import { DuckDBInstance } from "@duckdb/node-api"
import { expect, test } from "vitest"
import { designCopies } from "./design-copies.ts"
import { printCopy } from "@dosimeter/proof/print/print-copy"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { policyOf } from "../testing/clinic/hand-made.ts"

const tables = `  visits:
    unit: person_id
    columns:
      a: { type: integer, min: 0, max: 9 }
      b: { type: integer, min: 0, max: 9 }
      "a,b": { type: integer, min: 0, max: 9 }`

test("groups are counted by their own columns, whatever these are called", () => {
  const { catalog } = readPolicy(policyOf(tables, { groups: 1, rows: 1 }))
  const keys = { visits: [[{ column: "a" }, { column: "b" }]] }
  const byTwo = designCopies(catalog, { schema: [], keys }).find(({ label }) => / by /.test(label))
  if (byTwo === undefined) throw new Error("there is a copy for each key")
  const places = byTwo.table.prepared?.places ?? []
  expect(places.map(({ by }) => by)).toEqual(Array(4).fill(["a", "b"]))
  expect(printCopy(byTwo, { dialect: "duckdb", secret: "'secret'" })).toContain("max(")
  // The number of groups by one column whose name looks like two: there are no places to count it from.
  const other = places.map((place) => (place.counts === "all-groups" ? { ...place, by: ["a,b"] } : place))
  const mixed = { ...byTwo, table: { ...byTwo.table, prepared: { of: [], sources: [], places: other } } }
  expect(() => printCopy(mixed, { dialect: "duckdb", secret: "'secret'" })).toThrow(
    "groups that are counted have places",
  )
})

const months = `  visits:
    unit: person_id
    columns:
      day: { type: date, min: 2020-01-01, max: 2020-12-31 }
      day_month: { type: date, min: 2020-01-01, max: 2020-12-01, access: deny }
      fee: { type: integer, min: 0, max: 9 }
      Fee_Total: { type: integer, min: 0, max: 9 }
      _rows: { type: integer, min: 0, max: 9 }`

test("what a copy computes has no name of the table's columns, not even of those that nobody may see", () => {
  const { catalog } = readPolicy(policyOf(months, { groups: 1, rows: 1 }))
  const keys = { visits: [[{ column: "day", cut: "month" as const }]] }
  const copies = designCopies(catalog, { schema: [], keys })
  const own = ["day", "day_month", "fee", "fee_total", "_rows"]
  for (const { derived, totals = [], table } of copies) {
    const places = table.prepared?.places.map(({ column }) => ({ name: column })) ?? []
    const added = [...derived, ...totals, ...places].map(({ name }) => name.toLowerCase())
    expect(added.filter((name) => own.includes(name))).toEqual([])
  }
  const pairs = copies.find(({ label }) => label === "totals of visits by month(day)")
  if (pairs === undefined) throw new Error("there is a copy of pairs by month")
  expect(pairs.table.prepared?.pairs?.by).toEqual(["_day_month"])
  const text = printCopy(pairs, { dialect: "duckdb", secret: "" })
  expect(text).toContain("date_trunc('month'")
  expect(text).not.toContain('t."day_month"')
})

const counted = `  visits:
    unit: person_id
    columns:
      ward: { type: text, values: [a, b] }
      weight: { type: float, min: 0, max: 9 }
      day: { type: date, min: 2020-01-01, max: 2020-12-31 }`

// Forty people, some without rows in a ward; equal rows, NULLs, and values outside of the list and the range.
const rows = `CREATE TABLE visits AS SELECT i % 40 AS person_id,
    CASE i % 7 WHEN 0 THEN NULL WHEN 1 THEN 'c' WHEN 2 THEN 'b' ELSE 'a' END AS ward,
    CAST((i % 11) - 1 AS DOUBLE) AS weight, DATE '2019-12-20' + CAST(i * i % 400 AS INTEGER) AS day
  FROM range(2000) AS r (i)`

test.each([
  { key: { column: "ward" }, by: "ward" },
  { key: { column: "day", cut: "month" }, by: "day_month" },
  { key: { column: "weight" }, by: "weight" },
] as const)("places count from 1 on: groups in a unit, rows in a group of $by", async ({ key, by }) => {
  const { catalog } = readPolicy(policyOf(counted, { groups: 1, rows: 1 }))
  const copies = designCopies(catalog, { schema: [], keys: { visits: [[key]] } })
  const copy = copies.find(({ label, totals }) => / by /.test(label) && totals === undefined)
  if (copy === undefined) throw new Error("there is a copy for the key")
  const text = printCopy(copy, { dialect: "duckdb", secret: "'secret'" })
  const instance = await DuckDBInstance.create(":memory:")
  const connection = await instance.connect()
  await connection.run(rows)
  await connection.run(`CREATE TABLE copied AS ${text}`)
  // Counted without windows: each number from 1 to the number of rows once, and as many groups as the unit
  // has.
  const wrong = await connection.runAndReadAll(`
    SELECT person_id FROM copied GROUP BY person_id, "${by}"
      HAVING list_sort(list("_i")) <> range(1, count(*) + 1) OR min("_g") <> max("_g")
    UNION ALL SELECT person_id FROM copied GROUP BY person_id
      HAVING list_sort(list_distinct(list("_g"))) <> range(1, max("_n") + 1) OR min("_n") <> max("_n")
        OR max("_n") <> count(DISTINCT "${by}") + max(CASE WHEN "${by}" IS NULL THEN 1 ELSE 0 END)`)
  const kept = await connection.runAndReadAll("SELECT count(*), max(_i) > 1, max(_g) > 1 FROM copied")
  connection.closeSync()
  instance.closeSync()
  expect([wrong.getRows(), kept.getRows()]).toEqual([[], [[2000n, true, true]]])
})
