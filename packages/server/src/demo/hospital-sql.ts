// The SQL that makes up a hospital. Every number is a function of an id and a salt in whole numbers, so the
// same hospital comes out on every machine and with every version of the database. Nobody in it exists.

import { conceptNames, drugFor, illnesses } from "./hospital-concepts.ts"
import { wardTable, wards } from "./hospital-wards.ts"

/** Statements that fill an empty database with a hospital of so many persons, in order. */
export function hospitalStatements(persons: number): readonly string[] {
  return [
    ...macros,
    conceptTable(),
    wardTable(),
    personTable(persons),
    visitTable(),
    "CREATE TEMP TABLE illness (place INTEGER, concept INTEGER, weight INTEGER, first INTEGER)",
    `INSERT INTO illness VALUES ${illnessRows()}`,
    conditionTable,
    drugTable(),
    measurementTable,
    deathTable,
    observationPeriodTable,
    "DROP TABLE illness",
  ]
}

/** What the demo writes beside the data. */
export const hospitalPolicy = `# What may be asked of the made-up hospital. Try: dosimeter check
dataset: hospital
source: { duckdb: hospital.duckdb }
schema: omop-5.4
neighbours: add-or-remove
budget: { epsilon: 3, delta: 1e-7, accounting: zcdp }
question: { epsilon: { default: 0.5, max: 1 }, delta: 1e-8, confidence: 0.95 }
bounding: { groups_per_unit: 4, rows_per_group: 4 }
shown_from: 10
# A demo may be removed and made again. Real data: leave this out, so that an old backup is noticed.
anchor: .dosimeter/hospital.ledger.anchor
trees:
  site: { table: wards, levels: [region, hospital, ward] }
tables:
  wards: { unit: public, keys: [ward_id] }
  person:
    columns:
      gender_concept_id: { values: [8507, 8532] }
  visit_occurrence:
    columns:
      visit_concept_id: { values: [9201, 9202, 9203] }
      visit_start_date: { min: 2019-01-01, max: 2024-12-31 }
      visit_end_date: { min: 2019-01-01, max: 2024-12-31 }
`

/**
 * draw(id, salt) is in 0 .. 2^31 - 1: multiplications and shifts by turns, which mix bits. Products stay
 * below 2^63. below(id, salt, n) is in 0 .. n - 1. Good for made-up data, and for nothing else.
 */
const macros: readonly string[] = [
  `CREATE TEMP MACRO seed(id, salt) AS
     (id::BIGINT * 1103515245 + salt::BIGINT * 668265263 + 12345) & 2147483647`,
  "CREATE TEMP MACRO mix(x) AS (xor(x, x >> 15) * 739982445) & 2147483647",
  "CREATE TEMP MACRO stir(x) AS (xor(x, x >> 12) * 695872825) & 2147483647",
  "CREATE TEMP MACRO draw(id, salt) AS stir(mix(stir(seed(id, salt))))",
  "CREATE TEMP MACRO below(id, salt, n) AS (draw(id, salt) >> 3) % n",
]

function conceptTable(): string {
  const rows = Object.entries(conceptNames).flatMap(([domain, names]) =>
    Object.entries(names).map(([id, name]) => `(${id}, '${name.replaceAll("'", "''")}', '${domain}')`),
  )
  return `CREATE TABLE concept AS
    SELECT id AS concept_id, name AS concept_name, domain AS domain_id, 'None' AS vocabulary_id,
           domain AS concept_class_id, 'S' AS standard_concept, id::VARCHAR AS concept_code,
           DATE '1970-01-01' AS valid_start_date, DATE '2099-12-31' AS valid_end_date,
           NULL::VARCHAR AS invalid_reason
    FROM (VALUES ${rows.join(", ")}) AS listed (id, name, domain)`
}

/** Ages are the mean of two draws, so that the middle ones are frequent. */
function personTable(persons: number): string {
  return `CREATE TABLE person AS
    SELECT i * 7 + 1000003 AS person_id,
           CASE WHEN below(i, 1, 100) < 52 THEN 8532 ELSE 8507 END AS gender_concept_id,
           (2024 - (below(i, 2, 96) + below(i, 3, 90)) // 2)::INTEGER AS year_of_birth,
           (1 + below(i, 4, 12))::INTEGER AS month_of_birth, (1 + below(i, 5, 28))::INTEGER AS day_of_birth,
           0 AS race_concept_id, 0 AS ethnicity_concept_id, 'P' || draw(i, 6) AS person_source_value
    FROM range(${persons}) AS counted (i)`
}

/**
 * Most persons come once or twice, few hundreds of times: the number of visits is a constant over a draw. One
 * visit in five comes soon after the one before, of the same kind.
 */
