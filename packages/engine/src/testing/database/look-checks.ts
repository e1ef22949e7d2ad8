// What a database says of a source before anybody asks: names, types, claims, places, public rows.

import { columnNamed, type Catalog } from "@dosimeter/proof/catalog/catalog"
import { constantKey } from "@dosimeter/proof/catalog/constant"
import type { SqlType } from "@dosimeter/proof/catalog/sql-type"
import { writeName } from "@dosimeter/proof/spell/literal"
import { expect } from "vitest"
import type { Check } from "./check.ts"
import type { CellType, MadeTable } from "./member.ts"
import { canary, failure, refused, type Workbench } from "./workbench.ts"

const everyType: MadeTable = {
  name: "everything",
  columns: (["integer", "float", "text", "date", "timestamp", "boolean"] satisfies CellType[]).map((type) => [
    `a_${type}`,
    type,
  ]),
  rows: [
    [-9223372036854775808n, 0.1, `${canary} é`, "0001-01-01", "2024-02-29 23:59:59.999999", true],
    [9223372036854775807n, -1.5, "\uFEFFa", "9999-12-31", "1969-12-31 00:00:00.000001", false],
    [null, null, null, null, null, null],
  ],
}

/** A table with names of all kinds, as far as sources can have them. */
function hostileNames(bench: Workbench): MadeTable {
  const cased = (name: string): string => (bench.holds("upper case in names") ? name : name.toLowerCase())
  const quoted = cased(`visits "of" O'Hara; --`)
  return {
    ...hostile,
    name: bench.holds("quotes in names of tables") ? quoted : quoted.replaceAll(/["'-]/g, ""),
    columns: hostile.columns.map(([name, type]) => [cased(name), type]),
  }
}

const hostile: MadeTable = {
  name: "",
  columns: [
    ["id", "integer"],
    [`q"uote`, "text"],
    ["O'Hara; DROP TABLE x", "text"],
    ["select", "text"],
    ["ÄÖü 中", "text"],
    ["UPPER lower", "text"],
    ["a\uFEFFmark", "text"],
  ],
  rows: Array.from({ length: 40 }, (_, id) => [BigInt(id), `q${id % 2}`, "x", "s", "u", "l", "m"]),
}

const people = (ids: readonly (bigint | null)[], names: readonly (string | null)[]): MadeTable => ({
  name: "people",
  columns: [
    ["id", "integer"],
    ["name", "text"],
  ],
  rows: ids.map((id, at) => [id, names[at] ?? null]),
})

const claiming = (claims: string): string => `  people:\n    unit: id\n    ${claims}\n`

async function opens(bench: Workbench, table: MadeTable, claims: string): Promise<string> {
  const made = await bench.make([table])
  const work = bench.dataset(made, { tables: claiming(claims) })
  return work.then(
    () => "opened",
    () => refused(work),
  )
}

/** The checks. */
export const lookChecks: readonly Check[] = [
  {
    name: "names and types are discovered in their order, and no value comes with them",
    run: async (bench) => {
      const opened = await bench.open(await bench.make([everyType]))
      const facts = await opened.discover()
      expect(facts.tables.map(({ name }) => name)).toEqual(["everything"])
      expect(facts.tables[0]?.columns.map(({ name, type }) => [name, type?.kind])).toEqual(everyType.columns)
      const range = facts.tables[0]?.columns[0]?.range
      expect([range?.min.numerator, range?.max.numerator]).toEqual([-(2n ** 63n), 2n ** 63n - 1n])
      expect(
        JSON.stringify(facts, (_, one: unknown) => (typeof one === "bigint" ? `${one}` : one)),
      ).not.toContain(canary)
    },
  },
  {
    name: "names are names, whatever they are made of",
    run: async (bench) => {
      const table = hostileNames(bench)
      const made = await bench.make([table])
      const facts = await (await bench.open(made)).discover()
      expect(facts.tables.map(({ name }) => name)).toEqual([table.name])
      expect(facts.tables[0]?.columns.map(({ name }) => name)).toEqual(table.columns.map(([name]) => name))
      const columns = table.columns.slice(1).map(([name]) => `      ${JSON.stringify(name)}: text\n`)
      const tables = `  ${JSON.stringify(table.name)}:\n    unit: id\n    columns:\n${columns.join("")}`
      const dataset = await bench.dataset(made, { tables })
      const names = table.columns.slice(1).map(([name]) => writeName(name))
      const sql = `SELECT ${names.join(", ")}, COUNT(*) FROM ${writeName(table.name)} GROUP BY ${names.join(", ")}`
      const rest = "text x text s text u text l text m 20"
      expect(await bench.rows(dataset, sql)).toEqual([`0 text q0 ${rest}`, `0 text q1 ${rest}`])
    },
  },
  {
    name: "a key that holds is let pass, also where texts differ in case, accents or blanks alone",
    run: async (bench) => {
      const names = ["a", "A", "á", "a ", " a", "a\u0301", "\uFEFFa", "ａ"]
      const table = people(
        names.map((_, at) => BigInt(at)),
        names,
      )
      expect(await opens(bench, table, "keys: [[id], [name]]")).toBe("opened")
    },
  },
  {
    name: "a key that does not hold is refused, NULL beside NULL too, and no value is told",
    run: async (bench) => {
      const names = [`${canary} 1`, `${canary} 2`, `${canary} 1`]
      expect(await opens(bench, people([1n, 2n, 3n], names), "keys: [[name]]")).toBe("dataset/claim-broken")
      expect(await opens(bench, people([1n, 2n, 1n], names), "keys: [[id]]")).toBe("dataset/claim-broken")
      expect(await opens(bench, people([1n, 2n, 1n], names), "keys: [[id, name]]")).toBe(
        "dataset/claim-broken",
      )
      const nothing = people([1n, 2n, 3n], [canary, null, null])
      expect(await opens(bench, nothing, "keys: [[name]]")).toBe("dataset/claim-broken")
    },
  },
  {
    name: "a column that is NULL where it should not be is refused by name",
    run: async (bench) => {
      const made = await bench.make([people([1n, 2n], [canary, null])])
      const claims = (nullable: boolean): string =>
        claiming(`columns:\n      name: { type: text, nullable: ${nullable} }`)
      const error = await failure(bench.dataset(made, { tables: claims(false) }))
      expect(error.code).toBe("dataset/claim-broken")
      expect(error.message).toContain("name")
      await bench.dataset(made, { tables: claims(true) })
    },
  },
  {
    name: "what it assumes of its engine holds, and good texts can be read",
    run: async (bench) => {
      const made = await bench.make([everyType])
      const opened = await bench.open(made)
      await opened.checkAssumptions()
      const tables = "  everything:\n    unit: a_integer\n    columns:\n      a_text: text\n"
      const { policy } = await bench.dataset(made, { tables })
      const [table] = policy.catalog.tables
      const column = table === undefined ? undefined : columnNamed(table, "a_text")
      if (table === undefined || column === undefined) throw new Error("the policy has the table")
      expect(await opened.unreadableTexts(table, [column])).toEqual([])
    },
  },
  {
    name: "rows of public tables come as they are",
    run: async (bench) => {
      const made = await bench.make([everyType])
      const opened = await bench.open(made)
      const types: readonly SqlType[] = everyType.columns.map(([, kind]) => ({ kind }))
      const columns = types.map((type) => ({ domain: { type, nullable: true } }))
      const names = everyType.columns.map(([name]) => writeName(name))
      const text = `SELECT ${names.join(", ")} FROM ${made.named("everything")}`
      const rows = await opened.readPublic({ text, parameters: [] }, columns)
      expect(rows.map((row) => row.map(constantKey).join()).toSorted()).toEqual(
        [
          `number -9223372036854775808/1,number 3602879701896397/36028797018963968,text ${canary} é,date -719162,timestamp 1709251199999999,boolean true`,
          "number 9223372036854775807/1,number -3/2,text \uFEFFa,date 2932896,timestamp -86399999999,boolean false",
          "null,null,null,null,null,null",
        ].toSorted(),
      )
    },
  },
  {
    name: "places stand for where the data lies, not for what it is",
    run: async (bench) => {
      const [first, second] = [
        await bench.make([people([1n], ["a"])]),
        await bench.make([people([1n], ["a"])]),
      ]
      const { policy } = await bench.dataset(first, { tables: claiming("keys: [[id]]") })
      const places = (catalog: Catalog, of = first): readonly string[] =>
        of.database.places(catalog, of.folder)
      const before = places(policy.catalog)
      expect(before.length).toBeGreaterThan(0)
      await first.replace([people([1n, 2n], ["a", "b"])])
      expect(places(policy.catalog)).toEqual(before)
      expect(places(policy.catalog, second).filter((place) => before.includes(place))).toEqual([])
    },
  },
]
