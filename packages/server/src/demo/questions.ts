// What the demo asks of the made-up hospital.

/** A question with a heading, and what it shows. */
export interface DemoQuestion {
  readonly title: string
  readonly sql: string
  readonly remark: string
  /** What is asked besides the SQL, if not the owner's defaults. */
  readonly wanted?: {
    readonly epsilon?: string
    readonly groupsPerUnit?: string
    readonly rowsPerGroup?: string
  }
}

/** Five questions, from a plain count to readmissions. */
export const demoQuestions: readonly DemoQuestion[] = [
  {
    title: "How many patients are there?",
    sql: "SELECT COUNT(*) AS patients FROM person",
    remark: "The noise hides whether any one person is among them.",
    wanted: { epsilon: "0.1" },
  },
  {
    title: "Patients by sex and age",
    sql: `SELECT CASE WHEN gender_concept_id = 8532 THEN 'female' ELSE 'male' END AS sex,
       CASE WHEN year_of_birth > 2006 THEN 'under 18' WHEN year_of_birth > 1984 THEN '18-39'
            WHEN year_of_birth > 1959 THEN '40-64' ELSE '65 and over' END AS age,
       COUNT(*) AS patients
FROM person GROUP BY 1, 2 ORDER BY 1, 2`,
    remark: "Each person is in one group, so the whole table costs no more than one count.",
  },
  {
    title: "The most frequent diagnoses",
    sql: `SELECT c.concept_name AS diagnosis, COUNT(DISTINCT o.person_id) AS patients
FROM condition_occurrence o JOIN concept c ON c.concept_id = o.condition_concept_id
GROUP BY 1 ORDER BY 2 DESC LIMIT 8`,
    remark: "Which diagnoses occur is a secret too: only groups with enough patients are shown.",
  },
  {
    title: "Mean HbA1c of patients with diabetes, by year",
    sql: `SELECT EXTRACT(YEAR FROM v.visit_start_date) AS year,
       AVG(CLAMP(m.value_as_number, 4, 14)) AS mean_hba1c
FROM measurement m JOIN visit_occurrence v ON v.visit_occurrence_id = m.visit_occurrence_id
WHERE m.measurement_concept_id = 3004410
GROUP BY 1 HAVING EXTRACT(YEAR FROM v.visit_start_date) IS NOT NULL ORDER BY 1`,
    remark: "CLAMP bounds what one value can do; slips of the pen in the data do no harm.",
    wanted: { groupsPerUnit: "6", rowsPerGroup: "2" },
  },
  {
    title: "Readmissions within 30 days of a hospital stay, by year",
    sql: `WITH stays AS (
  SELECT person_id, visit_end_date AS left_on,
         LEAD(visit_start_date) OVER (PARTITION BY person_id ORDER BY visit_start_date) AS back_on
  FROM visit_occurrence WHERE visit_concept_id = 9201)
SELECT EXTRACT(YEAR FROM left_on) AS year, COUNT(*) AS stays,
       AVG(CASE WHEN back_on - left_on BETWEEN 0 AND 30 THEN 1.0 ELSE 0.0 END) AS readmitted
FROM stays GROUP BY 1 HAVING EXTRACT(YEAR FROM left_on) IS NOT NULL ORDER BY 1`,
    remark: "The window looks at one person's stays only, so the database may do as it likes with them.",
  },
]

/** What is refused, and why is said. */
export const refusedQuestion = "SELECT SUM(value_as_number) FROM measurement"
