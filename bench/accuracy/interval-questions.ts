// Questions whose intervals are put to the test: every kind of answer, and what is worked out from them.

/** A question, and how its rows are told apart. */
export interface IntervalQuestion {
  readonly name: string
  readonly sql: string
  /** How many columns come first that are keys. */
  readonly keys: number
  /** The same in the database's own words, where they differ. */
  readonly plain?: string
}

const byWard = "SELECT ward, COUNT(*) AS n, SUM(fee) AS fees FROM small GROUP BY ward"
const isF = "FILTER (WHERE sex = 'f')"

/** A grouped question over the small table. */
function grouped(name: string, columns: string, more = ""): IntervalQuestion {
  return { name, sql: `SELECT ward, ${columns} FROM small GROUP BY ward ${more}`, keys: 1 }
}

/** A question about everybody. */
function single(name: string, columns: string, from = "small"): IntervalQuestion {
  return { name, sql: `SELECT ${columns} FROM ${from}`, keys: 0 }
}

/** The questions. */
export const intervalQuestions: readonly IntervalQuestion[] = [
  grouped("counts", `COUNT(*) AS rows_, COUNT(DISTINCT person_id) AS people, COUNT(*) ${isF} AS women`),
  grouped("distinct values", "COUNT(DISTINCT band) AS bands"),
  grouped("sums", "SUM(fee) AS fees, SUM(fee - 50) AS centred"),
  grouped("mean", "AVG(fee) AS mean"),
  grouped("mean with count and sum", "COUNT(*) AS n, SUM(fee) AS fees, AVG(fee) AS mean"),
  grouped(
    "means that share a count",
    "AVG(band) AS mean, AVG(band * band) AS square, AVG(LEAST(band, 2)) AS low",
  ),
  grouped("variance", "VAR_POP(fee) AS variance, STDDEV_POP(fee) AS deviation"),
  single("variance of all", "VAR_POP(fee) AS variance, STDDEV_SAMP(fee) AS deviation, AVG(fee) AS mean"),
  grouped("median", percentile(0.5)),
  single("median of a float", "MEDIAN(fee) AS middle"),
  single("three quantiles", [0.25, 0.5, 0.75].map(percentile).join(", ")),
  single("nine quantiles", [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9].map(percentile).join(", ")),
  single("range of the middle half", `${percentile(0.75)} - ${percentile(0.25)}`.replaceAll(/ AS q\d+/g, "")),
  {
    ...grouped("private keys", "COUNT(DISTINCT person_id) AS people"),
    sql: "SELECT code, COUNT(DISTINCT person_id) AS people FROM small GROUP BY code",
  },
  {
    ...grouped("private keys, a long tail", ""),
    sql: "SELECT code, COUNT(DISTINCT person_id) AS people FROM tail GROUP BY code",
  },
  {
    ...grouped("private keys and sums", ""),
    sql: "SELECT code, SUM(fee) AS fees, AVG(fee) AS mean FROM small GROUP BY code",
  },
  grouped("ratio", `SUM(fee) / COUNT(*) AS mean, COUNT(*) ${isF} * 1.0 / COUNT(*) AS share`),
  grouped("difference", `COUNT(*) ${isF} - COUNT(*) FILTER (WHERE sex = 'm') AS more_women`),
  grouped(
    "rounded",
    "ROUND(AVG(fee), 0) AS mean, ROUND(COUNT(*) / 7.0) AS sevenths, FLOOR(SUM(fee)) AS whole",
  ),
  grouped(
    "case",
    "CASE WHEN COUNT(*) > 50 THEN COUNT(*) ELSE 0 END AS large, GREATEST(COUNT(*), 50) AS least_50",
  ),
  grouped(
    "functions",
    "SQRT(GREATEST(COUNT(*), 0)) AS root, LN(GREATEST(COUNT(*), 1)) AS log, ABS(COUNT(*) - 50) AS far",
  ),
  grouped("product", `COUNT(*) ${isF} * COUNT(*) FILTER (WHERE sex = 'm') AS pairs`),
  single("sum over groups", "SUM(n) AS n, AVG(n) AS mean", `(${byWard}) AS t`),
  single("extremes over groups", "MAX(n) AS most, MIN(n) AS fewest", `(${byWard}) AS t`),
  {
    name: "share of the total",
    sql: `SELECT ward, n * 1.0 / SUM(n) OVER () AS share,
        SUM(n) OVER (ORDER BY ward ROWS UNBOUNDED PRECEDING) AS up_to
      FROM (${byWard}) AS t`,
    keys: 1,
  },
  {
    name: "change from the ward before",
    sql: `SELECT ward, n - LAG(n) OVER (ORDER BY ward) AS change FROM (${byWard}) AS t`,
    keys: 1,
  },
  {
    name: "risks",
    sql: `SELECT ward, RISK(f, n) AS risk, RISK_RATIO(f, n, m, n) AS ratio,
        ODDS_RATIO(f, n - f, m, n - m) AS odds
      FROM (SELECT ward, COUNT(*) AS n, COUNT(*) ${isF} AS f, COUNT(*) FILTER (WHERE band < 2) AS m
        FROM small GROUP BY ward) AS t`,
    plain: `SELECT ward, f * 1.0 / n, f * 1.0 / m, (f * 1.0 / (n - f)) / (m * 1.0 / (n - m))
      FROM (SELECT ward, COUNT(*) AS n, COUNT(*) ${isF} AS f, COUNT(*) FILTER (WHERE band < 2) AS m
        FROM small GROUP BY ward) AS t`,
    keys: 1,
  },
  {
    name: "shown by HAVING",
    sql: "SELECT ward, COUNT(*) AS n FROM small GROUP BY ward HAVING COUNT(*) > 55",
    plain: "SELECT ward, COUNT(*) AS n FROM small GROUP BY ward",
    keys: 1,
  },
  {
    name: "the largest",
    sql: "SELECT ward, COUNT(*) AS n FROM small GROUP BY ward ORDER BY n DESC LIMIT 1",
    plain: "SELECT ward, COUNT(*) AS n FROM small GROUP BY ward",
    keys: 1,
  },
  {
    name: "margins",
    sql: "SELECT sex, band, COUNT(*) AS n FROM small GROUP BY CUBE (sex, band)",
    keys: 2,
  },
  {
    name: "sum over margins",
    sql: `SELECT SUM(n) AS twice FROM (SELECT sex, band, COUNT(*) AS n FROM small
      GROUP BY GROUPING SETS ((sex), (band))) AS t`,
    keys: 0,
  },
]