function visitTable(): string {
  return `CREATE TABLE visit_occurrence AS
  WITH frequent AS (
    SELECT person_id, (person_id - 1000003) // 7 AS i,
           1 + least(399, 900000 // (700 + below((person_id - 1000003) // 7, 10, 1000000))) AS visits
    FROM person),
  counted AS (
    SELECT person_id, i * 401 + n AS v,
           CASE WHEN n > 0 AND below(i * 401 + n, 15, 5) = 0 THEN 1 ELSE 0 END AS again
    FROM (SELECT person_id, i, unnest(range(visits)) AS n FROM frequent)),
  dated AS (
    SELECT person_id, v, below(v - again, 12, 100) AS kind,
           below(v - again, 11, 2120) + again * (10 + below(v, 16, 35)) AS start_day
    FROM counted)
  SELECT row_number() OVER (ORDER BY v) AS visit_occurrence_id, person_id,
         CASE WHEN kind < 22 THEN 9201 WHEN kind < 38 THEN 9203 ELSE 9202 END AS visit_concept_id,
         DATE '2019-01-01' + start_day::INTEGER AS visit_start_date,
         DATE '2019-01-01' + (start_day + CASE WHEN kind < 22
           THEN 1 + least(below(v, 13, 9), below(v, 14, 21)) ELSE 0 END)::INTEGER AS visit_end_date,
         32817 AS visit_type_concept_id,
         (1 + least(below(v, 17, ${wards.length}), below(v, 18, ${wards.length})))::INTEGER AS care_site_id
  FROM dated`
}

function illnessRows(): string {
  return illnesses
    .map(([concept, of1000, from], place) => `(${place}, ${concept}, ${of1000}, ${from})`)
    .join(", ")
}

/** A person has some illnesses for life; each visit is about one or two of them. */
const conditionTable = `CREATE TABLE condition_occurrence AS
  WITH ill AS (
    SELECT person_id, list(concept ORDER BY place) AS concepts
    FROM person CROSS JOIN illness
    WHERE below((person_id - 1000003) // 7 * 31 + place, 20, 1000) < weight AND 2024 - year_of_birth >= first
    GROUP BY person_id),
  seen AS (
    SELECT visit_occurrence_id AS v, person_id, visit_start_date, concepts,
           unnest(range(1 + below(v, 21, 2))) AS n
    FROM visit_occurrence JOIN ill USING (person_id))
  SELECT v * 2 + n AS condition_occurrence_id, person_id,
         concepts[1 + below(v * 2 + n, 22, len(concepts))] AS condition_concept_id,
         visit_start_date AS condition_start_date, 32817 AS condition_type_concept_id,
         v AS visit_occurrence_id
  FROM seen`

function drugTable(): string {
  const cases = Object.entries(drugFor).map(([condition, drug]) => `WHEN ${condition} THEN ${drug}`)
  return `CREATE TABLE drug_exposure AS
    SELECT condition_occurrence_id AS drug_exposure_id, person_id, drug AS drug_concept_id,
           condition_start_date AS drug_exposure_start_date,
           condition_start_date + days::INTEGER AS drug_exposure_end_date, 32838 AS drug_type_concept_id,
           days::INTEGER AS days_supply, visit_occurrence_id
    FROM (SELECT *, [14, 28, 30, 90][1 + below(condition_occurrence_id, 30, 4)] AS days,
                 CASE condition_concept_id ${cases.join(" ")} ELSE 1125315 END AS drug
          FROM condition_occurrence WHERE below(condition_occurrence_id, 31, 100) < 70)`
}

/** HbA1c of visits about diabetes, blood pressure at every third visit; one in 5,000 is a slip of the pen. */
const measurementTable = `CREATE TABLE measurement AS
  WITH taken AS (
    SELECT c * 2 AS m, person_id, 3004410 AS concept, condition_start_date AS taken_on, 8554 AS unit,
           (55 + below(c, 40, 30) + below(c, 41, 30)) / 10.0 AS amount, visit_occurrence_id
    FROM (SELECT *, condition_occurrence_id AS c FROM condition_occurrence)
    WHERE condition_concept_id = 201826
    UNION ALL
    SELECT visit_occurrence_id * 2 + 1, person_id, 3004249, visit_start_date, 8876,
           95 + below(visit_occurrence_id, 42, 40) + below(visit_occurrence_id, 43, 40), visit_occurrence_id
    FROM visit_occurrence WHERE below(visit_occurrence_id, 44, 3) = 0)
  SELECT m AS measurement_id, person_id, concept AS measurement_concept_id, taken_on AS measurement_date,
         32817 AS measurement_type_concept_id, unit AS unit_concept_id,
         (CASE WHEN below(m, 45, 5000) = 0 THEN amount * 100 ELSE amount END)::DOUBLE AS value_as_number,
         visit_occurrence_id
  FROM taken`

const deathTable = `CREATE TABLE death AS
  SELECT person_id, DATE '2019-01-01' + below((person_id - 1000003) // 7, 50, 2190)::INTEGER AS death_date,
         32817 AS death_type_concept_id
  FROM person
  WHERE below((person_id - 1000003) // 7, 51, 1000)
        < CASE WHEN year_of_birth < 1940 THEN 180 WHEN year_of_birth < 1960 THEN 60 ELSE 6 END`

const observationPeriodTable = `CREATE TABLE observation_period AS
  SELECT row_number() OVER (ORDER BY person_id) AS observation_period_id, person_id,
         min(visit_start_date) AS observation_period_start_date,
         max(visit_end_date) AS observation_period_end_date, 32817 AS period_type_concept_id
  FROM visit_occurrence GROUP BY person_id`
