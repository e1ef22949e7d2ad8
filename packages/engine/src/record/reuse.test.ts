import { exactly } from "@dosimeter/core"
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, test } from "vitest"
import type { Engine } from "../engine.ts"
import type { QuestionOptions } from "../ask/ask-question.ts"
import type { AnswerTable } from "@dosimeter/answers/shown/answer-table"
import type { Recorded } from "../record/recorded.ts"
import { clinicPolicy, makeClinic, type Clinic, type OpenClinic } from "../testing/clinic.ts"
import { writeReceipt } from "@dosimeter/answers/shown/receipt-text"

let clinic: Clinic
let engine: Engine

beforeAll(async () => {
  clinic = await makeClinic()
})
/** A new ledger for every test. */
function withEngine(policy: string): void {
  let opened: OpenClinic
  beforeEach(async () => {
    opened = await clinic.open({ policy, seed: "reuse" })
    engine = opened.engine
  })
  afterEach(() => opened.close())
}
afterAll(() => clinic.remove())

interface Asked extends Recorded {
  readonly table: AnswerTable
}

async function ask(sql: string, options: QuestionOptions & { epsilon?: string } = {}): Promise<Asked> {
  const { epsilon, ...rest } = options
  const asked = epsilon === undefined ? rest : { ...rest, ask: { epsilon: exactly(epsilon, "epsilon") } }
  const recorded = await engine.ask(sql, asked)
  const table: AnswerTable = recorded.answer
  return { ...recorded, table }
}

const numbers = ({ table }: Asked, column = 1): number[] =>
  table.rows.map((row) => Number(row[column]?.value))
const widths = ({ table }: Asked, column: number): number[] =>
  table.rows.map((row) => (Number(row[column]?.high) - Number(row[column]?.low)) / 2)

describe("[B5] earlier releases on the same data answer, for free,", () => {
  withEngine(clinicPolicy)

  test("a coarser table, as sums of its cells with the noise of all of them", async () => {
    const fine = await ask("SELECT age, COUNT(*) FROM patients GROUP BY age", { epsilon: "2" })
    const before = await engine.account()
    const all = await ask("SELECT COUNT(*) FROM patients", { epsilon: "0.1" })
    expect(all.origin).toBe("reused")
    expect(await engine.account()).toEqual(before)
    expect(numbers(all, 0)[0]).toBe(numbers(fine).reduce((sum, value) => sum + value, 0))
    // Ten draws of the same variance, each rounded.
    const ratio = (widths(all, 0)[0] ?? 0) / (widths(fine, 1)[0] ?? 1)
    expect(ratio).toBeGreaterThan(Math.sqrt(10) * 0.9)
    expect(ratio).toBeLessThan(Math.sqrt(10) * 1.4)
  })

  test("a band of a released key, and a filter on it", async () => {
    const fine = await ask("SELECT sex, age, COUNT(*) FROM patients GROUP BY sex, age", { epsilon: "4" })
    const young = await ask(
      "SELECT sex, COUNT(*) FROM patients WHERE age < 3 AND sex IN ('f', 'm') GROUP BY sex",
      { epsilon: "0.1" },
    )
    expect(young.origin).toBe("reused")
    const cells = fine.table.rows.map((row) => row.map(({ value }) => value))
    const sums = ["f", "m"].map((sex) =>
      cells.filter(([s, age]) => s === sex && Number(age) < 3).reduce((sum, row) => sum + Number(row[2]), 0),
    )
    expect(numbers(young)).toEqual(sums)
    const banded = await ask(
      `SELECT CASE WHEN age < 5 THEN 'young' ELSE 'old' END AS band, COUNT(*) FROM patients
       WHERE sex = 'f' GROUP BY 1`,
      { epsilon: "0.1" },
    )
    expect(banded.origin).toBe("reused")
    expect(banded.table.rows.map(([band]) => band?.value)).toEqual(["old", "young"])
  })

  test("a mean from a sum and a count", async () => {
    await ask("SELECT age, SUM(weight), COUNT(weight) FROM patients GROUP BY age", { epsilon: "4" })
    const mean = await ask("SELECT AVG(weight) FROM patients", { epsilon: "0.1" })
    expect(mean.origin).toBe("reused")
    expect(numbers(mean, 0)[0]).toBeGreaterThan(60)
    expect(numbers(mean, 0)[0]).toBeLessThan(90)
  })
})

