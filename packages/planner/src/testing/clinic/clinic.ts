// A small clinic: one table for each kind of unit and key, for tests that write their questions by hand.

/** The policy of the clinic. */
export function clinicPolicy(options: {
  readonly neighbours?: "add-or-remove" | "replace"
  readonly accounting?: "pure" | "zcdp" | "gdp"
}): string {
  const { neighbours = "add-or-remove", accounting = "zcdp" } = options
  return `
dataset: clinic
source: { duckdb: clinic.duckdb }
neighbours: ${neighbours}
budget: { epsilon: 10, delta: 1e-6, accounting: ${accounting} }
question: { epsilon: { default: 1, max: 2 }, delta: 1e-8, confidence: 0.95 }
bounding: { groups_per_unit: 2, rows_per_group: 3 }
tables:
  person:
    unit: person_id
    keys: [[person_id]]
    columns:
      person_id: integer
      sex: { type: text, values: [f, m] }
      weight: { type: float, min: 0, max: 200, grid: 0.5 }
      height: { type: integer, min: 0, max: 250 }
      born: { type: date, min: 1900-01-01, max: 2029-12-31 }
      secret: { type: text, access: deny }
  visits:
    unit: person_id
    keys: [[visit_id]]
    columns:
      visit_id: integer
      person_id: integer
      ward: { type: text, values: [A, B, C] }
      fee: { type: float, min: 0, max: 500, grid: 0.01 }
      n: { type: integer, min: -2, max: 10 }
      day: { type: date, min: 2020-01-01, max: 2020-12-31 }
      code: text
      note: { type: text, access: deny }
  drugs:
    unit: person_id
    columns:
      person_id: integer
      visit_id: integer
      code: text
      dose: { type: integer, min: 0, max: 8 }
  bills:
    unit: visit_id -> visits.visit_id -> person_id
    keys: [[bill_id]]
    columns:
      bill_id: integer
      visit_id: integer
      amount: { type: decimal(2), min: 0, max: 100 }
  codes:
    unit: public
    keys: [[code]]
    columns:
      code: text
      label: { type: text, values: [x, y] }
      rate: { type: integer, min: 0, max: 9 }
`
}

/** Questions that the clinic answers, of all kinds. */
export const clinicQuestions = {
  count: "SELECT COUNT(*) FROM visits",
  byWard: "SELECT ward, COUNT(*), SUM(fee), AVG(n), SUM(n), COUNT(DISTINCT n) FROM visits GROUP BY ward",
  byCode: "SELECT code, COUNT(DISTINCT person_id), SUM(n) FROM visits GROUP BY code",
  bySex: "SELECT sex, COUNT(*), SUM(weight) FROM person GROUP BY sex",
  heights: "SELECT SUM(height) FROM person",
  meanHeight: "SELECT sex, AVG(height) FROM person GROUP BY sex",
  spreadHeight: "SELECT COUNT(height), SUM(height), STDDEV(height) FROM person",
  meanOfRows: "SELECT code, COUNT(DISTINCT person_id), COUNT(n), AVG(n) FROM visits GROUP BY code",
  spreadOfRows: "SELECT ward, AVG(n), VARIANCE(n) FROM visits GROUP BY ward",
  joined:
    "SELECT ward, SUM(dose) FROM visits AS v JOIN drugs AS d ON v.person_id = d.person_id GROUP BY ward",
  scaled: "SELECT ward, COUNT(*), SUM(n), COUNT(DISTINCT person_id) FROM visits GROUP BY ward",
  scaledByCode: "SELECT code, COUNT(*), SUM(n) FROM visits GROUP BY code",
  peopleByCode: "SELECT code, COUNT(DISTINCT person_id) FROM visits GROUP BY code",
  averages: "SELECT ward, AVG(fee), AVG(n) FROM visits GROUP BY ward",
  besides: "SELECT ward, COUNT(*), SUM(n), AVG(n), SUM(fee) FROM visits GROUP BY ward",
  distinct: "SELECT code, COUNT(DISTINCT n) FROM visits GROUP BY code",
  median: "SELECT code, MEDIAN(fee) FROM visits GROUP BY code",
  mode: "SELECT MODE() WITHIN GROUP (ORDER BY ward) FROM visits",
  path: "SELECT SUM(amount) FROM bills",
  exists:
    "SELECT COUNT(*) FROM visits AS v WHERE EXISTS (SELECT 1 FROM drugs AS d WHERE d.person_id = v.person_id AND d.dose > 3)",
  window:
    "SELECT SUM(CLAMP(r, 0, 9)) FROM (SELECT person_id, n, SUM(n) OVER (PARTITION BY person_id ORDER BY day) AS r FROM visits) AS q WHERE r < 50 AND r > -50",
  grouped:
    "SELECT AVG(CLAMP(c, 0, 9)) FROM (SELECT person_id, COUNT(*) AS c FROM visits GROUP BY person_id) AS q",
  union:
    "SELECT code, COUNT(*) FROM (SELECT person_id, code FROM visits UNION ALL SELECT person_id, code FROM drugs) AS q GROUP BY code",
  publicJoin: "SELECT label, SUM(rate) FROM visits AS v JOIN codes AS c ON v.code = c.code GROUP BY label",
  values: "SELECT SUM(w) FROM visits CROSS JOIN (VALUES (1), (2)) AS t(w)",
  rollup: "SELECT sex, COUNT(*), SUM(weight) FROM person GROUP BY ROLLUP (sex)",
  // Amounts so large that weights would be rounded too much: units are cut.
  cube: "SELECT ward, sex, COUNT(*), SUM(n * 1000000000) FROM visits JOIN person USING (person_id) GROUP BY CUBE (ward, sex)",
  weighedCube:
    "SELECT ward, sex, COUNT(*), SUM(n) FROM visits JOIN person USING (person_id) GROUP BY CUBE (ward, sex)",
  post: "SELECT label, c FROM (SELECT code, COUNT(*) AS c FROM visits GROUP BY code) AS q JOIN codes USING (code) ORDER BY c",
} as const satisfies Readonly<Record<string, string>>

/** The name of such a question. */
export type ClinicQuestion = keyof typeof clinicQuestions
