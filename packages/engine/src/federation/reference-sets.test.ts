// Published data over three sites: without the noise that was drawn, what is read from the sum is what the
// pooled data say, and what was published.

import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { hazardRatio, logRankTest, publicNumbers } from "@dosimeter/core/post"
import type { AnswerValue } from "@dosimeter/answers/shown/answer-table"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { answerOfNumbers, exactAsk, ExactSites } from "../testing/exact-sites.ts"
import { freshHome } from "../testing/fresh-home.ts"
import { planJob } from "./plan-job.ts"

// Freireich and others 1963, in Gehan 1965: weeks of remission of 42 children; + is still in remission.
const mercaptopurine = "6 6 6 7 10 13 16 22 23 6+ 9+ 10+ 11+ 17+ 19+ 20+ 25+ 32+ 32+ 34+ 35+"
const placebo = "1 1 2 2 3 4 4 5 5 8 8 8 8 11 11 12 12 15 17 22 23"
const children = [mercaptopurine, placebo].flatMap((weeks, drug) =>
  weeks.split(" ").map((week) => ({ week: Number.parseInt(week, 10), relapsed: !week.endsWith("+"), drug })),
)

const policy = `dataset: leukaemia
source: { duckdb: data.duckdb }
unit: child
neighbours: add-or-remove
budget: { epsilon: 200, delta: 1e-5, accounting: zcdp }
question: { epsilon: { default: 1, max: 4 }, delta: 1e-8, confidence: 0.95 }
bounding: { groups_per_unit: 1, rows_per_group: 1 }
tables:
  children:
    unit: id
    keys: [[id]]
    columns:
      id: { type: integer }
      drug: { values: [mercaptopurine, placebo], nullable: false, type: text }
      week: { min: 0, max: 35, type: integer, nullable: false }
      relapsed: { type: boolean, nullable: false }
`

/** The children of whom `keeps` is true. */
function script(keeps: (place: number) => boolean): string {
  const rows = children.map(({ week, relapsed, drug }, place) =>
    keeps(place) ? `(${place}, '${drug === 0 ? "mercaptopurine" : "placebo"}', ${week}, ${relapsed})` : "",
  )
  const kept = rows.filter((row) => row !== "")
  const create = "CREATE TABLE children (id INTEGER, drug TEXT, week INTEGER, relapsed BOOLEAN)"
  return kept.length === 0 ? create : `${create}; INSERT INTO children VALUES ${kept.join(", ")}`
}

const bins = `WITH bins AS (
    SELECT drug, week, COUNT(*) FILTER (WHERE relapsed) AS relapses,
           COUNT(*) FILTER (WHERE NOT relapsed) AS censored
    FROM children GROUP BY drug, week)`
const [three, all] = [[0, 1, 2], [3]] as const

let sites: ExactSites

beforeAll(async () => {
  freshHome()
  // Small, large and uneven: which child is where has nothing to do with the drug or the week.
  const siteOf = (place: number): number => ((place * 7) % 11 < 2 ? 0 : (place * 5) % 13 < 9 ? 1 : 2)
  sites = await ExactSites.open(policy, [
    ...three.map((site) => script((place) => siteOf(place) === site)),
    script(() => true),
    script(() => false),
  ])
})

afterAll(() => sites.close())

/** The same rows from the sum of three sites as from all children at one; those rows. */
async function pooledRows(sql: string): Promise<readonly (readonly AnswerValue[])[]> {
  const pooled = await sites.pooled(three, sql)
  expect(pooled).toEqual(await sites.pooled(all, sql))
  return answerOfNumbers(planJob(sql, exactAsk, 1, sites.study).plan, pooled)
}

test("survival over three sites is that of Freireich's children, as published", async () => {
  const rows = await pooledRows(`${bins}
    SELECT week, AT_RISK(relapses, censored) OVER w AS at_risk, KAPLAN_MEIER(relapses, censored) OVER w AS s
    FROM bins WHERE drug = 'mercaptopurine' WINDOW w AS (ORDER BY week) ORDER BY week`)
  const published = [
    [6, 21, 6 / 7],
    [7, 17, 0.8067],
    [10, 15, 0.7529],
    [13, 12, 0.6902],
    [16, 11, 0.6275],
    [22, 7, 0.5378],
    [23, 6, 0.4482],
  ]
  for (const [week, atRisk, survival] of published) {
    const row = rows.find(([own]) => own === week)
    expect(row?.[1]).toBe(atRisk)
    expect(Number(row?.[2])).toBeCloseTo(survival ?? 0, 4)
  }
})

test("and so are the log-rank test and the hazard ratio", async () => {
  const rows = await pooledRows(`${bins} SELECT drug, week, relapses, censored FROM bins ORDER BY drug, week`)
  const column = (place: number, drug: string): readonly number[] =>
    rows.filter(([own]) => own === drug).map((row) => Number(row[place]))
  const histogram = ["mercaptopurine", "placebo"].flatMap((drug) => [...column(2, drug), ...column(3, drug)])
  // Without noise: in SQL both know how much there is in the counts.
  const numbers = publicNumbers(histogram)
  expect(logRankTest(numbers, 2)?.chiSquare.toFixed(6)).toBe("16.792941")
  const { value = 0 } = hazardRatio(numbers, 0.05)
  // Cox's model has 1.509 by Breslow's rule; one with a rate a week is near it (epidemiology.test.ts).
  expect(Math.log(value)).toBeGreaterThan(1.4)
  expect(Math.log(value)).toBeLessThan(1.7)
})

test("both can be asked of three sites as SQL", () => {
  const sql = `${bins} SELECT LOG_RANK_P(relapses, censored, week, drug) AS p,
    HAZARD_RATIO(relapses, censored, week, drug) AS ratio FROM bins`
  const { plan, shares } = planJob(sql, exactAsk, 2, sites.study)
  // One histogram: each child is in one cell of 2 drugs, 36 weeks, and relapsed, not, or not known.
  expect(shares.map(({ numbers }) => numbers)).toEqual([2 * 36 * 3])
  expect(plan.outputNames).toEqual(["p", "ratio"])
})

test("the example of docs/guides/federation.md is one histogram", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../../docs/guides/federation.md"), "utf8")
  const [, sql = ""] = page.match(/^```sql\n(WITH histogram[^]*?)^```/m) ?? []
  const catalog = policy
    .replace("children:", "patients:")
    .replace("drug: { values: [mercaptopurine, placebo]", "arm: { values: [new, old]")
    .replace("week: { min: 0, max: 35", "days: { min: 0, max: 719")
    .replace("relapsed:", "died:")
  const { shares } = planJob(sql, exactAsk, 2, { ...sites.study, policy: readPolicy(catalog) })
  expect(shares.map(({ numbers }) => numbers)).toEqual([2 * 8 * 2])
})
