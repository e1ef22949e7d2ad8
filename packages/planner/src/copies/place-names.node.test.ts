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
  expect(places.map(({ by }) => by)).toEqual(Array(3).fill(["a", "b"]))
  expect(printCopy(byTwo, { dialect: "duckdb", secret: "'secret'" })).toContain("max(")
  // The number of groups by one column whose name looks like two: there are no places to count it from.
  const other = places.map((place) => (place.counts === "all-groups" ? { ...place, by: ["a,b"] } : place))
  const mixed = { ...byTwo, table: { ...byTwo.table, prepared: { of: [], sources: [], places: other } } }
  expect(() => printCopy(mixed, { dialect: "duckdb", secret: "'secret'" })).toThrow(
    "groups that are counted have places",
  )
})