function percentile(fraction: number): string {
  return `PERCENTILE_DISC(${fraction}) WITHIN GROUP (ORDER BY days) AS q${Math.round(100 * fraction)}`
}

/** The policy of the small table. One row a person. */
export const smallPolicy = `dataset: small
source: { duckdb: small.duckdb }
neighbours: add-or-remove
budget: { epsilon: 1000, delta: 1e-3, accounting: zcdp }
question: { epsilon: { default: 1, max: 1000 }, delta: 1e-6, confidence: 0.95 }
bounding: { groups_per_unit: 1, rows_per_group: 1, norm: fixed }
tables:
  small:
    unit: person_id
    columns:
      ward: { type: integer, min: 0, max: 5, nullable: false }
      sex: { values: [f, m], nullable: false }
      band: { type: integer, min: 0, max: 3, nullable: false }
      code: { type: integer }
      days: { type: integer, min: 0, max: 60, nullable: false }
      fee: { type: float, min: 0, max: 200, nullable: false }
  tail:
    unit: person_id
    columns:
      code: { type: integer }
`

/** Its rows: few, so that noise is large beside the answers; and hundreds of codes that few people hold. */
export const smallRows = `CREATE TABLE small AS
  SELECT p AS person_id, CAST(floor(6 * pow(u(p, 1), 1.3)) AS INTEGER) AS ward,
    CASE WHEN u(p, 2) < 0.6 THEN 'f' ELSE 'm' END AS sex, CAST(floor(4 * u(p, 3)) AS INTEGER) AS band,
    CAST(floor(100 * pow(u(p, 4), 5)) AS INTEGER) AS code, least(200, -50 * ln(u(p, 5))) AS fee,
    CAST(floor(least(60, -10 * ln(u(p, 6)))) AS INTEGER) AS days
  FROM range(300) r(p);
CREATE TABLE tail AS SELECT row_number() OVER () AS person_id, c AS code
  FROM range(400) a(c), range(50) b(p) WHERE p < 3 + c / 10`
