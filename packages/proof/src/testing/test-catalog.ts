// A hospital for tests: persons with visits, orders two hops away, public wards, readings whose rows are
// units, and the OMOP tables that the questions of docs ask about.

import { exactly, rational } from "@dosimeter/core"
import type { Catalog, CatalogColumn, CatalogTable, TableUnit } from "../catalog/catalog.ts"
import { dayOfCivil, firstDay, firstMicro, lastDay, lastMicro } from "../catalog/civil-date.ts"
import type { Domain, Range } from "../catalog/domain.ts"

const int64 = 2n ** 63n - 1n
const floatMost = exactly("1e30", "float")
const floatLeast = exactly("-1e30", "float")

/**
 * A column: name, then words: a type, ! (never NULL), min..max, {a b} (listed values), /grid, free, denied,
 * >table.column (a reference).
 */
function column(text: string): CatalogColumn {
  const [name = "", ...words] = text.split(" ")
  const type = words.find((word) => /^(int|float|text|date|timestamp|boolean|decimal\d)$/.test(word)) ?? "int"
  const [, table, key] =
    words.map((word) => /^>(\w+)\.(\w+)$/.exec(word)).find((match) => match !== null) ?? []
  const references = table === undefined || key === undefined ? {} : { references: { table, column: key } }
  return {
    name,
    source: name,
    domain: domainOf(type, words),
    access: words.includes("denied") ? "denied" : "allowed",
    ...references,
  }
}

function domainOf(type: string, words: readonly string[]): Domain {
  const nullable = !words.includes("!")
  const [, min, max] =
    words.map((word) => /^([\d.-]+?)\.\.([\d.-]+)$/.exec(word)).find((match) => match !== null) ?? []
  const listed = words
    .find((word) => word.startsWith("{"))
    ?.slice(1, -1)
    .split(",")
  const values =
    listed === undefined ? {} : { values: listed.map((value) => ({ kind: "text", value }) as const) }
  const step = words.find((word) => /^\/[\d.]/.test(word))?.slice(1)
  const grid = step === undefined ? {} : { grid: exactly(step, "grid") }
  const freeText = words.includes("free") ? { freeText: true as const } : {}
  const range = rangeOf(type, min, max)
  const kind =
    type === "int"
      ? ({ kind: "integer" } as const)
      : type.startsWith("decimal")
        ? ({ kind: "decimal", scale: Number(type.slice(7)) } as const)
        : type === "float"
          ? ({ kind: "float" } as const)
          : type === "date"
            ? ({ kind: "date" } as const)
            : type === "timestamp"
              ? ({ kind: "timestamp" } as const)
              : type === "boolean"
                ? ({ kind: "boolean" } as const)
                : ({ kind: "text" } as const)
  return { type: kind, nullable, ...(range === undefined ? {} : { range }), ...values, ...grid, ...freeText }
}

function rangeOf(type: string, min: string | undefined, max: string | undefined): Range | undefined {
  const end = (text: string | undefined, otherwise: Range["min"]["value"]): Range["min"] =>
    text === undefined
      ? { value: otherwise, declared: false }
      : { value: type === "date" ? dayOf(text) : exactly(text, "end"), declared: true }
  switch (type) {
    case "text":
    case "boolean":
      return undefined
    case "date":
      return { min: end(min, rational(firstDay)), max: end(max, rational(lastDay)) }
    case "timestamp":
      return { min: end(min, rational(firstMicro)), max: end(max, rational(lastMicro)) }
    case "float":
      return { min: end(min, floatLeast), max: end(max, floatMost) }
    default:
      return { min: end(min, rational(-int64 - 1n)), max: end(max, rational(int64)) }
  }
}

function dayOf(text: string): Range["min"]["value"] {
  const [year = "1", month = "1", day = "1"] = text.split("-")
  return rational(dayOfCivil({ year: BigInt(year), month: BigInt(month), day: BigInt(day) }))
}

interface TableOptions {
  readonly unit: TableUnit
  readonly keys?: readonly (readonly string[])[]
  readonly path?: readonly string[]
}

function table(
  name: string,
  { unit, keys = [], path = [name] }: TableOptions,
  columns: string,
): CatalogTable {
  const lines = columns
    .trim()
    .split("\n")
    .map((line) => line.trim())
  return { name, path, unit, keys, columns: lines.map(column) }
}

const publicUnit: TableUnit = { kind: "public" }
const direct = (name: string): TableUnit => ({ kind: "path", hops: [], column: name })

