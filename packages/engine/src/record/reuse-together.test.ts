// Tables that were measured together (ROLLUP, CUBE, GROUPING SETS, trees) as sources of later answers: the
// numbers are sums of what was released, and intervals know what noise such sums share.

import { exactly } from "@dosimeter/core"
import { seededBits } from "@dosimeter/core/testing"
import { DuckDBInstance } from "@duckdb/node-api"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { openEngine, type Engine } from "../engine.ts"
import type { QuestionOptions } from "../ask/ask-question.ts"
import type { AnswerTable } from "@dosimeter/answers/shown/answer-table"
import type { Recorded } from "../record/recorded.ts"
import { freshHome } from "../testing/fresh-home.ts"
import { writeReceipt } from "@dosimeter/answers/shown/receipt-text"

const policy = (accounting: string): string => `dataset: clinic
source: { duckdb: clinic.duckdb }
unit: patient
neighbours: add-or-remove
budget: { epsilon: 1000, delta: 1e-5, accounting: ${accounting} }
question: { epsilon: { default: 1, max: 400 }, delta: 1e-8, confidence: 0.95 }
bounding: { groups_per_unit: 3, rows_per_group: 4, norm: fixed }
trees:
  site: { table: wards, levels: [region, hospital, ward] }
  icd:
    levels: [chapter, code]
    nodes: { I: [A00, A01], II: [C50, C61, D00] }
tables:
  wards: { unit: public, keys: [ward_id] }
  patients:
    unit: id
    keys: [[id]]
    columns:
      ward_id: integer
      smoker: { type: boolean, nullable: false }
      sex: { values: [f, m], nullable: false }
      age: { min: 0, max: 9, type: integer, nullable: false }
      year: { min: 2001, max: 2004, type: integer, nullable: false }
      weight: { min: 0, max: 200, grid: 0.5 }
      code: { tree: icd.code, nullable: false }
  visits:
    unit: patient_id
    columns:
      month: { min: 1, max: 12, type: integer, nullable: false }
      emergency: { type: boolean, nullable: false }
`
let folder = ""
let state = ""
let engine: Engine
/** What a database says of the questions without noise. */
const exact = new Map<string, unknown>()

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "dosimeter-together-"))
  const instance = await DuckDBInstance.create(join(folder, "clinic.duckdb"))
  const connection = await instance.connect()
  await connection.run(`
    CREATE TABLE wards AS FROM (VALUES (1, 'North', 'Elm', 'ICU'), (2, 'North', 'Elm', 'Surgery'),
      (3, 'North', 'Oak', 'ICU'), (4, 'South', 'Bay', 'ICU'), (5, 'South', 'Bay', 'Birth'),
      (6, 'South', 'Bay', 'Eyes')) AS listed (ward_id, region, hospital, ward);
    CREATE TABLE patients AS SELECT i AS id, 1 + (i * i) % 7 % 6 AS ward_id, i % 3 = 0 AS smoker,
      CASE WHEN i % 2 = 0 THEN 'f' ELSE 'm' END AS sex, (i // 2) % 10 AS age, 2001 + i % 4 AS year,
      (50 + i % 50)::DOUBLE AS weight, ['A00', 'A01', 'C50', 'C61', 'D00'][1 + i % 5] AS code
      FROM range(2000) r(i);
    CREATE TABLE visits AS SELECT i % 2000 AS patient_id, (1 + i % 12)::INTEGER AS month,
      i % 5 = 0 AS emergency FROM range(6000) r(i)`)
  const asked = [late, ...pairs.flatMap(([, others]) => Object.keys(others))]
  for (const sql of asked.filter((one) => !one.includes("ANCESTOR"))) {
    const rows = (await connection.runAndReadAll(sql)).getRowsJS()
    exact.set(sql, sorted(rows.map((row) => row.map(plain))))
  }
  connection.closeSync()
  instance.closeSync()
})
afterAll(() => rmSync(folder, { recursive: true }))

/** A new ledger for every test. */
function withEngine(accounting: string): void {
  beforeEach(async () => {
    freshHome()
    state = mkdtempSync(join(tmpdir(), "dosimeter-state-"))
    const text = policy(accounting)
    engine = await openEngine({ policy: text, folder, state, prepare: "never", rng: seededBits("together") })
  })
  afterEach(async () => {
    await engine.close()
    rmSync(state, { recursive: true })
  })
}

interface Asked extends Recorded {
  readonly table: AnswerTable
}

async function ask(sql: string, options: QuestionOptions & { epsilon?: string } = {}): Promise<Asked> {
  const { epsilon, ...rest } = options
  const asked =
    epsilon === undefined ? rest : { ...rest, ask: { ...rest.ask, epsilon: exactly(epsilon, "e") } }
  const recorded = await engine.ask(sql, asked)
  const table: AnswerTable = recorded.answer
  return { ...recorded, table }
}

