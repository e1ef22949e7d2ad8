// Whole intervals, of noise and of what bounding left out, on generated people who differ in how much they
// have: they hold what the database says of all rows at least as often as they claim, whatever the size of
// the group. What is left out is known exactly here; with norms that are learnt see
// learnt-coverage.stat.test.ts.

import { DuckDBInstance } from "@duckdb/node-api"
import {
  divide,
  multiply,
  numberNear,
  rational,
  rationalOfNumber,
  type Rational,
} from "@dosimeter/core/exact"
import { clopperPearson, freshSeed, seededBits, spendAlpha } from "@dosimeter/core/testing"
import { hasStrategy } from "@dosimeter/proof/algebra/measurement"
import type { LeftOutLength, ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { AnswerCell } from "@dosimeter/answers/shown/answer-table"
import { Lab } from "../testing/lab.ts"
import { isOwn, makeSkewed, skewedNames } from "../testing/skewed-tables.ts"

/** A tier of 200 intervals that hold less than 70 % of the time is found with a probability above 0.99. */
const alpha = 1e-10
const confidence = 0.95
const seed = freshSeed()

const policy = `dataset: skewed
source: { duckdb: skewed.duckdb }
neighbours: add-or-remove
budget: { epsilon: 1000, delta: 1e-3, accounting: zcdp }
question: { epsilon: { default: 1, max: 1000 }, delta: 1e-6, confidence: ${confidence} }
bounding: { groups_per_unit: 3, rows_per_group: 5 }
tables:
${skewedNames
  .map(
    (name) => `  ${name}:
    unit: person_id
    columns:
      code: { type: integer, min: 0, max: 199, nullable: false }
      ward: { type: integer, min: 0, max: 19, nullable: false }
      amount: { type: integer, min: 0, max: 1000, nullable: false }
      change: { type: integer, min: -1000, max: 1000, nullable: false }
`,
  )
  .join("")}`
let folder = ""
let lab: Lab

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "dosimeter-whole-"))
  const instance = await DuckDBInstance.create(join(folder, "skewed.duckdb"))
  const connection = await instance.connect()
  await makeSkewed(connection)
  connection.closeSync()
  instance.closeSync()
  lab = await Lab.open(policy, folder, seededBits(seed))
})

afterAll(async () => {
  await lab.close()
  rmSync(folder, { recursive: true })
})

/** A question, and the same of one person's rows in one group. */
interface Question {
  readonly name: string
  readonly key: "code" | "ward"
  readonly value: string
}

const questions: readonly Question[] = [
  { name: "events by code", key: "code", value: "COUNT(*)" },
  { name: "people by code", key: "code", value: "COUNT(DISTINCT person_id)" },
  { name: "events by ward", key: "ward", value: "COUNT(*)" },
  { name: "amounts by ward", key: "ward", value: "SUM(amount)" },
  { name: "changes by ward", key: "ward", value: "SUM(change)" },
]
const cases = skewedNames.flatMap((table) =>
  questions.flatMap((question) =>
    (question.value === "SUM(amount)" ? (["zcdp", "pure"] as const) : (["zcdp"] as const)).map(
      (accounting) => ({ ...question, table, accounting }),
    ),
  ),
)
type Case = (typeof cases)[number]

/** What scaling takes away from each person, all lengths added up, in units of the answer. */
async function lengthsLeftOut({ table, key, value }: Case, norm: string, bound: number): Promise<number> {
  const size = norm === "l1" ? "sum(abs(v))" : "sqrt(sum(v * v))"
  const [row = []] = await lab.truth(`SELECT sum(length * greatest(0, 1 - ${bound} / size))
    FROM (SELECT person_id, sqrt(sum(v * v)) AS length, ${size} AS size
      FROM (SELECT person_id, CAST(${value} AS DOUBLE) AS v FROM ${table} GROUP BY person_id, ${key})
      GROUP BY person_id)`)
  return Number(row[0])
}

function runsOf({ key }: Case): number {
  return key === "code" ? 20 : 40
}

