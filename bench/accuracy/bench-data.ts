// The data of the accuracy benchmark. People have stays in wards and diagnoses with codes; for each number of
// groups per unit there is a table in which everybody is in at most so many groups, once each. So
// contribution bounds cut nothing off, and errors are errors of noise. In `uneven` people are in fewer, too.

import { DuckDBInstance } from "@duckdb/node-api"
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { ValueRange } from "./reference-additive.ts"

/** The numbers of groups per unit that are measured. */
export const groupCounts = [1, 4, 16] as const

/** Where the rows come from, and what their numbers can be. */
export interface DataSource {
  readonly name: string
  readonly range: ValueRange
  /** A range that fits: most values lie in it. */
  readonly fitting: ValueRange
  readonly wards: number
  readonly bands: number
  /** Tables exist for these numbers of groups per unit. */
  readonly groups: readonly number[]
  /** SQL of `pairs(person_id, ward, sex, band, fee, place)` and `held(person_id, code, place)`. */
  readonly pairs: string
  readonly held: string
}

const people = 3000
const wards = 20
const codes = 400
/** A number in [0, 1) for a whole number and a purpose. */
const uniform = (number: string, purpose: number): string =>
  `((hash(32 * (${number}) + ${purpose}) >> 11) + 0.5) / 9007199254740992.0`
/** Larger weights come first more often (Efraimidis and Spirakis): the smallest -ln(u) / weight. */
const weighted = (number: string, purpose: number, weight: string): string =>
  `-ln(${uniform(number, purpose)}) / (${weight})`

/** From 1 to 64, small numbers as often as large ones are rare. */
const oneToMany = `floor(pow(65, ${uniform("person_id", 8)}))`

/** Made up: fees are log-normal, wards and codes are unequal. The same rows every time. */
export const generated: DataSource = {
  name: "generated",
  range: { lower: 0, upper: 1000 },
  fitting: { lower: 0, upper: 100 },
  wards,
  bands: 7,
  groups: groupCounts,
  pairs: `SELECT p AS person_id, w AS ward, CASE WHEN ${uniform("p", 1)} < 0.55 THEN 'f' ELSE 'm' END AS sex,
      CAST(floor(7 * pow(${uniform("p", 2)}, 0.7)) AS INTEGER) AS band,
      least(1000, exp(3 + sqrt(-2 * ln(${uniform(`${wards} * p + w`, 3)}))
        * cos(2 * pi() * ${uniform(`${wards} * p + w`, 4)}))) AS fee,
      row_number() OVER (PARTITION BY p ORDER BY ${weighted(`${wards} * p + w`, 5, "1 / (2.0 + w)")}) AS place
    FROM range(${people}) a(p), range(${wards}) b(w)`,
  held: `SELECT p AS person_id, c AS code,
      row_number() OVER (PARTITION BY p
        ORDER BY ${weighted(`${codes} * p + c`, 6, "1 / (20.0 + c)")}) AS place
    FROM range(${people}) a(p), range(${codes}) b(c)`,
}

/**
 * The real sets that are found in a folder, or are the folder. Whole numbers of hours and days get a
 * fraction, so that ranks tell answers apart.
 */
export function realSources(folder: string): readonly DataSource[] {
  const at = (...names: readonly string[]): string | undefined =>
    [join(folder, ...names), join(folder, names.at(-1) ?? "")].find((path) => existsSync(path))
  const census = at("adult", "adult.parquet")
  const visits = at("omop_diabetes130", "visit_occurrence.parquet")
  const conditions = at("omop_diabetes130", "condition_occurrence.parquet")
  const persons = at("omop_diabetes130", "person.parquet")
  const hasHospital = visits !== undefined && conditions !== undefined && persons !== undefined
  return [
    ...(census === undefined ? [] : [censusSource(census)]),
    ...(hasHospital ? [hospitalSource({ visits, conditions, persons })] : []),
  ]
}

/** Census records, one a person: hours of work by education. */
function censusSource(path: string): DataSource {
  const from = `(SELECT *, row_number() OVER () AS id FROM read_parquet('${path}'))`
  return {
    name: "adult",
    range: { lower: 0, upper: 100 },
    fitting: { lower: 20, upper: 60 },
    wards: 17,
    bands: 10,
    groups: [1],
    pairs: `SELECT id AS person_id, CAST("education_num" AS INTEGER) AS ward,
        CASE WHEN trim("sex") = 'Male' THEN 'm' ELSE 'f' END AS sex,
        CAST("age" // 10 AS INTEGER) AS band, "hours_per_week" + ${uniform("id", 7)} AS fee, 1 AS place
      FROM ${from}`,
    held: `SELECT id AS person_id, 1 AS place,
        CAST(hash(concat("occupation", "native_country")) % 1000000 AS INTEGER) AS code
      FROM ${from}`,
  }
}

