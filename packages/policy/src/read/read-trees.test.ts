// Trees of a policy: what they mean, and what is wrong with them, each with its place.

import { DosimeterError } from "@dosimeter/core"
import { describe, expect, test } from "vitest"
import { columnNamed, tableNamed } from "@dosimeter/proof/catalog/catalog"
import type { Domain } from "@dosimeter/proof/catalog/domain"
import { readPolicy } from "./read-policy.ts"

const site = "site: { levels: [region, ward], nodes: { North: [A, B], South: [A] } }"

function policyWith(trees: string, columns: string): string {
  return `dataset: clinic
source: { duckdb: none }
neighbours: replace
budget: { epsilon: 1, delta: 1e-6, accounting: zcdp }
question: { epsilon: 1, delta: 1e-8 }
bounding: { groups_per_unit: 1, rows_per_group: 1 }
trees: { ${trees} }
tables: { stays: { unit: person_id, columns: { ${columns} } } }
`
}

function domainOf(trees: string, line: string): Domain | undefined {
  const { catalog } = readPolicy(policyWith(trees, `ward: ${line}`))
  const table = tableNamed(catalog, "stays")
  return table === undefined ? undefined : columnNamed(table, "ward")?.domain
}

describe("a level", () => {
  test("lists its values, each once, and knows the value of each leaf", () => {
    const domain = domainOf(site, "{ tree: site.ward }")
    expect(domain?.values).toEqual([
      { kind: "text", value: "A" },
      { kind: "text", value: "B" },
    ])
    expect(domain?.tree?.level).toBe(1)
    expect(domain?.tree?.tree.levels.map(({ ofLeaf }) => ofLeaf)).toEqual([
      [0, 0, 1],
      [0, 1, 0],
    ])
  })

  test("has the column's type, and names that are found in any case", () => {
    const codes = "Codes: { levels: [Group, Code], nodes: { 1: [10, 11], 2: [20] } }"
    expect(domainOf(codes, "{ tree: codes.code }")?.type).toEqual({ kind: "integer" })
    expect(domainOf(codes, "{ tree: Codes.GROUP, type: text }")?.type).toEqual({ kind: "text" })
  })
})

describe("a tree", () => {
  const good = "{ tree: site.ward }"
  test.each([
    ["one level only", "site: { levels: [ward], nodes: { A: [B] } }", good, "2 to 8 different names"],
    ["a level twice", "site: { levels: [ward, ward], nodes: { A: [B] } }", good, "2 to 8 different names"],
    ["no nodes", "site: { levels: [region, ward] }", good, "nodes"],
    ["no levels", "site: { nodes: { A: [B] } }", good, "levels"],
    ["a list above the last level", "site: { levels: [region, ward], nodes: [A] }", good, "each region"],
    ["nothing below", "site: { levels: [region, ward], nodes: { A: [] } }", good, "a list of every ward"],
    [
      "a group at the last level",
      "site: { levels: [region, ward], nodes: { A: { B: [C] } } }",
      good,
      "every ward",
    ],
    ["a leaf twice", "site: { levels: [region, ward], nodes: { A: [B, B] } }", good, "B"],
    ["a node twice", "site: { levels: [region, ward], nodes: { A: [B], A: [C] } }", good, "A"],
    ["another key", "site: { levels: [region, ward], nodes: { A: [B] }, root: x }", good, "root"],
    ["no tree of that name", site, "{ tree: sites.ward }", "one of site.region, site.ward"],
    ["no level of that name", site, "{ tree: site.bed }", "one of site.region, site.ward"],
    ["no level", site, "{ tree: site }", "one of site.region, site.ward"],
    ["values besides", site, "{ tree: site.ward, values: [A] }", "a tree lists values"],
    ["values of another type", site, "{ tree: site.ward, type: integer }", "integer"],
  ])("with %s is refused, and it is said why", (_name, trees, line, words) => {
    const text = policyWith(trees, `ward: ${line}`)
    const issues = refusalsOf(text)
    expect(issues.map(({ message, help }) => `${message} ${help ?? ""}`).join("\n")).toContain(words)
    for (const { at } of issues) expect(at === undefined ? 0 : at.end).toBeGreaterThan(0)
  })
})

test("a tree of a table has no values before the table is read", () => {
  const text = policyWith(
    "site: { table: wards, levels: [region, ward] }",
    "ward: { tree: site.ward, type: text }",
  )
  const { catalog, treeTables } = readPolicy(text.replace("tables: {", "tables: { wards: { unit: public },"))
  const table = tableNamed(catalog, "stays")
  expect(table === undefined ? "" : columnNamed(table, "ward")?.domain.tree).toBeUndefined()
  expect(treeTables).toEqual([])
})

function refusalsOf(text: string): DosimeterError["issues"] {
  try {
    readPolicy(text)
  } catch (error) {
    if (error instanceof DosimeterError) return error.issues
    throw error
  }
  throw new Error("it was read")
}