describe("[B5] a release is made where earlier ones would say less:", () => {
  withEngine(clinicPolicy)

  test("if they are noisier", async () => {
    await ask("SELECT age, COUNT(*) FROM patients GROUP BY age", { epsilon: "0.1" })
    expect((await ask("SELECT COUNT(*) FROM patients", { epsilon: "0.5" })).origin).toBe("released")
  })

  test("if rows with values that are not declared would be missing, unless that is accepted", async () => {
    await ask("SELECT ward, COUNT(*) FROM visits GROUP BY ward", { epsilon: "4" })
    const sql = "SELECT COUNT(*) FROM visits"
    const accepted = await ask(sql, { reuse: "always", epsilon: "0.1" })
    expect(accepted.origin).toBe("reused")
    expect(writeReceipt(accepted.receipt)).toContain("values that are not declared")
    expect((await ask(sql, { epsilon: "0.1" })).origin).toBe("released")
  })

  test("if a person may be in several of the groups that would be added", async () => {
    await ask("SELECT ward, COUNT(DISTINCT patient_id) FROM visits GROUP BY ward", { epsilon: "4" })
    const sql = "SELECT COUNT(DISTINCT patient_id) FROM visits"
    expect((await ask(sql, { reuse: "always", epsilon: "0.1" })).origin).toBe("released")
  })

  test("if nobody wants the record", async () => {
    await ask("SELECT age, COUNT(*) FROM patients GROUP BY age", { epsilon: "4" })
    const sql = "SELECT COUNT(*) FROM patients"
    expect((await ask(sql, { reuse: "never", epsilon: "0.1" })).origin).toBe("released")
  })

  test("on other rows, under another condition, and of keys that passed selection", async () => {
    await ask("SELECT age, COUNT(*) FROM patients WHERE weight > 60 GROUP BY age", { epsilon: "4" })
    expect((await ask("SELECT COUNT(*) FROM patients", { epsilon: "0.1" })).origin).toBe("released")
    await ask("SELECT city, COUNT(*) FROM visits GROUP BY city", { epsilon: "4" })
    expect((await ask("SELECT COUNT(*) FROM visits", { reuse: "always", epsilon: "0.1" })).origin).toBe(
      "released",
    )
  })
})

describe("answers to the same question", () => {
  withEngine(clinicPolicy)

  test("[B5] a question that is asked again for more is merged with its earlier answers", async () => {
    const sql = "SELECT age, COUNT(*) FROM patients GROUP BY age"
    const [first, second] = [await ask(sql, { epsilon: "1" }), await ask(sql, { epsilon: "1.1" })]
    expect([first.origin, second.origin]).toEqual(["released", "released"])
    const alone = await ask(sql, { epsilon: "1.1001", reuse: "never" })
    // Two variances v and about v: v / 2 together.
    expect((widths(second, 1)[0] ?? 0) / (widths(alone, 1)[0] ?? 1)).toBeLessThan(0.85)
    const third = await ask(sql, { epsilon: "1.2" })
    expect(third.origin).toBe("reused")
    expect(third.from).toHaveLength(3)
    expect(await engine.ledger.verify()).toMatchObject({ sound: true })
  })
})

// At this loss the noise is zero but with a probability below 1e-10 a cell: answers are exact.
const noNoise = { epsilon: "332" }
const exactPolicy = clinicPolicy
  .replace("accounting: zcdp", "accounting: pure")
  .replace("epsilon: 50", "epsilon: 1000")
  .replace("max: 4", "max: 332")

