import { expect, test } from "vitest"
import type { Catalog, CatalogTable } from "../catalog/catalog.ts"
import { isSameCatalog } from "./same-catalog.ts"

const visits: CatalogTable = {
  name: "visits",
  path: ["visits"],
  unit: { kind: "row" },
  columns: [],
  keys: [],
}
const agreed: CatalogTable = { ...visits, name: "consent", path: ["agreed"] }
const consent = { mode: "required", table: agreed, purposes: ["care"], version: "1" } as const
const catalog: Catalog = {
  dataset: "clinic",
  unitName: "person",
  neighbours: "add-or-remove",
  tables: [visits],
  rowsPerUnit: 10,
  consent,
}

test("two catalogs with the same tables and facts are the same, and lists of consent go by their names", () => {
  const table = { ...agreed }
  expect(isSameCatalog(catalog, { ...catalog, tables: [visits], consent: { ...consent, table } })).toBe(true)
})

const { rowsPerUnit: _rows, consent: _consent, ...plain } = catalog

test.each<readonly [string, Catalog]>([
  ["dataset", { ...catalog, dataset: "other" }],
  ["unit", { ...catalog, unitName: "visit" }],
  ["neighbours", { ...catalog, neighbours: "replace" }],
  ["limit of work", { ...catalog, rowsPerUnit: 11 }],
  ["limit of work that is missing", { ...plain, consent }],
  ["table that says the same", { ...catalog, tables: [{ ...visits }] }],
  ["table more", { ...catalog, tables: [visits, agreed] }],
  ["table less", { ...catalog, tables: [] }],
  ["consent that nobody asks for", { ...plain, rowsPerUnit: 10 }],
  ["mode of consent", { ...catalog, consent: { ...consent, mode: "opt-out" } }],
  ["version of consent", { ...catalog, consent: { ...consent, version: "2" } }],
  ["purpose", { ...catalog, consent: { ...consent, purposes: ["research"] } }],
  ["purpose more", { ...catalog, consent: { ...consent, purposes: ["care", "research"] } }],
  ["list of those who agreed", { ...catalog, consent: { ...consent, table: visits } }],
])("another %s is another catalog", (_, other) => {
  expect(isSameCatalog(catalog, other)).toBe(false)
  expect(isSameCatalog(other, catalog)).toBe(false)
})