/** The tables of the hospital. */
const hospital: readonly CatalogTable[] = [
  table(
    "patients",
    { unit: direct("id"), keys: [["id"]], path: ["clinic", "patients"] },
    `
    id int !
    sex text ! {f,m,x}
    born date 1900-01-01..2024-12-31
    height float 40..250
    smoker boolean
    email text denied`,
  ),
  table(
    "visits",
    { unit: direct("patient_id"), keys: [["id"]] },
    `
    id int !
    patient_id int ! >patients.id
    ward text {A,B,C}
    ward_id int >wards.id
    doctor_id int
    arrived date ! 2015-01-01..2024-12-31
    left_on date 2015-01-01..2024-12-31
    seen_at timestamp
    fee decimal2 0..500
    tip float 0..100 /0.01
    cost float
    score float 0..1
    age int 0..120
    stars int
    urgent boolean !
    note text free
    diagnosis text`,
  ),
  table(
    "orders",
    { unit: direct("patient_id"), keys: [["id"]] },
    `
    id int !
    patient_id int ! >patients.id
    visit_id int >visits.id
    placed date ! 2015-01-01..2024-12-31`,
  ),
  table(
    "order_lines",
    {
      unit: {
        kind: "path",
        hops: [{ column: "order_id", table: "orders", key: "id" }],
        column: "patient_id",
      },
      keys: [["order_id", "line"]],
    },
    `
    order_id int ! >orders.id
    line int ! 1..100
    drug text
    amount int 0..50`,
  ),
  table(
    "doses",
    {
      unit: {
        kind: "path",
        hops: [
          { column: "visit_order", table: "orders", key: "id" },
          { column: "visit_id", table: "visits", key: "id" },
        ],
        column: "patient_id",
      },
    },
    `
    visit_order int !
    milligrams float 0..1000`,
  ),
  table(
    "readings",
    { unit: { kind: "row" } },
    `
    device text {x,y}
    value float 0..10
    taken date ! 2020-01-01..2020-12-31`,
  ),
  table(
    "wards",
    { unit: publicUnit, keys: [["id"]] },
    `
    id int !
    name text !
    beds int 0..100
    area float`,
  ),
]

/** The tables of the questions. */
const omop: readonly CatalogTable[] = [
  table(
    "person",
    { unit: direct("person_id"), keys: [["person_id"]] },
    `
    person_id int !
    gender_concept_id int !
    year_of_birth int ! 1875..2035
    person_source_value text denied`,
  ),
  table(
    "visit_occurrence",
    { unit: direct("person_id"), keys: [["visit_occurrence_id"]] },
    `
    visit_occurrence_id int !
    person_id int ! >person.person_id
    visit_start_date date ! 1990-01-01..2030-12-31
    visit_end_date date ! 1990-01-01..2030-12-31`,
  ),
  table(
    "condition_occurrence",
    { unit: direct("person_id"), keys: [["condition_occurrence_id"]] },
    `
    condition_occurrence_id int !
    person_id int ! >person.person_id
    condition_concept_id int !
    condition_start_date date ! 1990-01-01..2030-12-31
    condition_source_value text
    condition_status_source_value text
    visit_occurrence_id int >visit_occurrence.visit_occurrence_id`,
  ),
  table(
    "drug_exposure",
    { unit: direct("person_id"), keys: [["drug_exposure_id"]] },
    `
    drug_exposure_id int !
    person_id int ! >person.person_id
    drug_concept_id int !
    drug_exposure_start_date date ! 1990-01-01..2030-12-31
    drug_source_value text`,
  ),
  table(
    "drug_era",
    { unit: direct("person_id"), keys: [["drug_era_id"]] },
    `
    drug_era_id int !
    person_id int ! >person.person_id
    drug_concept_id int !
    drug_era_start_date date ! 1990-01-01..2030-12-31
    drug_era_end_date date ! 1990-01-01..2030-12-31`,
  ),
  table(
    "measurement",
    { unit: direct("person_id"), keys: [["measurement_id"]] },
    `
    measurement_id int !
    person_id int ! >person.person_id
    measurement_concept_id int !
    visit_occurrence_id int >visit_occurrence.visit_occurrence_id
    value_as_number float`,
  ),
  table(
    "concept",
    { unit: publicUnit, keys: [["concept_id"]] },
    `
    concept_id int !
    concept_name text !`,
  ),
  table(
    "concept_ancestor",
    { unit: publicUnit },
    `
    ancestor_concept_id int !
    descendant_concept_id int !`,
  ),
]

/** The catalog for tests. */
export const testCatalog: Catalog = {
  dataset: "hospital",
  unitName: "person",
  neighbours: "add-or-remove",
  tables: [...hospital, ...omop],
}
