// Intervals of what sites add up, over many sums with real shares of noise, with all sites and without those
// that dropped out: they hold what the database says of the rows that are in the sum as often as they claim.
// And those of a meta-analysis of what sites have answered by themselves.

import { DuckDBInstance } from "@duckdb/node-api"
import type { AnswerCell } from "@dosimeter/answers/shown/answer-table"
import { releaseShare, type ShareSpec } from "@dosimeter/core/distributed"
import { clopperPearson, freshSeed, seededBits, spendAlpha } from "@dosimeter/core/testing"
import type { VerifiedPlan } from "@dosimeter/proof/verify/verify"
import { afterAll, beforeAll, expect, test } from "vitest"
import { answerOf } from "../answer/answer.ts"
import { DrawNumbers } from "../answer/noisy-table.ts"
import { noisyTables, postProcessTables } from "../answer/post-process.ts"
import { rowsOfSum, sharesOf } from "../release/release-shares.ts"
import { exactAsk, ExactSites } from "../testing/exact-sites.ts"
import { freshHome } from "../testing/fresh-home.ts"
import { planJob } from "./plan-job.ts"
import { poolSites, type PooledSites, type SiteTable } from "./pool-sites.ts"

const alpha = 1e-9
const confidence = 0.95
const runs = 1500
const seed = freshSeed()
const rng = seededBits(seed)
const policyText = `dataset: study
source: { duckdb: data.duckdb }
unit: patient
neighbours: add-or-remove
budget: { epsilon: 200, delta: 1e-5, accounting: ACCOUNTING }
question: { epsilon: { default: 1, max: 4 }, delta: 1e-8, confidence: ${confidence} }
bounding: { groups_per_unit: 1, rows_per_group: 1 }
tables:
  patients:
    unit: id
    keys: [[id]]
    columns:
      id: { type: integer }
      arm: { values: [new, old], nullable: false, type: text }
      bled: { min: 0, max: 1, type: integer, nullable: false }
      age: { min: 0, max: 100, type: integer, nullable: false }
`
/** Patients of five sites, from one number to another; the last list is of nobody. */
const parts = [
  [0, 900],
  [900, 1300],
  [1300, 2600],
  [2600, 3100],
  [3100, 3400],
  [0, 0],
] as const
const rows = (from: number, to: number): string =>
  `SELECT i::INTEGER AS id, CASE WHEN (i * 7) % 11 < 5 THEN 'new' ELSE 'old' END AS arm,
     (CASE WHEN (i * 13) % 17 < 6 THEN 1 ELSE 0 END)::INTEGER AS bled, ((i * 37) % 101)::INTEGER AS age
   FROM range(${from}, ${to}) r(i)`
const accountings = ["zcdp", "pure"] as const
const opened = new Map<string, ExactSites>()

beforeAll(async () => {
  freshHome()
  const scripts = parts.map(([from, to]) => `CREATE TABLE patients AS ${rows(from, to)}`)
  for (const accounting of accountings) {
    opened.set(accounting, await ExactSites.open(policyText.replace("ACCOUNTING", accounting), scripts))
  }
})

afterAll(async () => {
  for (const sites of opened.values()) await sites.close()
})

function sitesUnder(accounting: string): ExactSites {
  const sites = opened.get(accounting)
  if (sites === undefined) throw new Error("there are no such sites")
  return sites
}

/** What the database itself says of the rows of some sites. */
async function truthOf(sql: string, places: readonly number[]): Promise<readonly (readonly unknown[])[]> {
  const instance = await DuckDBInstance.create(":memory:")
  const connection = await instance.connect()
  const tables = places.map((place) => {
    const [from, to] = parts[place] ?? parts[0]
    return rows(from, to)
  })
  await connection.run(`CREATE TABLE patients AS ${tables.join(" UNION ALL ")}`)
  const found = await connection.runAndReadAll(sql)
  const json = found.getRowsJson()
  connection.closeSync()
  instance.closeSync()
  return json
}

