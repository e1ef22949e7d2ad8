// Bounds that nobody declared, learnt from the data at a price.

import { noteText } from "@dosimeter/answers/shown/note-words"
import { DosimeterError } from "@dosimeter/core"
import { add, compare, exactly, numberNear } from "@dosimeter/core/exact"
import { seededBits } from "@dosimeter/core/testing"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Engine } from "../engine.ts"
import type { AnswerTable } from "@dosimeter/answers/shown/answer-table"
import { openWard, wardPolicy, type Ward } from "../testing/ward.ts"
import { paidReceipt } from "../testing/paid-receipt.ts"

const undeclared = wardPolicy
  .replace("{ type: integer, min: 0, max: 110 }", "integer")
  .replace("{ type: float, min: 0, max: 250 }", "float")
let ward: Ward
let engine: Engine
beforeAll(async () => {
  ward = await openWard({ rng: seededBits("bounds"), policy: undeclared })
  engine = ward.engine
})
afterAll(async () => ward.close())

const auto = { ask: { bounds: "undeclared" } } as const

async function refusal(run: () => Promise<unknown>): Promise<DosimeterError> {
  try {
    await run()
  } catch (error) {
    if (error instanceof DosimeterError) return error
  }
  throw new Error("this should have been refused")
}

describe("automatic bounds", () => {
  test("are learnt where none are declared, and the answer is near the truth", async () => {
    const sql = "SELECT sex, SUM(age) AS years, AVG(weight) AS weight FROM patients GROUP BY sex"
    expect((await refusal(() => engine.ask(sql))).code).toBe("privacy/unbounded-sum")
    const { answer, learnt = [] } = await engine.ask(sql, auto)
    expect(learnt.map(({ label }) => label)).toEqual(["SUM(age)", "AVG(weight)"])
    const [age, weight] = learnt
    // Ages 0 to 99, weights 40 to 140: a quarter of an octave to spare at most, and few rows beyond.
    expect(age?.low).toBeGreaterThanOrEqual(0)
    expect(age?.low).toBeLessThanOrEqual(10)
    expect(age?.high).toBeGreaterThanOrEqual(90)
    expect(age?.high).toBeLessThanOrEqual(120)
    expect(weight?.low).toBeGreaterThan(30)
    expect(weight?.low).toBeLessThan(50)
    expect(weight?.high).toBeGreaterThan(120)
    expect(weight?.high).toBeLessThan(180)
    const { rows }: AnswerTable = answer
    for (const [, years, mean] of rows) {
      expect(Math.abs(Number(years?.value) - 495_000)).toBeLessThan(30_000)
      expect(Math.abs(Number(mean?.value) - 90)).toBeLessThan(3)
    }
    // All rows count, but values beyond bounds that nobody declared are cut: that is not in the intervals.
    const said = answer.columns.map(({ bounding }) => bounding)
    expect(said).toEqual([undefined, "noise-only", "noise-only"])
    expect(answer.notes?.map((note) => noteText(note))[0]).toBe(
      "intervals are of the noise only: what bounding left out is not in them",
    )
  })

  test("[B1] cost a share of the question, each stage with its own receipt, and no more in all", async () => {
    const sql = "SELECT SUM(age) AS years FROM patients WHERE sex = 'f'"
    const before = await engine.account()
    const asked = await engine.ask(sql, auto)
    const { learnt = [] } = asked
    const after = await engine.account()
    const alone = await engine.explain("SELECT COUNT(*) FROM patients WHERE sex = 'f' AND age > 1")
    const spent = numberNear(after.spent) - numberNear(before.spent)
    expect(spent).toBeLessThanOrEqual(numberNear(alone.plan.charge.amount) * (1 + 1e-9))
    expect(spent).toBeGreaterThan(numberNear(alone.plan.charge.amount) * 0.9)
    const all = [asked, ...learnt.flatMap(({ stages }) => stages)]
    const ids = all.map((one) => paidReceipt(one).id)
    expect(new Set(ids).size).toBe(3)
    // Asked again, all of it is on record.
    const again = await engine.ask(sql, auto)
    expect([
      again.origin,
      ...(again.learnt?.flatMap(({ stages }) => stages.map(({ origin }) => origin)) ?? []),
    ]).toEqual(["recorded", "recorded", "recorded"])
    expect(await engine.account()).toEqual(after)
  })

  test("quantiles have them too, and negative values", async () => {
    const { answer, learnt } = await engine.ask("SELECT MEDIAN(50 - age) AS m FROM patients", auto)
    expect(learnt?.[0]?.low).toBeLessThan(-35)
    expect(learnt?.[0]?.low).toBeGreaterThan(-70)
    expect(learnt?.[0]?.high).toBeGreaterThan(35)
    expect(learnt?.[0]?.high).toBeLessThan(70)
    const { rows }: AnswerTable = answer
    expect(Math.abs(Number(rows[0]?.[0]?.value) - 0.5)).toBeLessThan(10)
  })

  test("are explained for nothing, and what is wrong is said before anything is paid", async () => {
    const before = await engine.account()
    const { text } = await engine.explain("SELECT SUM(age) FROM patients", auto)
    expect(text).toContain("stage       how many rows SUM(age) has, to learn bounds")
    expect(text).toContain("stage       then the question itself, inside the bounds with about epsilon 0.88")
    const lines = await engine.ask("EXPLAIN SELECT SUM(age) FROM patients", auto)
    expect(lines.origin).toBe("explained")
    expect((await refusal(() => engine.ask("SELECT SUM(age), nothing FROM patients", auto))).code).toBe(
      "sql/unknown-column",
    )
    expect(await engine.account()).toEqual(before)
  })

  test.each(["0", "0.0099", "0.91", "0.99", "0.9999999", "1"])(
    "a share of %s is refused, asked or explained, and nothing is charged",
    async (text) => {
      const before = await engine.account()
      const share = { ask: { ...auto.ask, boundsShare: exactly(text, "share") } }
      const sql = "SELECT SUM(age) FROM patients"
      expect((await refusal(() => engine.ask(sql, share))).code).toBe("bounds/bad-share")
      expect((await refusal(() => engine.explain(sql, share))).code).toBe("bounds/bad-share")
      expect(await engine.account()).toEqual(before)
    },
  )

  // What fits is known before the first stage: a question is answered within its cost, or it costs nothing.
  test.each([
    ["0.9", "2"],
    ["0.9", "0.001"],
    ["0.9", "0.00001"],
    ["0.9", "0.000001"],
    ["0.01", "0.001"],
    ["0.01", "0.000001"],
  ])(
    "a share of %s at epsilon %s is answered for what was asked, or refused for nothing",
    async (share, text) => {
      const epsilon = exactly(text, "epsilon")
      const sql = "SELECT SUM(age) AS years, AVG(weight) FROM patients"
      const ask = { ...auto.ask, boundsShare: exactly(share, "share"), epsilon }
      const before = await engine.account()
      const alone = await engine.explain("SELECT COUNT(*) FROM patients", { ask: { epsilon } })
      let code = "answered"
      try {
        await engine.ask(sql, { ask })
      } catch (error) {
        if (!(error instanceof DosimeterError)) throw error
        code = error.code
      }
      const { spent } = await engine.account()
      expect(["answered", "bounds/too-little"]).toContain(code)
      if (code !== "answered") expect(spent).toEqual(before.spent)
      expect(compare(spent, add(before.spent, alone.plan.charge.amount))).toBeLessThanOrEqual(0)
      expect(code).toBe(text === "0.000001" ? "bounds/too-little" : "answered")
    },
  )

  test("declared bounds are kept, unless all are to be learnt", async () => {
    const declared = await openWard({ rng: seededBits("declared") })
    const sql = "SELECT SUM(weight) AS w FROM patients"
    expect((await declared.engine.ask(sql, auto)).learnt).toBeUndefined()
    const { learnt } = await declared.engine.ask(sql, { ask: { bounds: "all" } })
    expect(learnt?.[0]?.high).toBeLessThan(180)
    await declared.close()
  })
})