const pairs: readonly (readonly [string, string, "reused" | "released"])[] = [
  [
    "SELECT age, COUNT(*) FROM patients GROUP BY age",
    "SELECT COUNT(*) FROM patients WHERE age >= 7",
    "reused",
  ],
  [
    "SELECT age, sex, SUM(age + 1) FROM patients GROUP BY age, sex",
    "SELECT sex, SUM(age + 1) AS w FROM patients WHERE age BETWEEN 2 AND 5 GROUP BY sex",
    "reused",
  ],
  [
    "SELECT age, COUNT(DISTINCT id) FROM patients WHERE weight > 60 GROUP BY age",
    `SELECT age / 5 AS band, COUNT(*) FROM (SELECT * FROM patients WHERE weight > 60) p
     WHERE age <> 3 GROUP BY 1`,
    "reused",
  ],
  [
    `SELECT p.age, COUNT(v.fee) FROM patients p LEFT JOIN visits v ON v.patient_id = p.id AND v.ward = 'A'
     GROUP BY p.age`,
    `SELECT COUNT(v.fee) FROM patients p LEFT JOIN visits v ON v.patient_id = p.id AND v.ward = 'A'
     WHERE p.age < 4`,
    "reused",
  ],
  [
    `SELECT p.age, COUNT(*) FROM patients p LEFT JOIN visits v ON v.patient_id = p.id AND v.ward = 'A'
     GROUP BY 1`,
    `SELECT COUNT(*) FROM patients p LEFT JOIN visits v ON v.patient_id = p.id AND v.ward = 'B'`,
    "released",
  ],
  [
    `SELECT age, COUNT(*) FROM patients p
     WHERE EXISTS (SELECT 1 FROM visits v WHERE v.patient_id = p.id AND fee > 300)
     GROUP BY age`,
    `SELECT COUNT(*) FROM patients p
     WHERE EXISTS (SELECT 1 FROM visits v WHERE v.patient_id = p.id AND fee > 300) AND age = 4`,
    "reused",
  ],
  [
    `SELECT age, COUNT(*) FROM patients p
     WHERE EXISTS (SELECT 1 FROM visits v WHERE v.patient_id = p.id AND fee > 300)
     GROUP BY age`,
    `SELECT COUNT(*) FROM patients p
     WHERE EXISTS (SELECT 1 FROM visits v WHERE v.patient_id = p.id AND fee > 200)`,
    "released",
  ],
  [
    `SELECT n, COUNT(*) FROM (SELECT patient_id, LEAST(COUNT(*), 3) AS n FROM visits GROUP BY patient_id) t
     GROUP BY n`,
    `SELECT COUNT(*) FROM (SELECT patient_id, LEAST(COUNT(*), 3) AS n FROM visits GROUP BY patient_id) t
     WHERE n > 1`,
    "reused",
  ],
  [
    "SELECT ward, COUNT(*) FROM visits GROUP BY ward",
    "SELECT COUNT(*) FROM visits WHERE ward = 'X'",
    "released",
  ],
  [
    "SELECT ward, COUNT(*) FROM visits GROUP BY ward",
    "SELECT COUNT(*) FROM visits WHERE ward <> 'A'",
    "released",
  ],
  [
    "SELECT sex, age, MEDIAN(weight) FROM patients GROUP BY sex, age",
    "SELECT age, MEDIAN(weight) FROM patients WHERE sex = 'f' GROUP BY age",
    "reused",
  ],
  [
    "SELECT sex, age, MEDIAN(weight) FROM patients GROUP BY sex, age",
    "SELECT age, MEDIAN(weight) FROM patients GROUP BY age",
    "released",
  ],
]

describe("without noise", () => {
  withEngine(exactPolicy)

  test.each(pairs)("[B5] after %s, %s is %s", async (first, second, origin) => {
    await ask(first, noNoise)
    const found = await ask(second, { epsilon: "1" })
    expect(found.origin).toBe(origin)
    const paid = await ask(second, { epsilon: "331", reuse: "never" })
    const values = ({ table }: Asked): unknown => table.rows.map((row) => row.map(({ value }) => value))
    expect(paid.origin).toBe("released")
    // A median between two cells is either.
    if (origin === "reused" && !second.includes("MEDIAN")) expect(values(found)).toEqual(values(paid))
  })
})
