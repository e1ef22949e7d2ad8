// Intervals of whole answers: each question is answered many times through the engine, and its intervals hold
// what the database itself says at least as often as they claim. The full table is `npm run bench -- accuracy
// --only intervals`.

import { DuckDBInstance } from "@duckdb/node-api"
import type { Accounting } from "@dosimeter/core"
import { clopperPearson, freshSeed, seededBits, spendAlpha } from "@dosimeter/core/testing"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { AnswerCell } from "@dosimeter/answers/shown/answer-table"
import { Lab, type Value } from "../testing/lab.ts"

const alpha = 1e-9
const confidence = 0.95
const runsUsual = 500
const seed = freshSeed()
const policy = `dataset: stays
source: { duckdb: stays.duckdb }
neighbours: add-or-remove
budget: { epsilon: 1000, delta: 1e-3, accounting: zcdp }
question: { epsilon: { default: 1, max: 1000 }, delta: 1e-6, confidence: ${confidence} }
bounding: { groups_per_unit: 1, rows_per_group: 1, norm: fixed }
tables:
  stays:
    unit: person_id
    columns:
      sex: { values: [f, m], nullable: false }
      band: { type: integer, min: 0, max: 3, nullable: false }
      code: { type: integer }
      days: { type: integer, min: 0, max: 40, nullable: false }
      fee: { type: float, min: 0, max: 200, nullable: false }
`
let folder = ""
let lab: Lab

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "dosimeter-coverage-"))
  const instance = await DuckDBInstance.create(join(folder, "stays.duckdb"))
  const connection = await instance.connect()
  // Codes 0, 1, ... are held by 80, 40, 20, ... people.
  await connection.run(`CREATE TABLE stays AS SELECT p AS person_id,
      CASE WHEN p % 5 < 3 THEN 'f' ELSE 'm' END AS sex, CAST(p % 7 // 2 AS INTEGER) AS band,
      CAST(floor(log2(160.0 / (160 - p))) AS INTEGER) AS code, CAST((p * p) % 41 AS INTEGER) AS days,
      CAST((p * 37) % 193 AS DOUBLE) AS fee
    FROM range(160) r(p)`)
  connection.closeSync()
  instance.closeSync()
  lab = await Lab.open(policy, folder, seededBits(seed))
})

afterAll(async () => {
  await lab.close()
  rmSync(folder, { recursive: true })
})

/** A question, the row of its answer that is looked at, and what the database says of it. */
interface Question {
  readonly name: string
  readonly sql: string
  /** The key of the row, where there are several. */
  readonly key?: Value
  readonly plain?: string
  readonly runs?: number
}

const bySex = "SELECT sex, COUNT(*) AS n FROM stays GROUP BY sex"
const questions: readonly Question[] = [
  {
    name: "counts, sums and means",
    sql: `SELECT sex, COUNT(*), COUNT(*) FILTER (WHERE band = 1), SUM(fee), AVG(fee), ROUND(AVG(fee), 0),
        COUNT(*) FILTER (WHERE band = 1) * 1.0 / COUNT(*),
        CASE WHEN COUNT(*) > 95 THEN COUNT(*) ELSE 0 END
      FROM stays GROUP BY sex`,
    key: "f",
  },
  { name: "variances", sql: "SELECT VAR_POP(fee), STDDEV_SAMP(fee) FROM stays" },
  {
    name: "quantiles",
    sql: `SELECT ${[0.25, 0.5, 0.75]
      .map((fraction) => `PERCENTILE_DISC(${fraction}) WITHIN GROUP (ORDER BY days)`)
      .join(", ")} FROM stays`,
  },
  {
    name: "the count of a private key that is often not shown",
    sql: "SELECT code, COUNT(DISTINCT person_id) FROM stays GROUP BY code",
    key: 2,
    // Shown one time in fourteen: about 110 intervals, and 50 or fewer less than once in 10^9.
    runs: 1600,
  },
  {
    name: "sums and extremes over groups",
    sql: `SELECT SUM(n), MAX(n), MIN(n) FROM (${bySex}) AS t`,
  },
  {
    name: "shares of the total",
    sql: `SELECT sex, n * 1.0 / SUM(n) OVER () FROM (${bySex}) AS t`,
    key: "m",
  },
]
const accountings: readonly Accounting[] = ["pure", "zcdp"]

test.each(questions.flatMap((question) => accountings.map((accounting) => ({ ...question, accounting }))))(
  "[E1] intervals hold as often as they say: $name, $accounting",
  async ({ sql, key, plain = sql, runs = runsUsual, accounting }) => {
    const question = await lab.ask(sql, {
      epsilon: "1",
      delta: "1e-6",
      accounting,
      groups: 1,
      quantileIntervals: true,
    })
    if (typeof question === "string") throw new Error(question)
    const truth = (await lab.truth(plain)).find((row) => key === undefined || row[0] === key) ?? []
    const first = key === undefined ? 0 : 1
    const tallies = truth.slice(first).map(() => ({ intervals: 0, missed: 0 }))
    for (let run = 0; run < runs; run += 1) {
      const row = question.answer().rows.find(([cell]) => key === undefined || cell?.value === key)
      row?.slice(first).forEach((cell, place) => {
        const tally = tallies[place]
        if (tally === undefined || cell.value === null) return
        tally.intervals += 1
        if (!holds(cell, truth[first + place])) tally.missed += 1
      })
    }
    tallies.forEach(({ intervals, missed }, place) => {
      spendAlpha(alpha)
      expect(intervals, "intervals").toBeGreaterThan(50)
      const { lower } = clopperPearson({ successes: missed, trials: intervals, alpha })
      expect(lower, `column ${place}: ${missed} of ${intervals} missed, SEED=${seed}`).toBeLessThanOrEqual(
        1 - confidence,
      )
    })
  },
)

function holds({ low, high }: AnswerCell, exact: Value | undefined): boolean {
  if (low === undefined || high === undefined || exact === null || exact === undefined) return false
  const slack = 1e-9 * Math.max(1, Math.abs(Number(exact)))
  return (
    Number(low ?? -Infinity) - slack <= Number(exact) && Number(exact) <= Number(high ?? Infinity) + slack
  )
}