/** The plan, knowing that length. */
function knowing(plan: ReleasePlan, length: number, isProven: boolean): ReleasePlan {
  return {
    ...plan,
    releases: plan.releases.map((release) => {
      const { scaled } = release.bounds
      const worth = worthOf(plan)
      if (scaled === undefined) throw new Error("units are not scaled")
      const estimate = divide(rationalOfNumber(length * (1 + 1e-9)), worth)
      const beyond: LeftOutLength = { estimate, ...(isProven ? { most: estimate } : {}) }
      return { ...release, bounds: { ...release.bounds, scaled: { ...scaled, beyond } } }
    }),
  }
}

function worthOf({ releases: [release] }: ReleasePlan): Rational {
  const source = release?.measurements[0]
  const worth = hasStrategy(source, "scaled") ? source.strategy.worths[0] : undefined
  return worth ?? rational(1n)
}

/**
 * The groups by size: the largest, and all others. Wards that heavy people have to themselves are among the
 * largest, and lose more than an estimate gives them: of these tables all wards are counted together.
 */
function tiersOf({ table, key }: Case, truth: ReadonlyMap<number, number>): readonly ReadonlySet<number>[] {
  const size = (group: number): number => Math.abs(truth.get(group) ?? 0)
  const groups = [...truth.keys()].toSorted((a, b) => size(b) - size(a))
  if (key === "ward" && isOwn(table)) return [new Set(groups)]
  const first = key === "ward" ? 5 : 10
  return [new Set(groups.slice(0, first)), new Set(groups.slice(first))]
}

interface Tally {
  readonly groups: ReadonlySet<number>
  intervals: number
  missed: number
}

async function tallied(each: Case, isProven: boolean): Promise<readonly Tally[]> {
  const { table, key, value, accounting } = each
  const sql = `SELECT ${key}, ${value} AS n FROM ${table} GROUP BY ${key}`
  // Near the bounds of the least error; in a pure account groups beyond some are dropped in place of scaled.
  const bounds = accounting === "pure" ? { groups: 8, rows: 6 } : { groups: 20, rows: 12 }
  const terms = { epsilon: "1", delta: "1e-6", accounting, ...bounds, quantileIntervals: true }
  const planned = await lab.ask(sql, terms)
  if (typeof planned === "string") throw new Error(planned)
  const scaled = planned.plan.releases[0]?.bounds.scaled
  const bound = numberNear(multiply(rational(scaled?.bound ?? 0n), worthOf(planned.plan)))
  const length = await lengthsLeftOut(each, scaled?.norm ?? "", bound)
  const question = await lab.ask(sql, terms, (plan) => knowing(plan, length, isProven))
  if (typeof question === "string") throw new Error(question)
  const truth = new Map((await lab.truth(sql)).map(([group, exact]) => [Number(group), Number(exact)]))
  const tallies = tiersOf(each, truth).map((groups): Tally => ({ groups, intervals: 0, missed: 0 }))
  for (let run = 0; run < runsOf(each); run += 1) {
    const { rows, columns } = question.answer()
    // Where nothing at all is left out, and proven so, all counts.
    expect(columns[1]?.bounding).toMatch(isProven ? /^(proven|estimate|all-counts)$/ : /^estimate$/)
    for (const [group, cell] of rows) {
      const tally = tallies.find(({ groups }) => groups.has(Number(group?.value)))
      if (tally === undefined || cell === undefined) continue
      tally.intervals += 1
      if (!holds(cell, truth.get(Number(group?.value)) ?? 0)) tally.missed += 1
    }
  }
  return tallies
}

function holds({ low, high }: AnswerCell, exact: number): boolean {
  return typeof low === "number" && typeof high === "number" && low <= exact && exact <= high
}

test.each(cases)("[P3] whole intervals hold by size of group: $name of $table, $accounting", async (each) => {
  for (const isProven of [false, true]) {
    for (const { intervals, missed } of await tallied(each, isProven)) {
      spendAlpha(alpha)
      expect(intervals).toBeGreaterThanOrEqual(200)
      const { lower } = clopperPearson({ successes: missed, trials: intervals, alpha })
      expect(lower, `${missed} of ${intervals} missed, SEED=${seed}`).toBeLessThanOrEqual(1 - confidence)
    }
  }
})
