import { DosimeterError, rational } from "@dosimeter/core"
import { expect, test } from "vitest"
import { columnNamed, tableNamed } from "@dosimeter/proof/catalog/catalog"
import { readPolicy } from "../read/read-policy.ts"
import type { ColumnFacts, SourceFacts, TableFacts } from "../file/source-facts.ts"
import { packNames } from "./packs.ts"

const head = `dataset: clinic
source: { parquet: "*.parquet" }
neighbours: add-or-remove
budget: { epsilon: 3, delta: 1e-9, accounting: zcdp }
question: { epsilon: 0.5, delta: 1e-10 }
bounding: { groups_per_unit: 3, rows_per_group: 5 }
`
const policyOf = (schema: string, more = "", facts?: SourceFacts) =>
  readPolicy(`${head}schema: ${schema}\n${more}`, facts === undefined ? {} : { facts })

test("there are packs for OMOP 5.4 and 5.3", () => {
  expect(packNames).toEqual(["omop-5.4", "omop-5.3"])
})

/** How many columns each table has, in the order of the specification of 5.4. */
const columnCounts = {
  "omop-5.4":
    "person 18, observation_period 5, visit_occurrence 17, visit_detail 19, condition_occurrence 16, " +
    "drug_exposure 23, procedure_occurrence 16, device_exposure 19, measurement 23, observation 21, death 7, " +
    "note 16, note_nlp 14, specimen 15, payer_plan_period 17, drug_era 7, dose_era 7, condition_era 6, " +
    "episode 13, episode_event 3, metadata 9, cdm_source 11, concept 10, vocabulary 5, domain 3, " +
    "concept_class 3, concept_relationship 6, relationship 6, concept_synonym 3, concept_ancestor 4, " +
    "source_to_concept_map 9, drug_strength 12, cohort 4, cohort_definition 7",
  "omop-5.3":
    "person 18, observation_period 5, visit_occurrence 17, visit_detail 19, condition_occurrence 16, " +
    "drug_exposure 23, procedure_occurrence 14, device_exposure 15, measurement 20, observation 18, death 7, " +
    "note 14, note_nlp 14, specimen 15, payer_plan_period 17, drug_era 7, dose_era 7, condition_era 6, " +
    "metadata 7, cdm_source 10, concept 10, vocabulary 5, domain 3, concept_class 3, concept_relationship 6, " +
    "relationship 6, concept_synonym 3, concept_ancestor 4, source_to_concept_map 9, drug_strength 12, " +
    "cohort 4, cohort_definition 7, attribute_definition 5",
}

test.each(Object.entries(columnCounts))("%s knows every table and column of its version", (name, counts) => {
  const { catalog, withheld } = policyOf(name)
  const found = catalog.tables.map((table) => `${table.name} ${table.columns.length}`)
  expect(found.toSorted()).toEqual(counts.split(", ").toSorted())
  expect(withheld.map(({ table }) => table).toSorted()).toEqual([
    "care_site",
    "cost",
    "fact_relationship",
    "location",
    "provider",
  ])
})

test("tables that are kept back are known, so that their owner can give them", () => {
  const tables = "{ location: { unit: public }, care_site: { unit: public }, provider: { unit: public } }"
  const counts = packNames.map((name) => {
    const { catalog } = policyOf(name, `tables: ${tables}`)
    return ["location", "care_site", "provider"].map((table) => tableNamed(catalog, table)?.columns.length)
  })
  expect(counts).toEqual([
    [12, 6, 13],
    [8, 6, 13],
  ])
})

test("every table about persons leads to a person, by an integer", () => {
  for (const name of packNames) {
    const { catalog } = policyOf(name)
    for (const table of catalog.tables) {
      if (table.unit.kind !== "path") continue
      const [hop] = table.unit.hops
      expect(columnNamed(table, hop?.column ?? table.unit.column)?.domain.type.kind, table.name).toBe(
        "integer",
      )
      expect(table.unit.column).toMatch(/^(person|subject)_id$/)
    }
  }
})

test("what names a person or is written freely is denied or no key", () => {
  for (const name of packNames) {
    const { catalog } = policyOf(name)
    const denied = catalog.tables.flatMap((table) =>
      table.columns
        .filter(({ access }) => access === "denied")
        .map((column) => `${table.name}.${column.name}`),
    )
    for (const column of [
      "person.person_source_value",
      "note.note_text",
      "note.note_title",
      "note_nlp.snippet",
      "note_nlp.lexical_variant",
      "device_exposure.unique_device_id",
      "specimen.specimen_source_id",
    ]) {
      expect(denied).toContain(column)
    }
    const free = tableNamed(catalog, "drug_exposure")?.columns.filter(({ domain }) => domain.freeText)
    expect(free?.map((column) => column.name)).toEqual(["sig", "lot_number"])
    const source = tableNamed(catalog, "condition_occurrence")
    expect(source === undefined ? undefined : columnNamed(source, "condition_source_value")).toMatchObject({
      access: "allowed",
      domain: { type: { kind: "text" } },
    })
  }
})

