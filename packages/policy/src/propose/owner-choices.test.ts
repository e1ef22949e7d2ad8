import { expect, test } from "vitest"
import { columnNamed, tableNamed } from "@dosimeter/proof/catalog/catalog"
import type { SqlType } from "@dosimeter/proof/catalog/sql-type"
import { writeScalar, type ColumnChoice, type OwnerChoices } from "./owner-choices.ts"
import { proposePolicy } from "./propose-policy.ts"
import { readPolicy } from "../read/read-policy.ts"
import type { ColumnFacts, SourceFacts } from "../file/source-facts.ts"

function column(name: string, kind: "integer" | "float" | "text" | "date"): ColumnFacts {
  const type: SqlType = { kind }
  return { name, type, typeName: kind, nullable: true }
}

const visits = [
  column("case_no", "integer"),
  column("fee", "float"),
  column("ward", "text"),
  column("name", "text"),
  column("seen", "date"),
]
const facts: SourceFacts = {
  tables: [
    { name: "visits", path: ["visits"], columns: visits, keys: [] },
    { name: "prices", path: ["prices"], columns: [column("item", "text")], keys: [] },
  ],
}

function propose(choices: OwnerChoices) {
  return proposePolicy(facts, {
    dataset: "clinic",
    source: { kind: "csv", globs: ["visits.csv", "prices.csv"] },
    choices,
  })
}

function about(choices: Readonly<Record<string, ColumnChoice>>): OwnerChoices {
  const columns = new Map([["visits", new Map(Object.entries(choices))]])
  return { units: new Map([["visits", "case_no"]]), columns }
}

test("without a choice, tables whose unit is unclear stay denied", () => {
  expect(propose({}).tables.map(({ name, unit }) => `${name} ${unit}`)).toEqual([
    "visits deny",
    "prices deny",
  ])
})

test("what the owner decided stands in the policy", () => {
  const choices: OwnerChoices = {
    ...about({
      fee: { kind: "bounds", min: "0", max: "500" },
      ward: { kind: "values", values: ["A", "it's, B"] },
      name: { kind: "open" },
      seen: { kind: "deny" },
    }),
    units: new Map([
      ["visits", "case_no"],
      ["prices", "public"],
    ]),
    epsilon: "3",
    delta: "1e-8",
    questionDefault: "0.2",
    questionMax: "1",
  }
  const { text, tables } = propose(choices)
  const { catalog, terms } = readPolicy(text, { facts })
  const table = tableNamed(catalog, "visits")
  const named = (name: string) => (table === undefined ? undefined : columnNamed(table, name))
  expect(named("ward")?.domain.values).toEqual([
    { kind: "text", value: "A" },
    { kind: "text", value: "it's, B" },
  ])
  expect(named("seen")?.access).toBe("denied")
  expect(named("name")?.access).toBe("allowed")
  expect(tableNamed(catalog, "prices")?.unit.kind).toBe("public")
  expect(terms.budget.limit).toBeDefined()
  expect(text).toContain("budget: { epsilon: 3, delta: 1e-8, accounting: zcdp }")
  expect(text).toContain("fee: { type: float, min: 0, max: 500, grid: 0.01 }")
  expect(text).toContain("name: { type: text, text: free }")
  expect(tables[0]).toMatchObject({ unit: "case_no", denied: ["seen"], leading: ["case_no"] })
})

test("what is wrong with a choice is said by the reader of policies, at its place", () => {
  const { text } = propose(about({ fee: { kind: "bounds", min: "9", max: "1" } }))
  expect(() => readPolicy(text, { facts })).toThrow(/above its greatest/)
  const typed = propose({ ...about({}), epsilon: "1 }\ntables: {" }).text
  expect(typed).toContain(String.raw`budget: { epsilon: "1 }\ntables: {", delta`)
  expect(() => readPolicy(typed, { facts })).toThrow(/epsilon/)
})

test("only numbers, days and words are written without quotes", () => {
  expect(["1e-9", " 0.5 ", "2020-01-31", "auto"].map(writeScalar)).toEqual([
    "1e-9",
    "0.5",
    "2020-01-31",
    "auto",
  ])
  expect(["", "a b", "[1", "1,2", "a: b"].map(writeScalar)).toEqual([
    '""',
    '"a b"',
    '"[1"',
    '"1,2"',
    '"a: b"',
  ])
})