const plain = (value: unknown): unknown => (typeof value === "bigint" ? Number(value) : value)
// Public groups come back where the data has none.
const sorted = (rows: readonly (readonly unknown[])[]): readonly string[] =>
  rows
    .filter((row) => row.at(-1) !== 0)
    .map((row) => JSON.stringify(row))
    .toSorted()
const values = ({ table }: Asked): readonly string[] =>
  sorted(table.rows.map((row) => row.map(({ value }) => value)))
const widths = ({ table }: Asked, column: number): number[] =>
  table.rows.map((row) => (Number(row[column]?.high) - Number(row[column]?.low)) / 2)

const cube = "SELECT smoker, year, COUNT(*) AS n FROM patients GROUP BY CUBE (smoker, year)"
const codes = `SELECT ANCESTOR(code, 'chapter') AS chapter, code, COUNT(*) AS n FROM patients
  GROUP BY ROLLUP (ANCESTOR(code, 'chapter'), code)`
const sites = `SELECT region, hospital, ward, COUNT(*) AS n, SUM(weight) AS w
  FROM patients JOIN wards USING (ward_id) GROUP BY ROLLUP (region, hospital, ward)`
const site = (keys: string, where = ""): string =>
  `SELECT ${keys}, COUNT(*) AS n FROM patients JOIN wards USING (ward_id) ${where} GROUP BY ${keys}`

type Free = "free" | "if accepted" | "paid"

/** What is asked first, what then, and whether that is free: at once, where less is accepted, or never. */
const pairs: readonly (readonly [string, Readonly<Record<string, Free>>])[] = [
  [
    cube,
    {
      "SELECT year, COUNT(*) FROM patients GROUP BY year": "free",
      "SELECT COUNT(*) FROM patients": "free",
      "SELECT COUNT(*) FROM patients WHERE year < 2003": "free",
      "SELECT year > 2002 AS late, COUNT(*) FROM patients WHERE smoker GROUP BY 1": "free",
      [`SELECT (SELECT COUNT(*) FROM patients WHERE smoker) * 1.0
         / (SELECT COUNT(*) FROM patients) AS share`]: "free",
      "SELECT sex, COUNT(*) FROM patients GROUP BY sex": "paid",
      "SELECT COUNT(*) FROM patients WHERE age = 3": "paid",
    },
  ],
  // Somebody may have a sex or a code that the policy does not list, but no ward that the public table lacks.
  [
    "SELECT sex, year, COUNT(*) FROM patients GROUP BY ROLLUP (sex, year)",
    {
      "SELECT year, COUNT(*) FROM patients GROUP BY year": "if accepted",
      "SELECT COUNT(*) FROM patients WHERE sex = 'f' AND year = 2002": "free",
    },
  ],
  [
    sites,
    {
      [site("region")]: "free",
      [site("region, hospital, ward", "WHERE region = 'North'")]: "free",
      [site("region", "WHERE hospital = 'Bay' AND ward IN ('ICU', 'Birth')")]: "free",
    },
  ],
  [
    codes,
    {
      "SELECT ANCESTOR(code, 'chapter') AS c, COUNT(*) FROM patients GROUP BY 1": "if accepted",
      "SELECT COUNT(*) FROM patients WHERE code = 'C61'": "free",
    },
  ],
  // Three months of a person's visits count in the table, and all of them would by themselves.
  [
    "SELECT month, emergency, COUNT(*) FROM visits GROUP BY CUBE (month, emergency)",
    {
      "SELECT emergency, COUNT(*) FROM visits GROUP BY emergency": "if accepted",
      "SELECT COUNT(*) FROM visits": "if accepted",
    },
  ],
]

/** Of two keys one by one: how both go together was measured by cells, not by parts. */
const apart = "SELECT smoker, year, COUNT(*) FROM patients GROUP BY GROUPING SETS ((smoker), (year))"
const both = "SELECT smoker, year, COUNT(*) FROM patients GROUP BY smoker, year"

// At this loss the noise is zero, but with a probability below 1e-9: answers are exact.
const first = { epsilon: "399" }
const late = "SELECT COUNT(*) FROM patients WHERE year IN (2001, 2004)"

describe.each(["pure", "zcdp"])("without noise, under %s accounting,", (accounting) => {
  withEngine(accounting)

  test.each(pairs)("[B5] after %s", async (sql, others) => {
    await ask(sql, first)
    for (const [second, free] of Object.entries(others)) {
      const answer = await ask(second, { epsilon: "1", reuse: free === "if accepted" ? "always" : "auto" })
      expect(answer.origin, second).toBe(free === "paid" ? "released" : "reused")
      if (free === "if accepted")
        expect(writeReceipt(answer.receipt)).toMatch(/not declared|of the recorded table/)
      if (free === "free") expect(values(answer), second).toEqual(exact.get(second))
    }
    for (const [second, free] of Object.entries(others)) {
      if (free === "if accepted") expect((await ask(second, { epsilon: "1" })).origin).toBe("released")
    }
  })

  test("[B5] nothing is made of a part that was not measured", async () => {
    await ask(apart, first)
    const found = await ask(late, { epsilon: "1" })
    expect(found.origin).toBe("reused")
    expect(values(found)).toEqual(exact.get(late))
    const joint = await ask(both, { epsilon: "1", reuse: "always" })
    expect(joint.origin).toBe(accounting === "pure" ? "reused" : "released")
  })
})

