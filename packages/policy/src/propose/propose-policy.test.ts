import { isLongForm } from "@dosimeter/core/testing"
import fc from "fast-check"
import { expect, test } from "vitest"
import { tableNamed } from "@dosimeter/proof/catalog/catalog"
import type { SqlType } from "@dosimeter/proof/catalog/sql-type"
import { looksIdentifying, looksLikeCode } from "./name-hints.ts"
import { proposePolicy, type ProposeOptions } from "./propose-policy.ts"
import { readPolicy } from "../read/read-policy.ts"
import type { ColumnFacts, SourceFacts, TableFacts } from "../file/source-facts.ts"

const options: ProposeOptions = { dataset: "clinic", source: { kind: "csv", globs: ["data/*.csv"] } }

const types: Readonly<Record<string, SqlType>> = {
  integer: { kind: "integer" },
  float: { kind: "float" },
  money: { kind: "decimal", scale: 2 },
  text: { kind: "text" },
  date: { kind: "date" },
  timestamp: { kind: "timestamp" },
  boolean: { kind: "boolean" },
}

/** A table from `name type, name type`. */
function table(name: string, columns: string, path: readonly string[] = [name]): TableFacts {
  const parsed = columns.split(", ").map((column): ColumnFacts => {
    const [own = "", type = ""] = column.split(" ")
    return { name: own, type: types[type], typeName: type, nullable: true }
  })
  return { name, path, columns: parsed, keys: [] }
}

const hospital: SourceFacts = {
  tables: [
    table("patients", "id integer, last_name text, birth_date date, sex text"),
    table(
      "visits",
      "visit_id integer, patient_id integer, ward text, fee float, seen timestamp, note text, tags list",
    ),
    table("orders", "id integer, visit_id integer, paid money, urgent boolean"),
    table("lines", "order_id integer, drug_code text, quantity integer"),
    table("rooms", "room text, beds integer"),
  ],
}

test("the proposal for a plain hospital is accepted, with and without its source", () => {
  const { text, decisions } = proposePolicy(hospital, options)
  const policy = readPolicy(text, { facts: hospital })
  expect(readPolicy(text).catalog.tables.map(({ name }) => name)).toEqual([
    "patients",
    "visits",
    "orders",
    "lines",
  ])
  expect(tableNamed(policy.catalog, "lines")?.unit).toEqual({
    kind: "path",
    hops: [
      { column: "order_id", table: "orders", key: "id" },
      { column: "visit_id", table: "visits", key: "visit_id" },
    ],
    column: "patient_id",
  })
  expect(tableNamed(policy.catalog, "patients")?.unit).toMatchObject({ column: "id" })
  expect(policy.withheld).toEqual([{ table: "rooms", reason: "its owner has denied it" }])
  expect(decisions).toEqual([
    "the budget: epsilon and delta for everything that is ever asked",
    "whose the rows of these tables are: rooms",
    "the bounds of numeric columns (3 have none): until then each sum pays a fifth to learn them",
    "whether these should stay denied: patients.last_name, patients.birth_date",
  ])
})

test("the proposal teaches", () => {
  const { text } = proposePolicy(hospital, options)
  expect(text.slice(text.indexOf("tables:"))).toBe(`tables:
  patients:
    unit: id
    columns:
      id: integer   # leads to the unit
      last_name: deny
      birth_date: deny
      sex: text   # decide: { values: [A, B] } if the list is public
  visits:
    unit: patient_id
    columns:
      visit_id: integer
      patient_id: integer   # leads to the unit
      ward: text   # decide: { values: [A, B] } if the list is public
      fee: { type: float, bounds: auto }   # decide: { type: float, min: 0, max: 100, grid: 0.01 }
      seen: timestamp   # decide: { type: timestamp, min: 2000-01-01, max: 2030-12-31 } makes years public
      note: { type: text, text: free }
      # tags: its type cannot be asked about
  orders:
    unit: visit_id -> visits.visit_id
    columns:
      id: integer
      visit_id: integer   # leads to the unit
      paid: { type: decimal(2), bounds: auto }   # decide: { type: decimal(2), min: 0, max: 100 }
      urgent: boolean
  lines:
    unit: order_id -> orders.id
    columns:
      order_id: integer   # leads to the unit
      drug_code: text   # decide: { values: [A, B] } if the list is public
      quantity: { type: integer, bounds: auto }   # decide: { type: integer, min: 0, max: 100 }
  rooms: deny   # decide: { unit: COLUMN }, a path to it, { unit: public }, or leave it denied
`)
})

