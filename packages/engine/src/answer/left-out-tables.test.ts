// What an answer says of bounding: by what its plan proves, and by what is known of scaling.

import { DuckDBInstance } from "@duckdb/node-api"
import { divide, rational, type Rational } from "@dosimeter/core/exact"
import { seededBits } from "@dosimeter/core/testing"
import { hasStrategy } from "@dosimeter/proof/algebra/measurement"
import { noteText } from "@dosimeter/answers/shown/note-words"
import type { LeftOutLength, Release, ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { AnswerCell, AnswerTable } from "@dosimeter/answers/shown/answer-table"
import { readAnswer, writeAnswer } from "@dosimeter/answers/shown/answer-text"
import { Lab } from "../testing/lab.ts"
import { countsAll } from "./left-out-tables.ts"

const policy = `dataset: clinic
source: { duckdb: clinic.duckdb }
neighbours: add-or-remove
budget: { epsilon: 1000, delta: 1e-3, accounting: zcdp }
question: { epsilon: { default: 1, max: 1000 }, delta: 1e-6, confidence: 0.95 }
bounding: { groups_per_unit: 3, rows_per_group: 5 }
tables:
  people:
    unit: person_id
    keys: [[person_id]]
    columns:
      sex: { values: [f, m], nullable: false }
  visits:
    unit: person_id
    columns:
      ward: { type: integer, min: 0, max: 9, nullable: false }
      fee: { type: integer, min: 0, max: 100, nullable: false }
      change: { type: integer, min: -100, max: 100, nullable: false }
`
const byWard = "SELECT ward, COUNT(*) AS n FROM visits GROUP BY ward"
let folder = ""
let lab: Lab

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "dosimeter-left-out-"))
  const instance = await DuckDBInstance.create(join(folder, "clinic.duckdb"))
  const connection = await instance.connect()
  await connection.run(`CREATE TABLE people AS
    SELECT p AS person_id, CASE WHEN p % 2 = 0 THEN 'f' ELSE 'm' END AS sex FROM range(1000) a(p)`)
  await connection.run(`CREATE TABLE visits AS
    SELECT i % 1000 AS person_id, CAST((i * i) % 10 AS INTEGER) AS ward, 20::INTEGER AS fee,
      5::INTEGER AS change
    FROM range(20000) a(i)`)
  connection.closeSync()
  instance.closeSync()
  lab = await Lab.open(policy, folder, seededBits("left out"))
})

afterAll(async () => {
  await lab.close()
  rmSync(folder, { recursive: true })
})

interface Known {
  /** In units of the first column. */
  readonly estimate: bigint
  readonly most?: bigint
}

/** A plan whose scaled releases know what is left out. */
function knowing(known: Known | undefined): (plan: ReleasePlan) => ReleasePlan {
  return (plan) => ({
    ...plan,
    releases: plan.releases.map((release) => {
      const [source] = release.measurements
      const { scaled } = release.bounds
      if (known === undefined || scaled === undefined || !hasStrategy(source, "scaled")) return release
      const [worth = rational(1n)] = source.strategy.worths
      const raw = (amount: bigint): Rational => divide(rational(amount), worth)
      const beyond: LeftOutLength = {
        estimate: raw(known.estimate),
        ...(known.most === undefined ? {} : { most: raw(known.most) }),
      }
      return { ...release, bounds: { ...release.bounds, scaled: { ...scaled, beyond } } }
    }),
  })
}

const usual = {
  epsilon: "1",
  delta: "1e-6",
  accounting: "zcdp",
  groups: 3,
  rows: 5,
  quantileIntervals: true,
} as const

async function asked(sql: string, known?: Known, groups = 3): Promise<AnswerTable> {
  const question = await lab.ask(sql, { ...usual, groups }, knowing(known))
  if (typeof question === "string") throw new Error(question)
  return question.answer()
}

const boundings = ({ columns }: AnswerTable): unknown => columns.map(({ bounding }) => bounding)
const said = ({ notes }: AnswerTable): unknown => notes?.map((note) => noteText(note))
const number = (value: AnswerCell["value"] | undefined): number => Number(value ?? Number.NaN)