/** Stays in hospitals: days of stay by the chapter of a diagnosis, and diagnoses. */
function hospitalSource(files: {
  readonly visits: string
  readonly conditions: string
  readonly persons: string
}): DataSource {
  const { visits, conditions, persons } = files
  const rows = `(SELECT c.person_id, c.condition_source_value AS icd,
      least(29, greatest(0, date_diff('day', v.visit_start_date, v.visit_end_date)))
        + ${uniform("c.condition_occurrence_id", 7)} AS days,
      p.gender_concept_id AS gender, p.year_of_birth AS born
    FROM read_parquet('${conditions}') c JOIN read_parquet('${visits}') v USING (visit_occurrence_id)
    JOIN read_parquet('${persons}') p ON p.person_id = c.person_id)`
  const once = (key: string, columns: string): string =>
    `SELECT person_id, ${key}, ${columns}
       row_number() OVER (PARTITION BY person_id ORDER BY hash(person_id, ${key})) AS place
     FROM (SELECT person_id, ${key}, any_value(gender) AS gender, any_value(born) AS born, max(days) AS days
       FROM (SELECT *, CAST(hash(left(icd, 2)) % 20 AS INTEGER) AS ward,
         CAST(hash(icd) % 1000000000 AS INTEGER) AS code FROM ${rows}) GROUP BY person_id, ${key})`
  return {
    name: "diabetes130",
    range: { lower: 0, upper: 30 },
    fitting: { lower: 0, upper: 14 },
    wards: 20,
    bands: 11,
    groups: groupCounts,
    pairs: once(
      "ward",
      `CASE WHEN gender = 8507 THEN 'm' ELSE 'f' END AS sex,
       CAST(least(10, greatest(0, (2008 - born) // 10)) AS INTEGER) AS band, days AS fee,`,
    ),
    held: once("code", ""),
  }
}

/** Writes the tables into a folder, and the policy that goes with them. */
export async function makeTables(folder: string, source: DataSource): Promise<string> {
  const instance = await DuckDBInstance.create(join(folder, `${source.name}.duckdb`))
  const connection = await instance.connect()
  await connection.run(`CREATE TEMP TABLE pairs AS ${source.pairs};
    CREATE TEMP TABLE held AS
      SELECT *, CAST(dense_rank() OVER (ORDER BY code) - 1 AS INTEGER) AS cell FROM (${source.held})`)
  for (const groups of source.groups) {
    await connection.run(`
      CREATE TABLE stays_${groups} AS
        SELECT person_id, ward, sex, band, fee FROM pairs WHERE place <= ${groups};
      CREATE TABLE fees_${groups} AS
        SELECT person_id, ward, fee FROM pairs WHERE ${groups === 1 ? "place = 1" : `ward < ${groups}`};
      CREATE TABLE codes_${groups} AS
        SELECT person_id, code, cell, cell AS leaf FROM held WHERE place <= ${groups};
      CREATE TABLE uneven_${groups} AS
        SELECT person_id, code FROM held WHERE place <= least(${groups}, ${oneToMany})`)
  }
  const [row] = (await connection.runAndReadAll("SELECT max(cell) + 1 FROM held")).getRows()
  connection.closeSync()
  instance.closeSync()
  return policyOf(source, Number(row?.[0]))
}

/** Wards, sexes, bands and cells are public keys, codes are not. */
function policyOf({ name, range, wards: wardCount, bands, groups }: DataSource, cells: number): string {
  const tables = groups.map(
    (count) => `  stays_${count}:
    unit: person_id
    columns:
      ward: { type: integer, min: 0, max: ${wardCount - 1}, nullable: false }
      sex: { values: [f, m], nullable: false }
      band: { type: integer, min: 0, max: ${bands - 1}, nullable: false }
      fee: { type: float, min: ${range.lower}, max: ${range.upper}, nullable: false }
  fees_${count}:
    unit: person_id
    columns:
      ward: { type: integer, min: 0, max: ${count === 1 ? wardCount - 1 : count - 1}, nullable: false }
      fee: { type: float, min: ${range.lower}, max: ${range.upper}, nullable: false }
  codes_${count}:
    unit: person_id
    columns:
      code: { type: integer }
      cell: { type: integer, min: 0, max: ${cells - 1}, nullable: false }
      leaf: { type: integer, tree: book.leaf, nullable: false }
  uneven_${count}:
    unit: person_id
    columns:
      code: { type: integer }
`,
  )
  return `dataset: ${name}
source: { duckdb: ${name}.duckdb }
neighbours: add-or-remove
budget: { epsilon: 1000, delta: 1e-3, accounting: zcdp }
question: { epsilon: { default: 1, max: 1000 }, delta: 1e-6, confidence: 0.95 }
bounding: { groups_per_unit: 16, rows_per_group: 1, norm: fixed }
trees:
  book:
    levels: [part, chapter, leaf]
    nodes: ${bookOf(cells)}
tables:
${tables.join("")}`
}

/** The chapter of a cell, and the part that four chapters make, in SQL: chapters grow. */
export const chapterOf = (cell: string): string => `CAST(floor(sqrt(${cell})) AS INTEGER)`
/** The part of a cell. */
export const partOf = (cell: string): string => `CAST(${chapterOf(cell)} // 4 AS INTEGER)`

function bookOf(cells: number): string {
  const parts = new Map<number, Map<number, number[]>>()
  for (let cell = 0; cell < cells; cell += 1) {
    const chapter = Math.floor(Math.sqrt(cell))
    const part = Math.floor(chapter / 4)
    const chapters = parts.get(part) ?? new Map<number, number[]>()
    parts.set(part, chapters)
    chapters.set(chapter, [...(chapters.get(chapter) ?? []), cell])
  }
  const shown = [...parts].map(
    ([part, chapters]) =>
      `${part}: { ${[...chapters].map(([chapter, own]) => `${chapter}: [${own.join(", ")}]`).join(", ")} }`,
  )
  return `{ ${shown.join(", ")} }`
}
