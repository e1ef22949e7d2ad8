// Every kind of question that several sites answer: without the noise that was drawn, what they add up is,
// number by number, what one database with all rows measures, and what is read from it is what SQL says.

import { DuckDBInstance } from "@duckdb/node-api"
import { sampleOf } from "@dosimeter/core/testing"
import { afterAll, beforeAll, expect, test } from "vitest"
import { answerOfNumbers, exactAsk, ExactSites } from "../testing/exact-sites.ts"
import { freshHome } from "../testing/fresh-home.ts"
import { planJob } from "./plan-job.ts"

const policyText = `dataset: study
source: { duckdb: data.duckdb }
unit: patient
neighbours: add-or-remove
budget: { epsilon: 200, delta: 1e-5, accounting: ACCOUNTING }
question: { epsilon: { default: 1, max: 4 }, delta: 1e-8, confidence: 0.95 }
bounding: { groups_per_unit: 1, rows_per_group: 1 }
tables:
  patients:
    unit: id
    keys: [[id]]
    columns:
      id: { type: integer }
      sex: { values: [f, m], nullable: false, type: text }
      ward: { values: [A, B, C, D, E], nullable: false, type: text }
      age: { min: 0, max: 100, type: integer, nullable: false }
      dose: { min: -2, max: 6, grid: 0.25, type: float, nullable: false }
`

/** Rows of patients from one number to another: a function of the number alone. */
const rows = (from: number, to: number): string =>
  `SELECT i::INTEGER AS id, CASE WHEN (i * 7) % 11 < 4 THEN 'f' ELSE 'm' END AS sex,
     ['A', 'B', 'C', 'D', 'E'][1 + least(i % 5, (i * 3) % 7)] AS ward,
     ((i * 37) % 101)::INTEGER AS age, (((i * 11) % 29) / 4.0 - 1.5)::DOUBLE AS dose
   FROM range(${from}, ${to}) r(i)`
const parts = [
  [0, 211],
  [211, 700],
  [700, 760],
] as const
const all = [0, 760] as const
const none = [0, 0] as const
const accountings = sampleOf(["zcdp", "pure"], 1)
const opened = new Map<string, ExactSites>()

beforeAll(async () => {
  freshHome()
  const scripts = [...parts, all, none].map(([from, to]) => `CREATE TABLE patients AS ${rows(from, to)}`)
  for (const accounting of accountings) {
    opened.set(accounting, await ExactSites.open(policyText.replace("ACCOUNTING", accounting), scripts))
  }
})

afterAll(async () => {
  for (const sites of opened.values()) await sites.close()
})

async function inSql(sql: string): Promise<readonly (readonly unknown[])[]> {
  const instance = await DuckDBInstance.create(":memory:")
  const connection = await instance.connect()
  await connection.run(`CREATE TABLE patients AS ${rows(...all)}`)
  const found = await connection.runAndReadAll(sql)
  const json = found.getRowsJson()
  connection.closeSync()
  instance.closeSync()
  return json
}

const inOrder = (table: readonly (readonly unknown[])[]): readonly (readonly unknown[])[] =>
  table.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

const quantile = (share: number): string => `WITH bands AS (
    SELECT FLOOR(age / 5) AS band, COUNT(*) AS n FROM patients GROUP BY FLOOR(age / 5)),
  upto AS (SELECT band, SUM(n) OVER (ORDER BY band) AS below, SUM(n) OVER () AS total FROM bands)
  SELECT MIN(band) * 5 AS q FROM upto WHERE below >= total * ${share}`

/** What can be asked, by what it is. Where a database spells it otherwise, its SQL stands beside. */
const questions: readonly (readonly [what: string, sql: string])[] = [
  ["counts", "SELECT sex, COUNT(*) AS n FROM patients GROUP BY sex ORDER BY sex"],
  ["a sum over some", "SELECT SUM(dose) AS s FROM patients WHERE age > 40"],
  ["means and variances", "SELECT ward, AVG(age) AS mean, VAR_POP(age) AS v FROM patients GROUP BY ward"],
  ["a deviation", "SELECT STDDEV(dose) AS s, COUNT(*) AS n FROM patients"],
  ["a histogram", "SELECT FLOOR(age / 5) AS band, COUNT(*) AS n FROM patients GROUP BY FLOOR(age / 5)"],
  ["margins", "SELECT sex, ward, COUNT(*) AS n FROM patients GROUP BY CUBE (sex, ward)"],
  ["a tree", "SELECT sex, ward, COUNT(*) AS n FROM patients GROUP BY ROLLUP (sex, ward)"],
  [
    "the largest of listed groups",
    "SELECT ward, COUNT(*) AS n FROM patients GROUP BY ward ORDER BY n DESC LIMIT 2",
  ],
  ["a median by a histogram", quantile(0.5)],
  ["an upper quartile by a histogram", quantile(0.75)],
]

test.each(sampleOf(questions, 5))("%s: pooled is central, and is what SQL says", async (_, sql) => {
  for (const accounting of accountings) {
    const sites = opened.get(accounting)
    if (sites === undefined) throw new Error("there are no such sites")
    const places = parts.map((_part, place) => place)
    const pooled = await sites.pooled(places, sql)
    expect(pooled).toEqual(await sites.numbersAt(parts.length, sql))
    const shown = answerOfNumbers(planJob(sql, exactAsk, 1, sites.study).plan, pooled)
    const wanted = await inSql(sql)
    const [got, expected] = /ORDER BY \w+( DESC LIMIT 2)?$/.test(sql)
      ? [shown, wanted]
      : [inOrder(shown), inOrder(wanted)]
    expect(got.length).toBe(expected.length)
    for (const [row, values] of got.entries()) {
      for (const [column, value] of values.entries()) {
        const other = expected[row]?.[column]
        if (typeof value === "number") expect(Math.abs(value - Number(other))).toBeLessThan(1e-10)
        else expect(value).toBe(other)
      }
    }
  }
})