test("[P3] where keys prove that all counts, noise is the whole error and nothing is noted", async () => {
  const answer = await asked("SELECT sex, COUNT(*) AS n FROM people GROUP BY sex")
  expect([boundings(answer), said(answer)]).toEqual([[undefined, "all-counts"], undefined])
  expect(answer.rows[0]?.[1]).not.toHaveProperty("noiseLow")
})

test("[P3] where nothing is known of what is left out, intervals are of the noise, with the bounds", async () => {
  const scaled = await asked(byWard)
  expect([boundings(scaled), said(scaled)]).toEqual([
    [undefined, "noise-only"],
    [
      "intervals are of the noise only: more than 5 rows in each of 3 groups of a person counts for less, which is not in them",
    ],
  ])
  const averages = await asked("SELECT ward, AVG(fee) AS a FROM visits GROUP BY ward")
  expect(said(averages)).toEqual([
    "intervals are of the noise only: more than 5 rows of a person in a group count as 5, and who has more in all counts for less, which is not in them",
    "averages are over the rows that count, and may differ from those of all rows",
  ])
  expect(boundings(await asked("SELECT COUNT(DISTINCT person_id) AS n FROM visits"))).toEqual(["all-counts"])
  expect(boundings(await asked("SELECT COUNT(*) AS n FROM visits"))).toEqual(["noise-only"])
  expect(boundings(await asked("SELECT MEDIAN(fee) AS m FROM visits"))).toEqual(["noise-only"])
})

test("[P3] all counts where nobody can be longer than the norm, and not where a shorter one was learnt", async () => {
  const people = "SELECT ward, COUNT(DISTINCT person_id) AS n FROM visits GROUP BY ward"
  expect(boundings(await asked(people, undefined, 10))).toEqual([undefined, "all-counts"])
  expect(boundings(await asked(people, undefined, 9))).toEqual([undefined, "noise-only"])
  const releases: Release[] = []
  await lab.ask(people, { ...usual, groups: 10 }, (plan) => {
    releases.push(...plan.releases)
    return plan
  })
  for (const release of releases) {
    const [reading] = release.readings
    const { scaled } = release.bounds
    if (reading === undefined || scaled === undefined) throw new Error("units are scaled")
    expect(countsAll(reading, release)).toBe(true)
    // A norm is learnt where so many groups and rows may count all the same.
    const learnt = { ...scaled, bound: scaled.bound - scaled.bound / 100n }
    expect(countsAll(reading, { ...release, bounds: { ...release.bounds, scaled: learnt } })).toBe(false)
  }
  expect(releases.length).toBe(1)
})

test("[P3] an estimate widens intervals upward, by more in larger groups; each part is there", async () => {
  const answer = await asked(byWard, { estimate: 600n })
  expect([boundings(answer), said(answer)]).toEqual([
    [undefined, "estimate"],
    ["intervals cover the noise and an estimate of what scaling left out, which may be more"],
  ])
  // Wards 0 and 5 have 2,000 rows, wards 1, 4, 6 and 9 have 4,000, others none.
  const leftOut = answer.rows.map(([, cell]) => number(cell?.leftOut))
  expect(Math.min(leftOut[1] ?? 0, leftOut[4] ?? 0)).toBeGreaterThan(leftOut[0] ?? Infinity)
  expect(leftOut[2]).toBeCloseTo(600 / Math.sqrt(10), 3)
  for (const [, cell] of answer.rows) {
    // Half of the miss is for the noise: its interval is wider in the whole.
    expect(number(cell?.low)).toBeLessThanOrEqual(number(cell?.noiseLow))
    const above = number(cell?.high) - number(cell?.noiseHigh)
    expect(above).toBeGreaterThanOrEqual(Math.floor(number(cell?.leftOut)))
    expect(above).toBeLessThan(
      number(cell?.leftOut) + 0.2 * (number(cell?.noiseHigh) - number(cell?.value)) + 2,
    )
  }
  expect(readAnswer(writeAnswer(answer))).toEqual(answer)
})

test("[P3] what a cap proves is the same for every group, and a sum over groups has its length", async () => {
  const answer = await asked(byWard, { estimate: 60n, most: 200n })
  expect(boundings(answer)).toEqual([undefined, "proven"])
  for (const [, cell] of answer.rows) expect(number(cell?.leftOut)).toBeCloseTo(200, 6)
  const total = await asked(`SELECT SUM(n) AS n FROM (${byWard}) AS t`, { estimate: 60n, most: 200n })
  const [cell] = total.rows[0] ?? []
  expect(boundings(total)).toEqual(["proven"])
  const above = number(cell?.high) - number(cell?.noiseHigh)
  // The root of ten groups times 200 is 632; ten times 200 would be 2,000.
  expect(above).toBeGreaterThan(632)
  expect(above).toBeLessThan(900)
})