describe("with noise", () => {
  withEngine("zcdp")

  test("[B5] a margin is given again with its own number and interval", async () => {
    const rows = (await ask(cube, { epsilon: "2" })).table.rows
    const margin = rows.filter(([smoker, year]) => smoker?.value === null && year?.value !== null)
    const found = await ask("SELECT year, COUNT(*) FROM patients GROUP BY year", { epsilon: "0.1" })
    expect(found.origin).toBe("reused")
    for (const [index, [, year, n]] of margin.entries()) {
      const [key, count] = found.table.rows[index] ?? []
      expect(key?.value).toBe(year?.value)
      expect(Math.abs(Number(count?.value) - Number(n?.value))).toBeLessThanOrEqual(0.5)
      // Ends of a whole number are whole.
      expect(Number(count?.low)).toBe(Math.floor(Number(n?.low)))
      expect(Number(count?.high)).toBe(Math.ceil(Number(n?.high)))
    }
  })

  test("[B5] the total of a cube is not noisier than it was, and a paid answer is merged with it", async () => {
    const total = (await ask(cube, { epsilon: "1" })).table.rows.find(([smoker, year]) => {
      return smoker?.value === null && year?.value === null
    })
    const sql = "SELECT COUNT(*) FROM patients"
    const again = await ask(sql, { epsilon: "0.1" })
    const own = (Number(total?.[2]?.high) - Number(total?.[2]?.low)) / 2
    expect(again.origin).toBe("reused")
    expect(Math.abs((widths(again, 0)[0] ?? 0) - own)).toBeLessThan(1)
    const merged = await ask(sql, { epsilon: "0.7" })
    const alone = await ask(sql, { epsilon: "0.7001", reuse: "never" })
    expect(merged.origin).toBe("released")
    expect(widths(merged, 0)[0]).toBeLessThan(Math.min(own, widths(alone, 0)[0] ?? 0))
  })

  test("[P2] whole numbers from 0 are given again as they were shown", async () => {
    const options = { epsilon: "0.5", ask: { nonNegative: true } }
    const where = "WHERE id < 12"
    const rows = (await ask(cube.replace("GROUP", `${where} GROUP`), options)).table.rows
    const margin = rows.filter(([smoker, year]) => smoker?.value === null && year?.value !== null)
    const found = await ask(`SELECT year, COUNT(*) FROM patients ${where} GROUP BY year`, { epsilon: "0.01" })
    expect(found.origin).toBe("reused")
    expect(found.table.rows.map((row) => row[1]?.value)).toEqual(margin.map((row) => row[2]?.value))
  })

  test("[B5] several groupings are worked out from one table, and add up", async () => {
    await ask(both, { epsilon: "4" })
    const found = await ask(cube, { epsilon: "0.1" })
    expect(found.origin).toBe("reused")
    checkSums(found)
    const rollup = "SELECT smoker, year, COUNT(*) AS n FROM patients GROUP BY ROLLUP (smoker, year)"
    expect((await ask(rollup, { epsilon: "0.1" })).origin).toBe("reused")
    expect((await ask(cube, { epsilon: "20" })).origin).toBe("released")
  })

  test.each([cube, codes])(
    "[B5] groupings that are asked for again are merged, and add up: %s",
    async (sql) => {
      const answers = [await ask(sql, { epsilon: "1" }), await ask(sql, { epsilon: "1.05" })]
      expect(answers.map(({ origin }) => origin)).toEqual(["released", "released"])
      const alone = await ask(sql, { epsilon: "1.0501", reuse: "never" })
      const ratios = widths(answers[1] ?? alone, 2).map((width, row) => width / (widths(alone, 2)[row] ?? 1))
      // Two variances v and about v: v / 2 together.
      for (const ratio of ratios) expect(ratio).toBeLessThan(0.85)
      const third = await ask(sql, { epsilon: "1.2" })
      expect(third.origin).toBe("reused")
      expect(third.from).toHaveLength(3)
      for (const answer of [...answers, third]) checkSums(answer)
    },
  )
})

/** The finest groups, of which no key is NULL, add up to the groups of their first key, and to the total. */
function checkSums({ table: { rows } }: Asked): void {
  const sums = new Map<unknown, number>()
  for (const [first, second, n] of rows) {
    if (first?.value === null || second?.value === null) continue
    for (const key of [first?.value, null]) sums.set(key, (sums.get(key) ?? 0) + Number(n?.value))
  }
  for (const [first, second, n] of rows) {
    if (second?.value === null) expect(Number(n?.value)).toBeCloseTo(sums.get(first?.value) ?? NaN, 6)
    expect(Number(n?.low)).toBeLessThan(Number(n?.value))
    expect(Number(n?.high)).toBeGreaterThan(Number(n?.value))
  }
}
