// Extracts are exact: every group, every integer, whatever the values are and however rows lie.

import { constantKey, type Constant } from "@dosimeter/proof/catalog/constant"
import { rational } from "@dosimeter/core"
import { expect } from "vitest"
import type { Check } from "./check.ts"
import type { Cell, CellType, MadeTable } from "./member.ts"
import { counted, type Workbench } from "./workbench.ts"

const oddTexts = [
  "a",
  "A",
  "á",
  "a\u0301",
  "a ",
  " a",
  "\uFEFFa",
  "ａ",
  "it's",
  'q"q',
  "a,b",
  "a\nb",
  "😀",
  "\\N",
  "NULL",
]

/** A table of units with one value each. */
function values(type: CellType, cells: readonly Cell[]): MadeTable {
  return {
    name: "held",
    columns: [
      ["id", "integer"],
      ["v", type],
    ],
    rows: cells.map((cell, id) => [BigInt(id), cell]),
  }
}

const holding = (type: string): string => `  held:\n    unit: id\n    columns:\n      v: ${type}\n`
const grouped = "SELECT v, COUNT(*) FROM held GROUP BY v"

async function groupsOf(bench: Workbench, table: MadeTable, type: string): Promise<readonly string[]> {
  const dataset = await bench.dataset(await bench.make([table]), { tables: holding(type) })
  return bench.rows(dataset, grouped)
}

/** 300 units with five wards each, in an order of their own. */
export function manyWards(order: (rows: (readonly Cell[])[]) => (readonly Cell[])[]): MadeTable {
  const rows = Array.from({ length: 1500 }, (_, at): readonly Cell[] => {
    const unit = at % 300
    return [BigInt(unit), "ABCDEFG"[(unit + Math.floor(at / 300)) % 7] ?? "", BigInt(at % 11)]
  })
  return {
    name: "visits",
    columns: [
      ["unit", "integer"],
      ["ward", "text"],
      ["n", "integer"],
    ],
    rows: order(rows),
  }
}

/** Its policy. */
export const wardTables = `  visits:
    unit: unit
    columns:
      ward: { values: [A, B, C, D, E, F, G] }
      n: { type: integer, min: 0, max: 9 }
`
const one = { groupsPerUnit: 1n, rowsPerGroup: 1n }
const byWard = "SELECT ward, COUNT(*), SUM(n) FROM visits GROUP BY ward"
/** Different values are no totals, so that groups and rows beyond the bounds are dropped. */
const cutByWard = "SELECT ward, COUNT(*), SUM(n), COUNT(DISTINCT n) FROM visits GROUP BY ward"

/** What the question gives where nothing is cut. */
function wardSums({ rows }: MadeTable): readonly string[] {
  const sums = new Map<string, bigint>()
  const add = (key: string, more: bigint): unknown => sums.set(key, (sums.get(key) ?? 0n) + more)
  for (const [, ward, n] of rows) {
    add(`0 text ${String(ward)}`, 1n)
    add(`1 text ${String(ward)}`, typeof n === "bigint" && n < 9n ? n : 9n)
  }
  return [...sums].map(([key, sum]) => `${key} ${sum}`).toSorted()
}

