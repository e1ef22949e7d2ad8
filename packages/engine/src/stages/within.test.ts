import { DosimeterError } from "@dosimeter/core"
import { compare, exactly, numberNear } from "@dosimeter/core/exact"
import { seededBits } from "@dosimeter/core/testing"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Engine } from "../engine.ts"
import type { AnswerCell, AnswerTable } from "@dosimeter/answers/shown/answer-table"
import { openWard, type Ward } from "../testing/ward.ts"
import { askWithin, neededFactor, planWithin } from "./within.ts"
import { readTarget, type WithinTarget } from "./within-target.ts"

let ward: Ward
let engine: Engine
beforeAll(async () => {
  // The same noise in every run: what is chosen after a first look depends on it.
  ward = await openWard({ rng: seededBits("within") })
  engine = ward.engine
})
afterAll(async () => ward.close())

const size = (amount: string): WithinTarget => ({ kind: "size", amount: exactly(amount, "error") })
const share = (amount: string): WithinTarget => ({ kind: "share", amount: exactly(amount, "error") })
const on = (sql: string, target: WithinTarget) => ({ engine, sql, target, options: {} })
const count = "SELECT COUNT(*) AS n FROM patients"

function halfWidths({ rows }: AnswerTable, column: number): readonly number[] {
  return rows.map((row) => (Number(row[column]?.high) - Number(row[column]?.low)) / 2)
}

async function refusal(run: () => Promise<unknown>): Promise<DosimeterError> {
  try {
    await run()
  } catch (error) {
    if (error instanceof DosimeterError) return error
  }
  throw new Error("this should have been refused")
}

describe("an error in the units of the answer", () => {
  test("of counts and sums is found by planning, and kept by every group", async () => {
    const before = await engine.account()
    const sql = "SELECT sex, COUNT(*) AS n, COUNT(*) FILTER (WHERE age < 30) AS m FROM patients GROUP BY sex"
    const plan = await planWithin(on(sql, size("60")))
    expect(plan.kind).toBe("known")
    expect(await engine.account()).toEqual(before)
    const { answer, looks, epsilon, reached } = await askWithin(on(sql, size("60")))
    expect([looks, reached]).toEqual([[], { inside: 2, of: 2 }])
    for (const column of [1, 2]) {
      for (const width of halfWidths(answer.answer, column)) {
        expect(width).toBeLessThanOrEqual(60)
        expect(width).toBeGreaterThan(50)
      }
    }
    // A little less would not do.
    const less = await engine.explain(sql, {
      ask: { epsilon: exactly(`${numberNear(epsilon) * 0.98}`, "e") },
    })
    expect(less.text).toMatch(/± 6[1-9]/)
  })

  test("of an average takes a first look", async () => {
    const sql = "SELECT AVG(age) AS age FROM patients"
    const { answer, looks, epsilon } = await askWithin(on(sql, size("0.05")))
    expect([looks[0]?.origin, answer.origin]).toEqual(["released", "released"])
    expect(halfWidths(answer.answer, 0)[0]).toBeLessThan(0.0625)
    expect(halfWidths(answer.answer, 0)[0]).toBeGreaterThan(0.025)
    expect(numberNear(epsilon)).toBeLessThan(2)
  })

  test("that the first look keeps already needs nothing more: the look is the answer", async () => {
    const { answer, looks } = await askWithin(
      on("SELECT AVG(age) AS a FROM patients WHERE age < 90", size("5")),
    )
    expect([looks.length, answer.origin]).toEqual([0, "released"])
  })

  test("EXPLAIN with a wanted error says what it takes, and pays for no look", async () => {
    const before = await engine.account()
    const { answer, looks } = await askWithin(on(`EXPLAIN ${count}`, share("0.05")))
    const { rows }: AnswerTable = answer.answer
    expect(`${rows[0]?.[0]?.value}`).toMatch(
      /^within {6}5%: this look tells .* epsilon 0.06 and 0.2\); .* 2$/,
    )
    expect([looks.length, await engine.account()]).toEqual([0, before])
  })

  test("within/not-positive: an error of 0 or less", () => {
    for (const text of ["0", "-5", "0%"]) {
      expect(() => readTarget(text, "--within")).toThrow("an error to reach must be greater than 0")
    }
    expect(readTarget(" 5 % ", "--within")).toEqual(share("0.05"))
  })

  test("within/unreachable: too small for the largest epsilon, and nothing is charged", async () => {
    const before = await engine.account()
    const error = await refusal(() => planWithin(on(count, size("1"))))
    expect(error).toMatchObject({ code: "within/unreachable", kind: "refused" })
    expect(error.message).toMatch(/^epsilon 2, the most for one question, gives ±\d+ and not ±1$/)
    expect(await engine.account()).toEqual(before)
  })

  test("within/nothing: where no number has noise", async () => {
    const error = await refusal(() => planWithin(on("SELECT 1 AS one", size("1"))))
    expect(error).toMatchObject({ code: "within/nothing", kind: "invalid" })
  })
})

