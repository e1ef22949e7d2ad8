// The classes of questions that are measured in databases: as asked, with their bounds and a goal on DuckDB.

/** A class of questions. */
export interface QuestionClass {
  readonly name: string
  readonly policy: "people" | "records"
  readonly sql: string
  /** As people would ask it, where that differs. */
  readonly plain?: string
  readonly groups?: bigint
  readonly rows?: bigint
  /** The largest ratio of the prepared form to the plain query. */
  readonly goal: number
}

const byMonth = "SELECT month, SUM(cost) FROM cond GROUP BY month"
const byDate = "SELECT date_trunc('month', day) AS month, SUM(cost) FROM cond GROUP BY 1"
const bySex =
  "SELECT p.sex, COUNT(*), SUM(c.cost) FROM cond AS c JOIN person AS p ON p.person_id = c.person_id GROUP BY p.sex"
/** What is measured. */
export const classes: readonly QuestionClass[] = [
  {
    name: "A person's key",
    policy: "people",
    sql: "SELECT sex, COUNT(*), SUM(weight) FROM person GROUP BY sex",
    goal: 1.1,
  },
  { name: "B joined with person", policy: "people", sql: bySex, rows: 4n, goal: 0.4 },
  {
    name: "C persons by code",
    policy: "people",
    sql: "SELECT concept_id, COUNT(DISTINCT person_id) FROM cond GROUP BY concept_id",
    groups: 8n,
    rows: 1n,
    goal: 0.4,
  },
  { name: "D sum by month", policy: "people", sql: byMonth, groups: 12n, rows: 1n, goal: 0.4 },
  { name: "D sum by date's month", policy: "people", sql: byDate, groups: 12n, rows: 1n, goal: 0.4 },
  {
    name: "E rows by code",
    policy: "people",
    sql: "SELECT concept_id, COUNT(*) FROM cond GROUP BY concept_id",
    groups: 8n,
    rows: 2n,
    goal: 0.5,
  },
  {
    name: "E with key selection",
    policy: "people",
    sql: "SELECT code, COUNT(*) FROM cond GROUP BY code",
    groups: 8n,
    rows: 2n,
    goal: 0.5,
  },
  { name: "F median", policy: "people", sql: "SELECT MEDIAN(cost) FROM cond", rows: 4n, goal: 0.15 },
  {
    name: "G sum and count",
    policy: "people",
    sql: "SELECT SUM(cost), COUNT(*) FROM cond",
    rows: 4n,
    goal: 0.3,
  },
  { name: "R record-level sum", policy: "records", sql: "SELECT SUM(cost) FROM cond", goal: 0.7 },
]