/** Exact numbers as a share takes them: what a site sends by itself is in the steps of its own share. */
function inSteps(numbers: readonly bigint[], shares: readonly ShareSpec[]): readonly (readonly bigint[])[] {
  let from = 0
  return shares.map((share) => {
    const own = numbers.slice(from, from + share.numbers)
    from += share.numbers
    return share.kind === "bell-share" ? own.map((number) => number >> BigInt(share.finer)) : own
  })
}

/** A sum with fresh shares of the noise of every site in it. */
function drawnSum(
  shares: readonly ShareSpec[],
  exact: readonly (readonly (readonly bigint[])[])[],
): readonly bigint[] {
  const vectors = exact.map((site) => shares.flatMap((share, at) => releaseShare(share, site[at] ?? [], rng)))
  const [first = [], ...others] = vectors
  return first.map((number, at) => others.reduce((sum, vector) => sum + (vector[at] ?? 0n), number))
}

const isIn = ({ low, high }: AnswerCell, value: unknown): boolean =>
  Number(low) <= Number(value) && Number(value) <= Number(high)

/** So many misses prove that intervals hold less often than in this share of all runs: by chance in 1e-9. */
const isProven = (missed: number, least = confidence): boolean =>
  clopperPearson({ successes: missed, trials: runs, alpha }).lower > 1 - least

function check(name: string, missed: number, least = confidence): void {
  spendAlpha(alpha)
  expect(isProven(missed, least), `${name}: ${missed} of ${runs} missed, SEED=${seed}`).toBe(false)
}

test("intervals a third too narrow would be noticed but in 1e-9 of all runs, a fifth in most of them", () => {
  // P(|Z| > 1.96 * 2 / 3) and P(|Z| > 1.96 * 4 / 5); six deviations less than expected, and as expected.
  const [third, fifth] = [0.1914, 0.1169]
  expect(isProven(Math.floor(runs * third - 6 * Math.sqrt(runs * third * (1 - third))))).toBe(true)
  expect(isProven(Math.floor(runs * fifth))).toBe(true)
})

const sql = `SELECT arm, COUNT(*) AS n, SUM(age) AS years, AVG(age) AS age, AVG(bled) AS risk
  FROM patients GROUP BY arm ORDER BY arm`
const settings = accountings.flatMap((accounting) =>
  [
    ["all sites", [0, 1, 2, 3, 4]],
    ["a site dropped out", [0, 1, 2, 4]],
    ["as many dropped out as may", [0, 2, 4]],
  ].map(([name, places]) => ({ accounting, name: String(name), places: places as readonly number[] })),
)

test.each(settings)(
  "counts, sums and means hold as stated: $accounting, $name",
  async ({ accounting, places }) => {
    for (const [name, count] of await missedOf({ accounting, places, believed: places.length })) {
      check(name, count)
    }
  },
)

test("that fewer sites' noise is in the sum than arrived would be noticed", async () => {
  const places = [0, 1, 2, 3, 4]
  const missed = await missedOf({ accounting: "zcdp", places, believed: 2 })
  expect(isProven(missed.get("new n") ?? 0)).toBe(true)
  expect(isProven(missed.get("old years") ?? 0)).toBe(true)
})

/** Five sites of which three are enough, and one of these knows its own share. */
const honest = 2

/** How often each interval missed what the database says, where so many sites' noise is taken for there. */
async function missedOf({
  accounting,
  places,
  believed,
}: {
  readonly accounting: string
  readonly places: readonly number[]
  readonly believed: number
}): Promise<ReadonlyMap<string, number>> {
  const sites = sitesUnder(accounting)
  const { plan } = planJob(sql, exactAsk, honest, sites.study)
  const shares = sharesOf(plan, honest)
  const alone = sharesOf(planJob(sql, exactAsk, 1, sites.study).plan, 1)
  const exact: (readonly (readonly bigint[])[])[] = []
  for (const place of places) exact.push(inSteps(await sites.numbersAt(place, sql), alone))
  const truth = await truthOf(sql, places)
  const names = ["arm", "n", "years", "age", "risk"]
  const missed = new Map<string, number>()
  for (let run = 0; run < runs; run += 1) {
    const { plan: arrived, table } = tableOf(plan, {
      numbers: drawnSum(shares, exact),
      honest,
      survivors: believed,
    })
    const cells = answerOf(table, arrived).rows
    for (const [row, [arm, ...values]] of truth.entries()) {
      for (const [at, value] of values.entries()) {
        const cell = cells[row]?.[at + 1]
        const name = `${String(arm)} ${names[at + 1] ?? ""}`
        const isHeld = cell !== undefined && isIn(cell, value)
        missed.set(name, (missed.get(name) ?? 0) + Number(!isHeld))
      }
    }
  }
  expect(missed.size).toBe(8)
  return missed
}