test("all stages together cost what was asked", async () => {
  const sql = "SELECT SUM(age) AS years FROM patients WHERE sex = 'm'"
  const epsilon = exactly("0.3", "epsilon")
  const before = await engine.account()
  await engine.ask(sql, { ask: { ...auto.ask, epsilon, boundsShare: exactly("0.5", "share") } })
  const after = await engine.account()
  const limit = add(
    before.spent,
    (await engine.explain("SELECT COUNT(*) FROM patients", { ask: { epsilon } })).plan.charge.amount,
  )
  expect(compare(after.spent, limit)).toBeLessThanOrEqual(0)
})

test("of groups are learnt too: as many as nearly everybody is in", async () => {
  const sql = "SELECT ward, COUNT(*) AS stays FROM stays GROUP BY ward"
  const before = await engine.account()
  const { answer, receipt, learnt = [] } = await engine.ask(sql, { ask: { autoGroups: true } })
  const after = await engine.account()
  expect(learnt.map(({ label, low, high }) => ({ label, low, high }))).toEqual([
    { label: "groups of each patient", low: 1, high: 2 },
  ])
  expect(receipt).toMatchObject({ bounding: [{ groupsPerUnit: "2" }] })
  const { rows }: AnswerTable = answer
  expect(rows).toHaveLength(7) // NULL is a group too.
  const alone = await engine.explain(sql)
  const spent = numberNear(after.spent) - numberNear(before.spent)
  expect(spent).toBeLessThanOrEqual(numberNear(alone.plan.charge.amount) * (1 + 1e-9))
  const first = (await engine.explain(sql, { ask: { autoGroups: true } })).text
  expect(first).toContain("in how many groups each unit is, to learn bounds")
  // Where each person is in one group nothing is learnt.
  const one = await engine.ask("SELECT sex, COUNT(*) FROM patients GROUP BY sex", {
    ask: { autoGroups: true },
  })
  expect(one.learnt).toBeUndefined()
})