test("bounds are of clinical sense, and measured values have none", () => {
  const { catalog } = policyOf("omop-5.4")
  const rangeOf = (table: string, column: string) => {
    const found = tableNamed(catalog, table)
    return found === undefined ? undefined : columnNamed(found, column)?.domain.range
  }
  expect(rangeOf("person", "year_of_birth")).toEqual({
    min: { value: rational(1875n), declared: true },
    max: { value: rational(2035n), declared: true },
  })
  expect(rangeOf("visit_occurrence", "visit_start_date")?.min).toEqual({
    value: rational(-25_567n),
    declared: true,
  })
  expect(rangeOf("measurement", "value_as_number")?.max.declared).toBe(false)
  expect(rangeOf("measurement", "range_low")?.min.declared).toBe(false)
  expect(rangeOf("drug_exposure", "days_supply")?.max.value).toEqual(rational(365n))
})

test("a line of the site overrides the pack's line, and nothing else", () => {
  const { catalog, withheld } = policyOf(
    "omop-5.4",
    `tables:
  visit_occurrence:
    columns:
      visit_start_date: { min: 1999-01-01, max: 2008-12-31 }
      person_id: { nullable: false }
  person: { columns: { person_source_value: allow, year_of_birth: { type: text } } }
  care_site: { unit: public }
  measurement: deny
  death: { keys: [person_id] }
`,
  )
  const visits = tableNamed(catalog, "visit_occurrence")
  expect(visits?.keys).toEqual([["visit_occurrence_id"]])
  expect(visits?.columns).toHaveLength(17)
  expect(
    visits === undefined ? undefined : columnNamed(visits, "visit_start_date")?.domain.range?.min.value,
  ).toEqual(rational(10_592n))
  const person = tableNamed(catalog, "person")
  expect(person === undefined ? undefined : columnNamed(person, "person_source_value")?.access).toBe(
    "allowed",
  )
  expect(person === undefined ? undefined : columnNamed(person, "year_of_birth")?.domain).toEqual({
    type: { kind: "text" },
    nullable: false,
  })
  expect(tableNamed(catalog, "care_site")?.unit.kind).toBe("public")
  expect(tableNamed(catalog, "measurement")).toBeUndefined()
  expect(tableNamed(catalog, "death")?.keys).toEqual([["person_id"]])
  expect(withheld.map(({ table }) => table)).toEqual([
    "measurement",
    "location",
    "fact_relationship",
    "cost",
    "provider",
  ])
})

function facts(name: string, columns: Readonly<Record<string, ColumnFacts["type"]>>): TableFacts {
  return {
    name,
    path: [name],
    keys: [],
    columns: Object.entries(columns).map(([column, type]) => ({
      name: column,
      type,
      typeName: "T",
      nullable: true,
    })),
  }
}

test("against a source, a pack gives what is there", () => {
  const integer = { kind: "integer" } as const
  const text = { kind: "text" } as const
  const policy = policyOf("omop-5.4", "", {
    tables: [
      facts("PERSON", {
        PERSON_ID: integer,
        YEAR_OF_BIRTH: { kind: "float" },
        hair: text,
        race_concept_id: undefined,
      }),
      facts("visit_occurrence", {
        person_id: integer,
        visit_start_date: text,
        visit_end_date: { kind: "timestamp" },
      }),
      facts("note_nlp", { note_id: integer }),
      facts("measurement", { measurement_id: integer }),
    ],
  })
  expect(policy.catalog.tables.map(({ name }) => name)).toEqual(["person", "visit_occurrence"])
  expect(policy.absent).toContain("death")
  expect(policy.withheld.map(({ table }) => table)).toEqual([
    "note_nlp",
    "measurement",
    "location",
    "fact_relationship",
    "cost",
    "care_site",
    "provider",
  ])
  const [person, visits] = policy.catalog.tables
  expect(person?.columns.map(({ name, source }) => [name, source])).toEqual([
    ["person_id", "PERSON_ID"],
    ["year_of_birth", "YEAR_OF_BIRTH"],
  ])
  expect(person?.columns[1]?.domain).toMatchObject({
    type: { kind: "float" },
    range: { max: { value: rational(2035n) } },
  })
  expect(visits?.columns.map(({ domain }) => domain.type.kind)).toEqual(["integer", "text", "date"])
})

test("ids of persons that are no integers or texts are refused, at the pack's name", () => {
  const text = `${head}schema: omop-5.4\n`
  let issues: DosimeterError["issues"] | undefined
  try {
    readPolicy(text, { facts: { tables: [facts("person", { person_id: { kind: "float" } })] } })
  } catch (error) {
    // Looked at below.
    if (error instanceof DosimeterError) issues = error.issues
  }
  expect(issues?.map(({ code, at }) => [code, at?.start])).toEqual([
    ["policy/unit-type", text.indexOf("omop")],
  ])
})
