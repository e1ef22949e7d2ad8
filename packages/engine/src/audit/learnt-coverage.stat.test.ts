// Whole intervals as every asker has them, by default: the norm is learnt from a ladder with fresh noise,
// and what it leaves out is estimated from the same ladder. They hold what the database says of all rows at
// least as often as they claim, in the mean over people of several skews, whatever the size of the group.

import { DuckDBInstance } from "@duckdb/node-api"
import { freshSeed, seededBits, spendAlpha } from "@dosimeter/core/testing"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { makeSkewed, skewedNames } from "../testing/skewed-tables.ts"
import { freshHome } from "../testing/fresh-home.ts"
import { openAudit, type Audit } from "./audit.ts"

/**
 * The intervals of an answer share one estimate, so an answer is one trial: the share of its intervals that
 * miss. The mean of n such shares, each of 0 to 1, reaches a with a probability of at most
 * exp(-n KL(a, 0.05)) if the mean of what is expected of them is 0.05 (Hoeffding 1963, theorem 1).
 */
const alpha = 1e-10
const miss = 0.05
/**
 * Answers of each table. With 96 answers the test fails from a mean of 0.27 on; where intervals miss 0.45 of
 * the time in the mean, it does so with a probability above 0.99 (1 - exp(-2 * 96 * 0.18^2)). Noise alone
 * misses more than that in the largest codes.
 */
const runs = 24
const failsFrom = 0.27

const seed = freshSeed()
const home = freshHome()
const folder = mkdtempSync(join(tmpdir(), "dosimeter-learnt-coverage-"))
const policy = `dataset: skewed
source: { duckdb: skewed.duckdb }
neighbours: add-or-remove
budget: { epsilon: 1000, delta: 1e-3, accounting: zcdp }
question: { epsilon: 1, delta: 1e-6, confidence: ${1 - miss} }
tables:
${skewedNames
  .map(
    (name) => `  ${name}:
    unit: person_id
    columns:
      code: { type: integer, min: 0, max: 199, nullable: false }
      ward: { type: integer, min: 0, max: 19, nullable: false }
      amount: { type: integer, min: 0, max: 1000, nullable: false }
`,
  )
  .join("")}`
let audit: Audit
const truths = new Map<string, ReadonlyMap<number, number>>()

interface Question {
  readonly name: string
  /** One number where there is none. */
  readonly key?: string
  readonly value: string
  readonly first: number
}

const questions: readonly Question[] = [
  { name: "all events", value: "COUNT(*)", first: 1 },
  { name: "events by code", key: "code", value: "COUNT(*)", first: 10 },
  // A text is no list of whole numbers: these groups come from the data.
  { name: "events by selected code", key: "CAST(code AS TEXT)", value: "COUNT(*)", first: 10 },
  { name: "people by code", key: "code", value: "COUNT(DISTINCT person_id)", first: 10 },
  { name: "amounts by ward", key: "ward", value: "SUM(amount)", first: 5 },
]

function sqlOf({ key, value }: Question, table: string): string {
  if (key === undefined) return `SELECT 0 AS whole, n FROM (SELECT ${value} AS n FROM ${table}) AS q`
  return `SELECT ${key}, ${value} AS n FROM ${table} GROUP BY ${key}`
}

beforeAll(async () => {
  const instance = await DuckDBInstance.create(join(folder, "skewed.duckdb"))
  const connection = await instance.connect()
  await makeSkewed(connection)
  for (const sql of questions.flatMap((question) => skewedNames.map((table) => sqlOf(question, table)))) {
    const rows = (await connection.runAndReadAll(sql)).getRows()
    truths.set(sql, new Map(rows.map(([group, exact]) => [Number(group), Number(exact)])))
  }
  connection.closeSync()
  instance.closeSync()
  audit = await openAudit({ policy, folder, bits: seededBits(seed) })
})

afterAll(async () => {
  await audit.close()
  rmSync(folder, { recursive: true })
  rmSync(home, { recursive: true, force: true })
})

/** Of one answer: which share of the intervals misses, among the largest groups and among all others. */
interface Missed {
  readonly largest: number
  readonly others: number
}

async function missedOf(question: Question, table: string): Promise<readonly Missed[]> {
  const sql = sqlOf(question, table)
  const truth = truths.get(sql) ?? new Map<number, number>()
  const bySize = [...truth.keys()].toSorted((a, b) => (truth.get(b) ?? 0) - (truth.get(a) ?? 0))
  const largest = new Set(bySize.slice(0, question.first))
  const found: Missed[] = []
  for await (const outcome of audit.repeat(sql, runs)) {
    if (outcome.kind === "refused") throw outcome.error
    expect(outcome.answer.columns[1]?.bounding).toMatch(/^(estimate|too-much)$/)
    const cells = outcome.answer.rows.map(([group, cell]) => {
      const exact = truth.get(Number(group?.value)) ?? 0
      const isHeld = Number(cell?.low ?? -Infinity) <= exact && exact <= Number(cell?.high ?? Infinity)
      return { isLargest: largest.has(Number(group?.value)), missed: isHeld ? 0 : 1 }
    })
    const shareOf = (own: typeof cells): number =>
      own.reduce((sum, { missed }) => sum + missed, 0) / Math.max(1, own.length)
    found.push({
      largest: shareOf(cells.filter(({ isLargest }) => isLargest)),
      others: shareOf(cells.filter(({ isLargest }) => !isLargest)),
    })
  }
  return found
}

test("the mean that fails is the one of the false-alarm rate", () => {
  const trials = runs * skewedNames.length
  const away =
    failsFrom * Math.log(failsFrom / miss) + (1 - failsFrom) * Math.log((1 - failsFrom) / (1 - miss))
  expect(Math.exp(-trials * away)).toBeLessThanOrEqual(alpha)
  expect(1 - Math.exp(-2 * trials * (0.45 - failsFrom) ** 2)).toBeGreaterThan(0.99)
})

test.each(questions)(
  "[P3] learnt norms: whole intervals of $name hold, by size of group",
  async (question) => {
    const all: Missed[] = []
    for (const table of skewedNames) all.push(...(await missedOf(question, table)))
    for (const size of ["largest", "others"] as const) {
      spendAlpha(alpha)
      const mean = all.reduce((sum, one) => sum + one[size], 0) / all.length
      expect(mean, `${size} groups missed, SEED=${seed}`).toBeLessThan(failsFrom)
    }
  },
)
