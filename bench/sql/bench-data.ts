// The data of the SQL benchmark: people, and their conditions with a code, a day and a cost. Skewed: most
// have about twenty rows, some have thousands; codes follow a power law.

import { DuckDBInstance } from "@duckdb/node-api"
import { join } from "node:path"

/** The policy of the benchmark. A person has so many rows on average. */
export const rowsPerPerson = 20

/** People are the units. */
export const peoplePolicy = `dataset: people
source: { duckdb: bench.duckdb }
neighbours: add-or-remove
budget: { epsilon: 1000, delta: 1e-6, accounting: zcdp }
question: { epsilon: { default: 1, max: 2 }, delta: 1e-8, confidence: 0.95 }
bounding: { groups_per_unit: 8, rows_per_group: 4, norm: fixed }
tables:
  person:
    unit: person_id
    keys: [[person_id]]
    columns:
      sex: { type: text, values: [f, m] }
      weight: { type: float, min: 0, max: 200 }
  cond:
    unit: person_id
    prepare: [concept_id, code, month, month(day)]
    columns:
      concept_id: { min: 0, max: 1999 }
      code: {}
      day: { type: date, min: 2020-01-01, max: 2024-12-31 }
      month: { min: 0, max: 59 }
      cost: { type: float, min: 0, max: 1000, nullable: false }
`

/** Every row is a unit. */
export const recordPolicy = `${peoplePolicy.split("tables:")[0]?.replace("dataset: people", "dataset: records") ?? ""}tables:
  cond:
    unit: row
    columns:
      concept_id: { type: integer }
      day: { type: date, min: 2020-01-01, max: 2024-12-31 }
      cost: { type: float, min: 0, max: 1000, nullable: false }
`

/** Writes the tables into a folder; the same rows for the same number. */
export async function makeData(folder: string, rows: number): Promise<void> {
  const instance = await DuckDBInstance.create(join(folder, "bench.duckdb"))
  const connection = await instance.connect()
  const people = Math.max(1000, Math.round(rows / rowsPerPerson))
  // A number in [0, 1) for each row and purpose. Not hash(i, purpose): such hashes follow from each other.
  const u = (purpose: number): string => `((hash(16 * i + ${purpose}) >> 11) / 9007199254740992.0)`
  await connection.run(`
    CREATE TABLE person AS SELECT i AS person_id, CASE WHEN ${u(1)} < 0.5 THEN 'f' ELSE 'm' END AS sex,
      40 + 60 * ${u(2)} AS weight FROM range(${people}) r(i);
    CREATE TABLE cond AS SELECT
      CAST(floor(${people} *
        CASE WHEN ${u(3)} < 0.8 THEN ${u(4)} ELSE pow(${u(4)}, 3) END) AS BIGINT) AS person_id,
      CAST(floor(2000 * pow(${u(5)}, 3)) AS INTEGER) AS concept_id, concept_id + 1000000 AS code,
      DATE '2020-01-01' + CAST(floor(1826 * ${u(6)}) AS INTEGER) AS day,
      CAST(floor(1826 * ${u(6)} / 30.44) AS INTEGER) AS month,
      -150 * ln(1 - ${u(7)}) AS cost
    FROM range(${rows}) r(i)`)
  connection.closeSync()
  instance.closeSync()
}