test("an OMOP source is known by its tables, and the rest of it is proposed", () => {
  const facts: SourceFacts = {
    tables: [
      table("PERSON", "PERSON_ID integer, GENDER_CONCEPT_ID integer"),
      table("visit_occurrence", "visit_occurrence_id integer, person_id integer"),
      table("scans", "visit_occurrence_id integer, size float"),
      table("extra", "person_id integer, score float"),
    ],
  }
  const { text } = proposePolicy(facts, options)
  expect(text).toContain("schema: omop-5.4")
  expect(text).not.toContain("\n  visit_occurrence:")
  const policy = readPolicy(text, { facts })
  expect(policy.catalog.tables.map(({ name }) => name)).toEqual([
    "person",
    "visit_occurrence",
    "scans",
    "extra",
  ])
  expect(tableNamed(policy.catalog, "scans")?.unit).toMatchObject({ hops: [{ table: "visit_occurrence" }] })
  const older = { tables: [...facts.tables, table("visit_detail", "admitting_source_concept_id integer")] }
  expect(proposePolicy(older, options).text).toContain("schema: omop-5.3")
  expect(proposePolicy(facts, { ...options, pack: "omop-5.3" }).text).toContain("schema: omop-5.3")
})

test("a source without a unit is denied until its owner names one", () => {
  const facts = { tables: [table("readings", "sensor text, value float", ["lab", "readings"])] }
  const { text, decisions } = proposePolicy(facts, options)
  expect(readPolicy(text, { facts }).catalog.tables).toEqual([])
  expect(decisions[1]).toContain("name it with --unit")
  const named = proposePolicy(facts, { ...options, unit: "sensor" })
  expect(named.text).toContain('source: ["lab", "readings"]')
  expect(readPolicy(named.text, { facts }).catalog.tables[0]?.path).toEqual(["lab", "readings"])
  const byRow = proposePolicy(facts, { ...options, unit: "row" })
  expect(readPolicy(byRow.text, { facts }).catalog).toMatchObject({
    unitName: "record",
    tables: [{ unit: { kind: "row" } }],
  })
})

test("a DuckDB file and several patterns are written as sources", () => {
  const facts = { tables: [] }
  const file = proposePolicy(facts, { ...options, source: { kind: "duckdb", file: "a b.duckdb" } })
  expect(readPolicy(`${file.text}tables: {}`).source).toEqual({ kind: "duckdb", file: "a b.duckdb" })
  const globs = proposePolicy(facts, { ...options, source: { kind: "ndjson", globs: ["a", "b"] } })
  expect(readPolicy(`${globs.text}tables: {}`).source).toEqual({ kind: "ndjson", globs: ["a", "b"] })
})

test("names that hint at identity or codes are told apart", () => {
  for (const name of [
    "LastName",
    "email",
    "home_address",
    "SSN",
    "mrn",
    "phone_number",
    "zip",
    "dob",
    "patient_name",
  ]) {
    expect(looksIdentifying(name), name).toBe(true)
  }
  for (const name of ["ward", "fee", "drug_name", "diagnosis", "age", "latency", "ipd_days"]) {
    expect(looksIdentifying(name), name).toBe(false)
  }
  for (const name of ["icd_code", "status", "sex", "ward", "visit_type"])
    expect(looksLikeCode(name), name).toBe(true)
  for (const name of ["note", "comment", "narrative"]) expect(looksLikeCode(name), name).toBe(false)
})

test("whatever the names are, the proposal is accepted", () => {
  const name = fc.oneof(
    fc.constantFrom(
      "id",
      "patient_id",
      "order_id",
      "orders",
      "patients",
      "null",
      "true",
      "row",
      "public",
      "deny",
      "~",
      "a.b",
    ),
    fc.string({ minLength: 1, maxLength: 70, unit: "grapheme" }),
  )
  const column = fc.record({
    name,
    type: fc.constantFrom<SqlType | undefined>(...Object.values(types), undefined),
    typeName: fc.constant("T"),
    nullable: fc.boolean(),
  })
  const facts = fc.record({
    tables: fc.uniqueArray(
      fc.record({
        name,
        columns: fc.uniqueArray(column, { selector: (one) => one.name.toLowerCase(), maxLength: 6 }),
      }),
      { selector: (one) => one.name.toLowerCase(), maxLength: 5 },
    ),
  })
  fc.assert(
    fc.property(facts, ({ tables }) => {
      const source = { tables: tables.map((one) => ({ ...one, path: [one.name], keys: [] })) }
      const { text } = proposePolicy(source, options)
      expect(() =>
        readPolicy(`${text}${tables.length === 0 ? "tables: {}\n" : ""}`, { facts: source }),
      ).not.toThrow()
    }),
    { numRuns: isLongForm ? 1000 : 20 },
  )
})