describe("an error as a share of the answer", () => {
  test("takes looks, which are charged, and costs little where a small loss is enough", async () => {
    const before = await engine.account()
    const plan = await planWithin(on(count, share("0.05")))
    expect(plan).toMatchObject({ kind: "first-look", epsilon: exactly("0.02", "e") })
    expect(await engine.account()).toEqual(before)
    const easy = await askWithin(on(count, share("0.2")))
    expect([easy.looks.length, easy.reached]).toEqual([0, { inside: 1, of: 1 }])
    const after = await engine.account()
    expect(compare(after.spent, before.spent)).toBe(1)
    // The same look is in the record: only what is more costs something.
    const hard = await askWithin(on(count, share("0.002")))
    expect(hard.looks[0]?.origin).toBe("recorded")
    expect(compare(hard.epsilon, easy.epsilon)).toBe(1)
    expect(hard.reached).toEqual({ inside: 1, of: 1 })
  })

  test("is not scaled from an earlier, better answer", async () => {
    const sql = `${count} WHERE sex = 'f'`
    const good = await engine.ask(sql, { ask: { epsilon: exactly("1", "epsilon") } })
    const [width = 0] = halfWidths(good.answer, 0)
    const { answer, looks } = await askWithin(on(sql, { kind: "share", amount: exactly("0.0008", "error") }))
    expect(looks[0]?.origin).toBe("released")
    expect(halfWidths(answer.answer, 0)[0]).toBeLessThan(width)
    expect(halfWidths(answer.answer, 0)[0]).toBeLessThanOrEqual(9)
  })

  test("holds in at least half of the groups of a table", async () => {
    const sql = "SELECT age / 20 AS band, COUNT(*) AS n FROM patients GROUP BY 1"
    const { answer, reached } = await askWithin(on(sql, share("0.05")))
    const { rows }: AnswerTable = answer.answer
    const kept = rows.filter(([, n]) => {
      const width = (Number(n?.high) - Number(n?.low)) / 2
      return width <= 0.055 * Number(n?.value)
    })
    expect(kept.length).toBeGreaterThanOrEqual(rows.length / 2)
    expect(reached.of).toBe(rows.filter(([, n]) => n?.state === "released").length)
    expect(Math.abs(reached.inside - kept.length)).toBeLessThanOrEqual(1)
  })

  test("within/small: an answer that the first look cannot tell from 0 has no share", async () => {
    const nobody = `${count} WHERE age = 107`
    const error = await refusal(() => askWithin(on(nobody, share("0.5"))))
    expect(error).toMatchObject({ code: "within/small", kind: "refused" })
  })

  test("within/unreachable: says which share could be reached", async () => {
    const error = await refusal(() => askWithin(on(`${count} WHERE age < 10`, share("0.0001"))))
    expect(error.code).toBe("within/unreachable")
    expect(error.message).toMatch(/gives ±[\d.]+% and not ±0\.01%$/)
  })
})

test("widths must shrink for the harder column, and for the better half of its groups", () => {
  const cell = (low: number, high: number): AnswerCell => ({
    value: (low + high) / 2,
    low,
    high,
    state: "released",
  })
  const column = (name: string) => ({ name, type: "integer", kind: "noisy" as const })
  const hidden: AnswerCell = { value: null, state: "below-threshold" }
  const table = (rows: AnswerTable["rows"]): AnswerTable => ({ columns: [column("a"), column("b")], rows })
  const wide = table([
    [cell(90, 110), cell(0, 40)],
    [cell(0, 200), cell(0, 40)],
    [hidden, hidden],
  ])
  expect(neededFactor(wide, size("5"), "near")).toBe(0.25)
  expect(neededFactor(wide, size("40"), "near")).toBe(2)
  // The second group may be 0, and so may all of the second column.
  expect(neededFactor(wide, share("0.1"), "near")).toBe(0)
  expect(neededFactor({ ...wide, columns: [column("a")] }, share("0.1"), "near")).toBeCloseTo(0.9, 12)
  expect(neededFactor({ ...wide, columns: [column("a")] }, share("0.1"), "middle")).toBeCloseTo(1, 12)
  expect(neededFactor({ ...wide, columns: [column("a")] }, share("0.1"), "far")).toBeCloseTo(1.1, 12)
  expect(neededFactor(table([[hidden, hidden]]), size("5"), "near")).toBe(0)
})
