// Real people on files of one's own computer, brought into the form of the generated tables: events with a
// code, a month, a ward (a coarser group) and an amount. What is not in the folder is left out.

import type { DuckDBConnection } from "@duckdb/node-api"
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { People } from "./skewed-people.ts"
import { numbers } from "./scaled-errors.ts"

interface RealSource {
  readonly name: string
  /** Files of the folder that it reads. */
  readonly files: readonly string[]
  /** person, code, month, ward, amount, given the files in SQL. */
  readonly rows: (...files: readonly string[]) => string
}

const sources: readonly RealSource[] = [
  {
    name: "hospital conditions",
    files: ["omop_diabetes130/condition_occurrence.parquet", "omop_diabetes130/visit_occurrence.parquet"],
    // The ward is the year, the amount the days of the stay.
    rows: (conditions = "", visits = "") => `SELECT c.person_id AS person, condition_source_value AS code,
        month(condition_start_date) AS month, year(condition_start_date) AS ward,
        visit_end_date - visit_start_date AS amount
      FROM ${conditions} c JOIN ${visits} v USING (visit_occurrence_id)`,
  },
  {
    name: "made-up clinic",
    files: ["omop_gibleed/condition_occurrence.parquet", "omop_gibleed/person.parquet"],
    // The ward is the decade, the amount the person's age.
    rows: (conditions = "", persons = "") => `SELECT person_id AS person, condition_concept_id AS code,
        month(condition_start_date) AS month, year(condition_start_date) // 10 AS ward,
        year(condition_start_date) - year_of_birth AS amount
      FROM ${conditions} c JOIN ${persons} p USING (person_id)`,
  },
  {
    name: "tests of a hospital",
    files: ["covid_testing_chop/covid_testing.parquet"],
    // The month is a tenth of the days, the amount hours until a sample came.
    rows: (tests = "") => `SELECT subject_id AS person, clinic_name AS code, pan_day // 10 AS month,
        patient_class AS ward, least(100, col_rec_tat) AS amount FROM ${tests}`,
  },
  {
    name: "encounters",
    files: ["synthea_uk_htn1000/encounters.parquet"],
    // The ward is the kind of encounter, the amount the hour of the day.
    rows: (encounters = "") => `SELECT "PATIENT" AS person, "ORGANIZATION" AS code, month("START") AS month,
        "CODE" AS ward, hour("START") AS amount FROM ${encounters}`,
  },
]

/** The tables that a folder has the files of. */
export function realPeople(folder: string): readonly People[] {
  return sources.flatMap(({ name, files, rows }) => {
    const paths = files.map((file) => join(folder, file))
    if (!paths.every((path) => existsSync(path))) return []
    const from = rows(...paths.map((path) => `read_parquet('${path}')`))
    return [{ name, make: (connection: DuckDBConnection) => makeReal(connection, from) }]
  })
}

// Groups are numbered from 0, as whole numbers that a policy lists.
async function makeReal(
  connection: DuckDBConnection,
  rows: string,
): Promise<Awaited<ReturnType<People["make"]>>> {
  const place = (of: string): string => `CAST(dense_rank() OVER (ORDER BY ${of}) - 1 AS INTEGER)`
  await connection.run(`CREATE TABLE events AS
    SELECT ${place("person")} AS person_id, ${place("code")} AS code, ${place("month")} AS month,
      ${place("ward")} AS ward, CAST(round(greatest(0, amount)) AS INTEGER) AS amount
    FROM (${rows}) WHERE COLUMNS(*) IS NOT NULL`)
  const [[code = 0, month = 0, ward = 0, amount = 0] = []] = await numbers(
    connection,
    "SELECT max(code), max(month), max(ward), max(amount) FROM events",
  )
  return { code, month, ward, amount }
}
