import { specOf } from "@dosimeter/proof/algebra/measurement"
import { compare, exactly, numberNear, rational } from "@dosimeter/core/exact"
import type { Ask } from "@dosimeter/proof/catalog/terms"
import type { Workload } from "@dosimeter/planner/workload/plan-workload"
import { normWords } from "@dosimeter/planner/explain/words/norm-words"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest"
import type { Engine } from "../engine.ts"
import type { AnswerTable } from "@dosimeter/answers/shown/answer-table"
import { writeReceipt } from "@dosimeter/answers/shown/receipt-text"
import { clinicPolicy, makeClinic, type Clinic, type OpenClinic } from "../testing/clinic.ts"

// Every patient has a weight: its average shares the count of rows.
const policy = clinicPolicy.replace("grid: 0.5 }", "grid: 0.5, nullable: false }")
let clinic: Clinic
let opened: OpenClinic
let engine: Engine

beforeAll(async () => {
  clinic = await makeClinic()
})
beforeEach(async () => {
  opened = await clinic.open({ policy, seed: "workload" })
  engine = opened.engine
})
afterEach(() => opened.close())
afterAll(() => clinic.remove())

async function planned(
  questions: readonly string[],
  weights: readonly bigint[] = [],
  more: Pick<Ask, "nonNegative"> = {},
): Promise<Workload> {
  const asked = questions.map((sql, index) => ({ sql, weight: rational(weights[index] ?? 1n) }))
  return engine.plan(asked, { ask: { epsilon: exactly("1", "epsilon"), ...more } })
}

const dashboard = [
  "SELECT age, COUNT(*) AS n FROM patients GROUP BY age",
  "SELECT COUNT(*) AS n FROM patients WHERE age < 2",
  "SELECT age, COUNT(*) AS n, AVG(weight) AS w FROM patients GROUP BY age",
  "SELECT ward, COUNT(*) AS visits FROM visits GROUP BY ward ORDER BY 2 DESC",
  "SELECT COUNT(*) FROM wards",
  "SELECT city, COUNT(*) AS n FROM visits GROUP BY city",
]

test("[B6] measures once what is asked twice or can be worked out, and costs no more than was allowed", async () => {
  const { parts, charge, questions } = await planned(dashboard)
  const alone = await engine.explain(dashboard[0] ?? "", { ask: { epsilon: exactly("1", "epsilon") } })
  // Ages (with the two youngest), the sum of weights, wards, cities; nothing for the public table.
  expect(parts).toHaveLength(4)
  expect(compare(charge.amount, alone.plan.charge.amount)).toBeLessThanOrEqual(0)
  // Some of them select keys, for which half of delta is kept.
  expect(numberNear(charge.amount)).toBeGreaterThan(0.94 * numberNear(alone.plan.charge.amount))
  const total = questions.reduce((sum, { inPlan }) => sum + inPlan, 0)
  expect(total).toBeCloseTo(numberNear(charge.amount), 6)
  expect(questions.reduce((sum, question) => sum + question.alone, 0)).toBeGreaterThan(total)
})

test("[B6] one charge and one receipt for all, and a table for each question", async () => {
  const workload = await planned(dashboard)
  const before = await engine.ledger.entries(1n, 100)
  const { answers, receipt, origin, charge } = await engine.release(workload)
  expect(origin).toBe("released")
  const after = await engine.ledger.entries(1n, 100)
  expect(after.slice(before.length).map(({ entry }) => entry.kind)).toEqual(["charge", "settlement"])
  expect(receipt).toMatchObject({ unit: "patient" })
  expect(writeReceipt(receipt)).toContain("question 4 of 6: SELECT ward")
  const tables = answers.map((text) => {
    const table: AnswerTable = text
    return table
  })
  expect(tables.map(({ rows }) => rows.length)).toEqual([10, 1, 10, 4, 1, 2])
  const values = tables.map(({ rows }) => rows.map((row) => row.map(({ value }) => Number(value))))
  // The youngest are among the ages, and the ages are the same in both tables.
  const ages = values[0]?.map(([, n = 0]) => n) ?? []
  expect(values[1]?.[0]?.[0]).toBe((ages[0] ?? 0) + (ages[1] ?? 0))
  expect(values[2]?.map(([, n]) => n)).toEqual(ages)
  expect(values[2]?.every(([, , w = 0]) => Number.isFinite(w))).toBe(true)
  expect(values[4]).toEqual([[3]])
  const again = await engine.release(await planned(dashboard))
  expect(again).toEqual({ answers, receipt, origin: "recorded", charge })
  expect(await engine.ledger.verify()).toMatchObject({ sound: true })
})

