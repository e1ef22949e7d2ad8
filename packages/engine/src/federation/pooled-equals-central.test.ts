// Every kind of question that several sites answer: without the noise that was drawn, what they add up is,
// number by number, what one database with all rows measures, and what is read from it is what SQL says.

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DuckDBInstance } from "@duckdb/node-api"
import { sampleOf, seededBits } from "@dosimeter/core/testing"
import { loadGrammar, type Grammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openMemoryLedger } from "../ledger/stores/memory-ledger.ts"
import { openDataset, type Dataset } from "../prepare/open-dataset.ts"
import { answerOfNumbers } from "../testing/answer-of-numbers.ts"
import { freshHome } from "../testing/fresh-home.ts"
import { makeDuckdb } from "../testing/make-duckdb.ts"
import { FederatedJob, type JobRequest, type StudyOptions } from "./coordinator.ts"
import { planJob } from "./plan-job.ts"
import { Signer } from "./signing.ts"
import { FederatedSite } from "./site.ts"

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
/** The place of the site without rows. */
const nobody = parts.length + 1
const accountings = sampleOf(["zcdp", "pure"], 1)

const signer = Signer.make()
const folder = mkdtempSync(join(tmpdir(), "dosimeter-pooled-"))
const datasets = new Map<string, Dataset>()
let grammar: Grammar

beforeAll(async () => {
  freshHome()
  grammar = await loadGrammar()
  for (const [place, [from, to]] of [...parts, all, none].entries()) {
    const own = mkdtempSync(join(folder, "site-"))
    await makeDuckdb(join(own, "data.duckdb"), `CREATE TABLE patients AS ${rows(from, to)}`)
    for (const accounting of accountings) {
      const policy = policyText.replace("ACCOUNTING", accounting)
      const opened = await openDataset({ policy, folder: own, prepare: "never" })
      datasets.set(`${accounting} ${place}`, opened)
    }
  }
})

afterAll(async () => {
  for (const { backend } of datasets.values()) await backend.close()
  rmSync(folder, { recursive: true })
})

const studyOf = (accounting: string): StudyOptions => ({
  policy: readPolicy(policyText.replace("ACCOUNTING", accounting)),
  grammar,
  signer,
})
const ask: JobRequest["ask"] = {
  epsilon: "1",
  delta: "1/100000000",
  confidence: "19/20",
  groupsPerUnit: "1",
  rowsPerGroup: "1",
  shownFrom: "0",
}
const now = new Date("2026-11-19T10:00:00.000Z")
const inHours = (hours: number): string => new Date(now.getTime() + hours * 3_600_000).toISOString()

/** What a site sends of a question where every site adds all of the noise, drawn from bits of this seed. */
async function sentAt(
  place: number,
  sql: string,
  accounting: string,
  seed: string,
): Promise<readonly bigint[]> {
  const dataset = datasets.get(`${accounting} ${place}`)
  if (dataset === undefined) throw new Error("there is no such site")
  const { policy, backend, version } = dataset
  const own = Signer.make()
  const job = FederatedJob.create(
    studyOf(accounting),
    {
      study: "pooled",
      purpose: "to compare",
      sql,
      sites: [{ name: "one", key: own.publicKey }],
      mode: "separate",
      ask,
      deadlines: { approval: inHours(1), stepSeconds: 3600, end: inHours(9) },
    },
    now,
  )
  const ledger = await openMemoryLedger({ dataset: policy.dataset })
  await ledger.openAccount("dataset", policy.terms.budget)
  const site = new FederatedSite({
    name: "one",
    signer: own,
    coordinator: signer.publicKey,
    peers: () => [],
    policy,
    backend,
    ledger,
    version,
    grammar,
    rng: seededBits(seed),
    now: () => now,
  })
  const offer = await site.offer(job.document)
  const [, sent] = await site.approve(offer.job, "committee")
  const { numbers = [] }: { readonly numbers?: readonly string[] } = JSON.parse(JSON.stringify(sent?.body))
  return numbers.map(BigInt)
}

/** The same without the noise: what a site with no rows sends from the same bits is nothing else. */
async function exactAt(place: number, sql: string, accounting: string): Promise<readonly bigint[]> {
  const seed = `${place} ${sql}`
  const [numbers, noise] = [
    await sentAt(place, sql, accounting, seed),
    await sentAt(nobody, sql, accounting, seed),
  ]
  expect(numbers.length).toBe(noise.length)
  return numbers.map((number, index) => number - (noise[index] ?? 0n))
}

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
    const [first, ...others] = await Promise.all(parts.map((_part, place) => exactAt(place, sql, accounting)))
    const pooled = (first ?? []).map((number, index) =>
      others.reduce((sum, own) => sum + (own[index] ?? 0n), number),
    )
    expect(pooled).toEqual(await exactAt(parts.length, sql, accounting))
    const shown = answerOfNumbers(planJob(sql, ask, 1, studyOf(accounting)).plan, pooled)
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
