// Three made-up hospitals with patients of one trial: two keep the study's table, the third one has another
// schema. Every number is a function of a patient's number; nobody exists.

import { DuckDBInstance } from "@duckdb/node-api"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** A hospital of the demo. */
export interface DemoHospital {
  readonly name: string
  readonly patients: number
  /** In a thousand: how many bleed with the old drug, and with the new one. */
  readonly bleeds: readonly [old: number, fresh: number]
  /** The share of women in a hundred, and how old patients are on average. */
  readonly women: number
  readonly age: number
  readonly schema: "study" | "own"
}

/** The three. */
export const demoHospitals: readonly DemoHospital[] = [
  { name: "north", patients: 4200, bleeds: [150, 96], women: 52, age: 66, schema: "study" },
  { name: "south", patients: 1900, bleeds: [180, 124], women: 44, age: 71, schema: "study" },
  { name: "west", patients: 2600, bleeds: [130, 88], women: 57, age: 62, schema: "own" },
]

const budget = `neighbours: add-or-remove
budget: { epsilon: 6, delta: 1e-6, accounting: zcdp }
question: { epsilon: { default: 0.5, max: 2 }, delta: 1e-8, confidence: 0.95 }
bounding: { groups_per_unit: 1, rows_per_group: 1 }`

/** The study's table, which the lead and two of the hospitals write down alike. */
const studyTables = `tables:
  patients:
    unit: id
    keys: [[id]]
    columns:
      id: { type: integer }
      sex: { values: [f, m], nullable: false, type: text }
      arm: { values: [new, old], nullable: false, type: text }
      age: { min: 18, max: 99, type: integer, nullable: false }
      bled: { min: 0, max: 1, type: integer, nullable: false }`

const ownTables = `tables:
  persons:
    unit: person
    keys: [[person]]
    columns:
      person: { type: integer }
      gender: { values: [1, 2], nullable: false, type: integer }
      treatment: { values: [A1, B7], nullable: false, type: text }
      birth_year: { min: 1900, max: 2026, type: integer, nullable: false }
      bleeding: { values: ["yes", "no"], nullable: false, type: text }`

/** How the third hospital's table becomes the study's. */
export const westView = `SELECT person AS id,
  CASE gender WHEN 1 THEN 'm' ELSE 'f' END AS sex,
  CASE treatment WHEN 'B7' THEN 'new' ELSE 'old' END AS arm,
  CLAMP(2026 - birth_year, 18, 99) AS age,
  CASE bleeding WHEN 'yes' THEN 1 ELSE 0 END AS bled
FROM persons`

/** The catalog of the study: a policy without data. */
export const studyCatalog = `dataset: anticoagulant
source: { duckdb: none.duckdb }
unit: patient
${budget}
${studyTables}
`

/** Writes a hospital's data and policy; its ledger and its committee come later. */
export async function makeDemoHospital(folder: string, hospital: DemoHospital): Promise<void> {
  const { name, schema } = hospital
  mkdirSync(folder, { recursive: true })
  const tables = schema === "study" ? studyTables : ownTables
  // A demo may be removed and made again. Real data: leave the anchor out.
  const policy = `dataset: ${name}
source: { duckdb: data.duckdb }
unit: patient
${budget}
anchor: .dosimeter/demo.anchor
${tables}
`
  writeFileSync(join(folder, "dosimeter.yaml"), policy)
  const instance = await DuckDBInstance.create(join(folder, "data.duckdb"))
  const connection = await instance.connect()
  for (const statement of statements(hospital)) await connection.run(statement)
  connection.closeSync()
  instance.closeSync()
}

/** draw(i, salt, n) is in 0 .. n - 1: good for made-up data, and for nothing else. */
function statements({ patients, bleeds, women, age, schema, name }: DemoHospital): readonly string[] {
  const salt = name.length * 1000 + patients
  const [old, fresh] = bleeds
  const table = `SELECT i AS id,
      CASE WHEN draw(i, ${salt} + 1, 100) < ${women} THEN 'f' ELSE 'm' END AS sex,
      CASE WHEN draw(i, ${salt} + 2, 2) = 0 THEN 'new' ELSE 'old' END AS arm,
      (${age} - 20 + draw(i, ${salt} + 3, 21) + draw(i, ${salt} + 4, 21))::INTEGER AS age,
      CASE WHEN draw(i, ${salt} + 5, 1000) <
        (CASE WHEN draw(i, ${salt} + 2, 2) = 0 THEN ${fresh} ELSE ${old} END) THEN 1 ELSE 0 END AS bled
    FROM (SELECT unnest(range(${patients}))::INTEGER AS i)`
  const macro = `CREATE TEMP MACRO draw(i, salt, n) AS ((hash(i::BIGINT * 7919 + salt) >> 11) % n)::INTEGER`
  if (schema === "study") return [macro, `CREATE TABLE patients AS ${table}`]
  return [
    macro,
    `CREATE TABLE persons AS SELECT id AS person, CASE sex WHEN 'm' THEN 1 ELSE 2 END AS gender,
       CASE arm WHEN 'new' THEN 'B7' ELSE 'A1' END AS treatment, (2026 - age)::INTEGER AS birth_year,
       CASE bled WHEN 1 THEN 'yes' ELSE 'no' END AS bleeding FROM (${table})`,
  ]
}

/** What a question over all patients gives exactly: made-up data, so the truth may be shown. */
export async function truthOf(folder: string, sql: string): Promise<readonly (readonly unknown[])[]> {
  const instance = await DuckDBInstance.create(":memory:")
  const connection = await instance.connect()
  const parts: string[] = []
  for (const { name, schema } of demoHospitals) {
    await connection.run(
      `ATTACH '${join(folder, name, "data.duckdb").replaceAll("'", "''")}' AS ${name} (READ_ONLY)`,
    )
    const own = westView
      .replace("FROM persons", `FROM ${name}.persons`)
      .replace("CLAMP(2026 - birth_year, 18, 99)", "2026 - birth_year")
    parts.push(schema === "study" ? `SELECT * FROM ${name}.patients` : own)
  }
  const found = await connection.runAndReadAll(`WITH patients AS (${parts.join(" UNION ALL ")}) ${sql}`)
  const rows = found.getRowsJson()
  connection.closeSync()
  instance.closeSync()
  return rows
}