test("[B6] errors are those of the answers, and a heavier question has smaller ones", async () => {
  const two = [
    "SELECT age, COUNT(*) FROM patients GROUP BY age",
    "SELECT ward, COUNT(*) FROM visits GROUP BY ward",
  ]
  const [plain, heavy] = [await planned(two), await planned(two, [1n, 8n])]
  const error = ({ questions }: Workload, index: number): number => questions[index]?.errors[0]?.error ?? 0
  expect(error(heavy, 1)).toBeLessThan(error(plain, 1))
  expect(error(heavy, 0)).toBeGreaterThan(error(plain, 0))
  // Intervals of raw values are not cut at 0.
  const { answers } = await engine.release(await planned(two, [], { nonNegative: false }))
  for (const [index, text] of answers.entries()) {
    const { rows }: AnswerTable = text
    for (const [, cell] of rows) {
      // Ends of whole numbers are rounded away from each other.
      const half = (Number(cell?.high) - Number(cell?.low)) / 2
      expect(half).toBeGreaterThan(error(plain, index) - 1e-6)
      expect(half).toBeLessThan(error(plain, index) + 1)
    }
  }
})

test("[B6] what would be too noisy as a sum of many cells is measured by itself, and both are merged", async () => {
  const many = ["SELECT age, sex, COUNT(*) FROM patients GROUP BY 1, 2", "SELECT COUNT(*) FROM patients"]
  const { parts, questions } = await planned(many)
  expect(parts).toHaveLength(2)
  const [own, sum] = [parts[1], parts[0]].map((part) => {
    const spec = part?.plan.releases[0]?.measurements.map(specOf)[0]
    return spec?.kind === "gaussian" ? numberNear(spec.variance) : 0
  })
  const best = 1.96 * Math.sqrt(1 / (1 / (own ?? 0) + 1 / (20 * (sum ?? 0))))
  expect((questions[1]?.errors[0]?.error ?? 0) / best).toBeCloseTo(1, 1)
})

test("[B6] one question is planned as it is by itself", async () => {
  const sql = "SELECT age, COUNT(*) FROM patients GROUP BY age"
  const { charge, questions } = await planned([sql])
  const alone = await engine.explain(sql, { ask: { epsilon: exactly("1", "epsilon") } })
  expect(numberNear(charge.amount) / numberNear(alone.plan.charge.amount)).toBeGreaterThan(0.99999)
  expect(questions[0]?.alone).toBeCloseTo(questions[0]?.inPlan ?? 0, 4)
})

test("[B6] a mean in a plan is as good as one by itself for its part of the loss", async () => {
  const mean = "SELECT AVG(weight) AS w FROM patients"
  const workload = await planned(["SELECT COUNT(*) AS n FROM patients", mean])
  const [count, average] = workload.questions
  expect(average?.errors).toMatchObject([{ label: "AVG(weight)", kind: "mean" }])
  expect(average?.alone).toBeLessThan((average?.inPlan ?? 0) * 1.05)
  // The number that comes with the mean makes the count better.
  expect(count?.alone).toBeGreaterThan((count?.inPlan ?? 0) * 1.05)
  const { answers } = await engine.release(workload)
  expect(halfWidth(answers[1] ?? none)).toBeLessThan(((average?.errors[0]?.error ?? 0) / 2000) * 1.05)
})

test("[B6] a mean is merged with its number, and is not worked out from a sum and a count asked apart", async () => {
  const ask = async (what: string, epsilon: string) =>
    engine.ask(`SELECT ${what} AS x FROM patients`, { ask: { epsilon: exactly(epsilon, "epsilon") } })
  await ask("COUNT(*)", "1.3")
  await ask("SUM(weight)", "1.3")
  const first = await ask("AVG(weight)", "1")
  expect(first.origin).toBe("released")
  // By itself it would be 0.7.
  expect(halfWidth(first.answer)).toBeLessThan(0.6)
  const second = await ask("AVG(weight)", "1.5")
  expect(halfWidth(second.answer)).toBeLessThan(halfWidth(first.answer))
  expect((await ask("AVG(weight)", "0.5")).origin).toBe("reused")
})