function tableOf(planned: VerifiedPlan, sum: Parameters<typeof rowsOfSum>[1]) {
  const { plan, rows: noisy } = rowsOfSum(planned, sum)
  return { plan, table: postProcessTables(plan, noisyTables(plan, noisy, new DrawNumbers()), new Map()) }
}

// A meta-analysis: in every run each site has other people, drawn with the same risks, and noise of its own.

const counted = "SELECT arm, COUNT(*) AS n, SUM(bled) AS bleeds FROM patients GROUP BY arm ORDER BY arm"
const risks = { new: 0.25, old: 0.35 } as const
const sizes = [700, 400, 900]

/** How many of so many people something happens to. */
function binomial(of: number, chance: number): number {
  const words = new Uint32Array(of)
  rng.fill(words)
  return words.reduce((sum, word) => sum + Number(word < chance * 2 ** 32), 0)
}

test.each([
  ["risk-difference", risks.new - risks.old],
  ["odds-ratio", (risks.new / (1 - risks.new)) * ((1 - risks.old) / risks.old)],
] as const)(
  "a meta-analysis of noisy answers holds as stated where sites are alike: %s",
  (measure, truth) => {
    const { study } = sitesUnder("zcdp")
    const { plan } = planJob(counted, exactAsk, 1, study)
    const shares = sharesOf(plan, 1)
    const missed = { fixed: 0, random: 0, hartungKnapp: 0, site: 0 }
    for (let run = 0; run < runs; run += 1) {
      const tables = sizes.map((size, site): SiteTable => {
        const arms = (["new", "old"] as const).map((arm) => [binomial(size, risks[arm]), size] as const)
        const exact = [measured(arms)]
        const { plan: own, table } = tableOf(plan, {
          numbers: drawnSum(shares, [exact]),
          honest: 1,
          survivors: 1,
        })
        return { site: `${site}`, names: own.outputNames, table }
      })
      const pooled = poolSites(tables, {
        measure,
        count: "n",
        events: "bleeds",
        by: "arm",
        first: "new",
        second: "old",
      })
      const isMissed = ({ low, high }: PooledSites["fixed"]): number => Number(truth < low || truth > high)
      missed.fixed += isMissed(pooled.fixed)
      missed.random += isMissed(pooled.random)
      missed.hartungKnapp += isMissed(pooled.hartungKnapp)
      missed.site += pooled.sites.slice(0, 1).reduce((sum, one) => sum + isMissed(one), 0)
    }
    // Variances are estimated, and carried through formulas to first order: that costs less than this.
    for (const [name, count] of Object.entries(missed)) check(name, count, confidence - 0.005)
  },
)

/** What a site measures of the question: of each arm the events, and those without. */
function measured(arms: readonly (readonly [events: number, all: number])[]): readonly bigint[] {
  return arms.flatMap(([events, all]) => [BigInt(events), BigInt(all - events)])
}

test("a site measures what is drawn here", async () => {
  const sites = sitesUnder("zcdp")
  const shares = sharesOf(planJob(counted, exactAsk, 1, sites.study).plan, 1)
  const truth = await truthOf(counted, [0])
  const arms = truth.map(([, all, events]) => [Number(events), Number(all)] as const)
  expect(inSteps(await sites.numbersAt(0, counted), shares)).toEqual([measured(arms)])
})