test("[P3] a norm that nobody exceeds leaves nothing out: noise is the whole error", async () => {
  const answer = await asked(byWard, { estimate: 0n, most: 0n })
  expect([boundings(answer), answer.notes]).toEqual([[undefined, "all-counts"], undefined])
})

test("[P3] signed amounts are widened both ways", async () => {
  const answer = await asked("SELECT ward, SUM(change) AS n FROM visits GROUP BY ward", { estimate: 20_000n })
  expect(boundings(answer)).toEqual([undefined, "estimate"])
  for (const [, cell] of answer.rows) {
    const [below, above] = [
      number(cell?.noiseLow) - number(cell?.low),
      number(cell?.high) - number(cell?.noiseHigh),
    ]
    expect(below).toBeGreaterThanOrEqual(Math.floor(number(cell?.leftOut)))
    expect(Math.abs(above - below)).toBeLessThanOrEqual(1)
  }
})

test("[P3] what is left out of an average of some rows is not known, whatever a ladder tells", async () => {
  const answer = await asked("SELECT ward, AVG(change) AS a FROM visits GROUP BY ward", { estimate: 60n })
  expect(boundings(answer)).toEqual([undefined, "noise-only"])
})

test("[P3] beside a count an average is of all rows: what is left out of both is known", async () => {
  const sql = "SELECT ward, COUNT(*) AS n, SUM(fee) AS s, AVG(fee) AS a FROM visits GROUP BY ward"
  const answer = await asked(sql, { estimate: 20_000n })
  expect(boundings(answer)).toEqual([undefined, "estimate", "estimate", "estimate"])
  for (const [ward, n, s] of answer.rows) {
    expect(number(n?.leftOut), `${ward?.value}`).toBeGreaterThan(0)
    expect(number(s?.high)).toBeGreaterThan(number(s?.noiseHigh))
  }
  // Averages of wards without rows have no ends.
  const [, n, s, a] = answer.rows[1] ?? []
  expect(number(a?.low)).toBeLessThanOrEqual(number(a?.noiseLow))
  // Scaled alike: the average is the sum over the count, but for rounding.
  expect(number(s?.value) / number(n?.value)).toBeCloseTo(number(a?.value), 1)
})

test("a sum of values below zero is shown below zero beside its average", async () => {
  const answer = await asked(
    "SELECT ward, SUM(0 - change) AS s, AVG(0 - change) AS a FROM visits GROUP BY ward",
  )
  expect(number(answer.rows[1]?.[1]?.value)).toBeLessThan(0)
})

test("[P3] an estimate that is not worth saying leaves the upper end open, and says so", async () => {
  const answer = await asked(byWard, { estimate: 10n ** 7n })
  expect([boundings(answer), said(answer)]).toEqual([
    [undefined, "too-much"],
    ["intervals have no upper end: scaling may have left out more than can be estimated well"],
  ])
  for (const [, cell] of answer.rows) {
    expect([cell?.high, cell?.leftOut]).toEqual([null, null])
    expect(number(cell?.noiseHigh)).toBeGreaterThan(0)
  }
})

test("[P3] ratios, roundings and choices carry it; what cannot be followed says so", async () => {
  const answer = await asked(
    `SELECT ward, SUM(fee) * 1.0 / NULLIF(COUNT(*), 0) AS mean, ROUND(COUNT(*), -1) AS about,
       CASE WHEN COUNT(*) > 100 THEN COUNT(*) ELSE 0 END AS large, RATE_PER(COUNT(*), SUM(fee), 100) AS rate
     FROM visits GROUP BY ward`,
    { estimate: 30n },
  )
  expect(boundings(answer)).toEqual([undefined, "estimate", "estimate", "estimate", "noise-only"])
  expect(said(answer)).toEqual([
    "intervals of mean, about, large cover the noise and an estimate of what scaling left out, which may be more",
    "intervals of rate are of the noise only: more than 5 rows in each of 3 groups of a person counts for less, which is not in them",
  ])
})