const none: AnswerTable = { columns: [], rows: [] }

function halfWidth({ rows }: AnswerTable): number {
  return (Number(rows[0]?.[0]?.high) - Number(rows[0]?.[0]?.low)) / 2
}

test("[B6] groupings that are measured together say the error of each", async () => {
  const { questions } = await planned(["SELECT sex, age, COUNT(*) FROM patients GROUP BY CUBE (sex, age)"])
  const errors = questions[0]?.errors ?? []
  expect(errors.map(({ label }) => label)).toEqual([
    "COUNT(*) by sex, age",
    "COUNT(*) by sex",
    "COUNT(*) by age",
    "COUNT(*) in all",
  ])
  for (const { error } of errors) expect(error).toBeGreaterThan(1)
})

describe("norms of ladders that are on record", () => {
  const learning = clinicPolicy.replace(", norm: fixed", "")
  const byWard = "SELECT ward, COUNT(*) AS visits FROM visits GROUP BY ward"
  const questions = [byWard, "SELECT age, COUNT(*) AS n FROM patients GROUP BY age"]
  const asked = questions.map((sql) => ({ sql, weight: rational(1n) }))
  const ask = { epsilon: exactly("1", "epsilon") }
  let own: OpenClinic
  beforeAll(async () => {
    own = await clinic.open({ policy: learning, seed: "norms of workloads" })
  })
  afterAll(() => own.close())

  const normsOf = ({ parts }: Workload): readonly (number | undefined)[] =>
    parts.map(({ plan: { releases } }) => {
      const [release] = releases
      const norm = release === undefined ? undefined : normWords(release)
      return norm === undefined ? undefined : Number(/[\d.]+/.exec(norm)?.[0])
    })
  const isLearnt = ({ parts }: Workload): boolean =>
    parts.some(({ plan: { releases } }) => releases.some(({ bounds }) => bounds.scaled?.beyond !== undefined))

  test("are those of a plan, and of no plan before they were paid for or while they wait", async () => {
    const before = await own.engine.plan(asked, { ask })
    expect(isLearnt(before)).toBe(false)
    await own.engine.ask(byWard, { ask: { epsilon: exactly("0.5", "epsilon") } })
    const after = await own.engine.plan(asked, { ask })
    expect(isLearnt(after)).toBe(true)
    // Everybody in a listed ward has three visits to it, where groups and rows say 6.9.
    const [known, usual] = [after, before].map((one) => normsOf(one).find((norm) => norm !== undefined))
    expect(usual).toBeGreaterThan(6)
    expect(known).toBeGreaterThan(2.9)
    expect(known).toBeLessThan(6)
    expect(after.charge.amount).toEqual(before.charge.amount)
    const error = ({ questions: [first] }: Workload): number => first?.errors[0]?.error ?? 0
    expect(error(after)).toBeLessThan(0.9 * error(before))
    const waiting = await own.engine.plan(asked, { ask, mayUse: async () => false })
    expect(isLearnt(waiting)).toBe(false)
    const { receipt, answers } = await own.engine.release(after)
    expect(writeReceipt(receipt)).toContain("the ladder is an earlier release")
    expect(answers[0]?.columns[1]?.bounding).toBe("estimate")
  })

  test("change nothing about what was answered without them, which goes on being free", async () => {
    const sum = "SELECT ward, SUM(fee) AS fees FROM visits GROUP BY ward"
    const others = [sum, ...questions.slice(1)].map((sql) => ({ sql, weight: rational(1n) }))
    const first = await own.engine.release(await own.engine.plan(others, { ask }))
    await own.engine.ask(sum, { ask: { epsilon: exactly("0.5", "epsilon") } })
    const again = await own.engine.release(await own.engine.plan(others, { ask }))
    const { from: _from, ...recorded } = first
    expect(again).toEqual({ ...recorded, origin: "recorded" })
  })
})