/** The checks. */
export const extractChecks: readonly Check[] = [
  {
    name: "texts that look alike are groups of their own, and NULL is one too",
    run: async (bench) => {
      const texts = [
        ...oddTexts,
        ...(bench.holds("empty texts") ? [""] : []),
        ...(bench.holds("NUL in texts") ? ["a\0b", "a\0"] : []),
      ]
      const cells = [...texts, null, null, ...oddTexts, "a"]
      expect(await groupsOf(bench, values("text", cells), "text")).toEqual(counted(cells))
    },
  },
  {
    name: "integers are whole at the ends of 64 bits and where floats are not",
    run: async (bench) => {
      const ends = [
        0n,
        1n,
        -1n,
        2n ** 53n,
        2n ** 53n + 1n,
        2n ** 63n - 1n,
        2n ** 63n - 2n,
        -(2n ** 63n),
        -(2n ** 63n) + 1n,
      ]
      const found = await groupsOf(bench, values("integer", [...ends, null]), "integer")
      const keys: readonly Constant[] = [
        ...ends.map((end) => ({ kind: "number" as const, value: rational(end) })),
        { kind: "null" },
      ]
      expect(found).toEqual(keys.map((key) => `0 ${constantKey(key)} 1`).toSorted())
    },
  },
  {
    name: "dates, timestamps and booleans are keys as they are",
    run: async (bench) => {
      const dates = values("date", [
        "0001-01-01",
        "1969-12-31",
        "2024-02-29",
        "9999-12-31",
        "2024-02-29",
        null,
      ])
      expect(await groupsOf(bench, dates, "date")).toEqual(
        ["0 date -719162 1", "0 date -1 1", "0 date 19782 2", "0 date 2932896 1", "0 null 1"].toSorted(),
      )
      const times = values("timestamp", [
        "1969-12-31 23:59:59.999999",
        "2024-02-29 12:00:00.000001",
        "2024-02-29 12:00:00.000002",
      ])
      expect(await groupsOf(bench, times, "timestamp")).toEqual(
        ["0 timestamp -1 1", "0 timestamp 1709208000000001 1", "0 timestamp 1709208000000002 1"].toSorted(),
      )
      const truths = values("boolean", [true, false, true, null])
      expect(await groupsOf(bench, truths, "boolean")).toEqual(
        ["0 boolean true 2", "0 boolean false 1", "0 null 1"].toSorted(),
      )
    },
  },
  {
    name: "sums are those of clamped integers, beyond 64 bits too",
    run: async (bench) => {
      const top = 2n ** 62n
      const table = values("integer", [top, top, top, -5n, null])
      const made = await bench.make([table])
      const tables = holding(`{ type: integer, min: -3, max: ${top - 1n} }`)
      const dataset = await bench.dataset(made, { tables })
      expect(await bench.rows(dataset, "SELECT SUM(v) FROM held")).toEqual([`0 ${3n * (top - 1n) - 3n}`])
    },
  },
  {
    name: "floats are added up on the grid that the policy gives them",
    run: async (bench) => {
      const made = await bench.make([values("float", [0.25, 0.5, 100.75, -3, 1e300, null])])
      const dataset = await bench.dataset(made, {
        tables: holding("{ type: float, min: 0, max: 200, grid: 0.25 }"),
      })
      const [sum = ""] = await bench.rows(dataset, "SELECT SUM(v) FROM held")
      // A quarter, a half, 100.75, 0 and 200, in quarters or finer.
      const steps = BigInt(sum.split(" ")[1] ?? "0")
      expect(steps % 1206n).toBe(0n)
      expect(steps).toBeGreaterThan(0n)
    },
  },
  {
    name: "a table without rows gives one row without keys, and none with them",
    run: async (bench) => {
      if (!bench.holds("empty tables")) return
      const dataset = await bench.dataset(await bench.make([values("integer", [])]), {
        tables: holding("{ type: integer, min: 1, max: 9 }"),
      })
      expect(await bench.rows(dataset, "SELECT COUNT(*), SUM(v) FROM held")).toEqual(["0 0", "1 0"])
      expect(await bench.rows(dataset, grouped)).toEqual([])
    },
  },
  {
    name: "thousands of groups come back, each once and with all of its rows",
    run: async (bench) => {
      const cells = Array.from({ length: 9000 }, (_, at) => `t${at % 4500}`)
      expect(await groupsOf(bench, values("text", cells), "text")).toEqual(counted(cells))
    },
  },
  {
    name: "the order of rows does not matter, where units are cut neither",
    run: async (bench) => {
      const orders = [manyWards((rows) => rows), manyWards((rows) => rows.toReversed())]
      const found: (readonly string[])[] = []
      for (const table of orders) {
        const dataset = await bench.dataset(await bench.make([table]), { tables: wardTables })
        found.push(
          await bench.rows(dataset, byWard),
          await bench.rows(dataset, cutByWard, { bounds: one, secret: "s" }),
        )
      }
      expect(found[0]).toEqual(wardSums(manyWards((rows) => rows)))
      expect(found[2]).toEqual(found[0])
      expect(found[3]).toEqual(found[1])
    },
  },
  {
    name: "which groups of a unit count is the secret's choice, and nobody else's",
    run: async (bench) => {
      const dataset = await bench.dataset(await bench.make([manyWards((rows) => rows)]), {
        tables: wardTables,
      })
      const ask = (secret: string): Promise<readonly string[]> =>
        bench.rows(dataset, cutByWard, { bounds: one, secret })
      const first = await ask("one")
      expect(await ask("one")).toEqual(first)
      expect(await ask("two")).not.toEqual(first)
      // Each of 300 units counts once.
      const counts = first
        .filter((row) => row.startsWith("0 "))
        .map((row) => BigInt(row.split(" ")[3] ?? "0"))
      expect(counts.reduce((sum, count) => sum + count, 0n)).toBe(300n)
    },
  },
]
