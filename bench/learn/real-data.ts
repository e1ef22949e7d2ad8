// Real data of the benchmark of learners, where its folder is given: census incomes (Adult, ACS) and people with
// diabetes who came back. The lists of categories are those of the published code books.

import { DuckDBInstance, type DuckDBConnection, type DuckDBValue } from "@duckdb/node-api"
import type { ColumnSpec } from "@dosimeter/ml"
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { LearnSet } from "./learn-data.ts"

interface RealTable {
  readonly name: string
  readonly file: string
  readonly sql: (folder: string) => string
  /** Columns of numbers with the ranges that a curator would declare; all others are categories. */
  readonly ranges: Readonly<Record<string, readonly [number, number]>>
  readonly target: string
  readonly isClass: boolean
  readonly trainOn?: number
}

const tables: readonly RealTable[] = [
  {
    name: "Adult",
    file: "adult/adult.parquet",
    sql: (folder) => `
      SELECT age, workclass, education, education_num, marital_status, occupation, relationship, race, sex,
        ln(1 + capital_gain) AS gain, ln(1 + capital_loss) AS loss, hours_per_week, native_country,
        (income LIKE '%>50K%')::INTEGER AS target
      FROM read_parquet('${folder}/adult/adult.parquet')`,
    ranges: { age: [17, 90], education_num: [1, 16], gain: [0, 12], loss: [0, 9], hours_per_week: [0, 100] },
    target: "income",
    isClass: true,
  },
  {
    name: "Diabetes readmission",
    file: "omop_diabetes130/visit_occurrence.parquet",
    sql: diabetesSql,
    ranges: { age: [0, 100], days: [0, 14], tests: [0, 132], diagnoses: [0, 16], drugs: [0, 8] },
    target: "came back",
    isClass: true,
  },
  {
    name: "ACS income",
    file: "nist_acs/national2018.parquet",
    sql: (folder) => `
      SELECT PUMA AS area, AGEP AS age, abs(AGEP - 50) AS from_50, SEX, MSP, HISP, RAC1P, NPF AS family,
        HOUSING_TYPE, OWN_RENT, INDP_CAT, EDU AS education, DPHY, DREM,
        least(200000, greatest(0, PINCP)) AS target
      FROM read_parquet('${folder}/nist_acs/*.parquet', union_by_name = true) WHERE AGEP >= 18`,
    ranges: { age: [18, 100], from_50: [0, 50], family: [0, 15], target: [0, 200_000] },
    target: "income",
    isClass: false,
    trainOn: 20_000,
  },
]

/** One row a person, at the first stay; whether there was another stay within the study. */
function diabetesSql(folder: string): string {
  const from = (table: string): string => `read_parquet('${folder}/omop_diabetes130/${table}.parquet')`
  const counted = (table: string, as: string, where = "TRUE"): string =>
    `(SELECT visit_occurrence_id, count(*) AS ${as} FROM ${from(table)} WHERE ${where} GROUP BY 1)`
  return `
    WITH first AS (
      SELECT *, row_number() OVER (PARTITION BY person_id ORDER BY visit_start_date, visit_occurrence_id) AS place
      FROM ${from("visit_occurrence")})
    SELECT year(visit_start_date) - year_of_birth AS age, gender_source_value AS sex,
      race_source_value AS race, visit_end_date - visit_start_date AS days, visit_concept_id AS kind,
      regexp_extract(visit_source_value, 'adm_type=([0-9]+)', 1) AS admission,
      CASE WHEN discharged_to_source_value IN ('1', '3', '6') THEN discharged_to_source_value END AS discharge,
      labs.value_as_number AS tests, coalesce(diagnoses, 0) AS diagnoses, coalesce(drugs, 0) AS drugs,
      (insulin IS NOT NULL)::VARCHAR AS insulin,
      (visit_source_value NOT LIKE '%readmitted=NO%')::INTEGER AS target
    FROM first JOIN ${from("person")} USING (person_id)
    LEFT JOIN (SELECT visit_occurrence_id, value_as_number FROM ${from("measurement")}
      WHERE measurement_source_value = 'num_lab_procedures') AS labs USING (visit_occurrence_id)
    LEFT JOIN ${counted("condition_occurrence", "diagnoses")} USING (visit_occurrence_id)
    LEFT JOIN ${counted("drug_exposure", "drugs")} USING (visit_occurrence_id)
    LEFT JOIN ${counted("drug_exposure", "insulin", "drug_source_value = 'insulin'")} USING (visit_occurrence_id)
    WHERE place = 1`
}

/** The sets whose files are below the folder. */
export async function realSets(folder: string | undefined): Promise<readonly LearnSet[]> {
  if (folder === undefined) return []
  const connection = await (await DuckDBInstance.create(":memory:")).connect()
  const sets: LearnSet[] = []
  for (const table of tables) {
    if (existsSync(join(folder, table.file))) sets.push(await readTable(connection, table, folder))
  }
  return sets
}

async function readTable(connection: DuckDBConnection, table: RealTable, folder: string): Promise<LearnSet> {
  const found = await connection.runAndReadAll(table.sql(folder.replaceAll("'", "''")))
  const names = found.columnNames()
  const columns = found.getColumns()
  const made = names.map((name, place): readonly [ColumnSpec, Float64Array] =>
    columnOf(name, columns[place] ?? [], name === "target" && table.isClass ? undefined : table.ranges[name]),
  )
  const [target, values] = made.at(-1) ?? [undefined, undefined]
  if (target === undefined || values === undefined) throw new Error(`${table.name} has no columns`)
  return {
    name: table.name,
    features: made.slice(0, -1).map(([spec]) => spec),
    target: { ...target, name: table.target },
    examples: { rows: values.length, features: made.slice(0, -1).map(([, own]) => own), target: values },
    ...(table.trainOn === undefined ? {} : { trainOn: table.trainOn }),
  }
}

function columnOf(
  name: string,
  values: readonly DuckDBValue[],
  range: readonly [number, number] | undefined,
): readonly [ColumnSpec, Float64Array] {
  if (range !== undefined) {
    const numbers = Float64Array.from(values, (value) => (value === null ? NaN : Number(value)))
    return [{ kind: "number", name, low: range[0], high: range[1] }, numbers]
  }
  const texts = values.map((value) => (value === null || value === "?" ? undefined : value.toString()))
  const listed = [...new Set(texts.filter((text) => text !== undefined))].toSorted()
  const places = Float64Array.from(texts, (text) => (text === undefined ? NaN : listed.indexOf(text)))
  return [{ kind: "category", name, categories: listed.length }, places]
}
