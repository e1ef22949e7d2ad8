// What bounding and clamping leave out is told beside the answer, near the truth, and paid with it.

import { exactly, numberNear } from "@dosimeter/core/exact"
import { seededBits } from "@dosimeter/core/testing"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Engine } from "../engine.ts"
import type { AnswerTable } from "@dosimeter/answers/shown/answer-table"
import { openWard, wardPolicy, type Ward } from "../testing/ward.ts"

let ward: Ward
let engine: Engine
beforeAll(async () => {
  // In the wards people have no key of their own, so that rows are bounded as well.
  ward = await openWard({ rng: seededBits("bias"), policy: wardPolicy.replace("max: 110", "max: 90") })
  engine = ward.engine
})
afterAll(async () => ward.close())

const bias = exactly("0.2", "share")

async function biasOf(sql: string, groupsPerUnit: bigint): Promise<NonNullable<AnswerTable["bias"]>> {
  const { answer } = await engine.ask(sql, { ask: { bias, groupsPerUnit } })
  const table: AnswerTable = answer
  return table.bias ?? []
}

test("[P3] groups that are left out: how many people, what share, and what it does to a count", async () => {
  // 20,000 people in two wards each, of whom 400 are in all six, with one row in each.
  const notes = await biasOf("SELECT ward, COUNT(*) AS n FROM stays GROUP BY ward", 2n)
  expect(notes.map(({ text }) => text.replaceAll(/[\d.,]+/g, "#"))).toEqual([
    "about # (# to #) units (patient) are in more than # groups",
    "about # % (# to #) of the groups that a patient is in are left out (# a patient count# and up to # more are looked at)",
    "about # % (# to #) of the rows are left out (# a group count# and up to # more are looked at)",
    "COUNT(*)# all groups together# may be low by up to about # (# to #) for what is left out",
  ])
  const truths = [400, 800 / 40_800, 0, 800]
  for (const [index, truth] of truths.entries()) {
    const { low, high } = notes[index] ?? { low: null, high: null }
    expect(Number(low), notes[index]?.text).toBeLessThanOrEqual(truth)
    expect(Number(high), notes[index]?.text).toBeGreaterThanOrEqual(truth)
  }
  expect(Number(notes[0]?.high) - Number(notes[0]?.low)).toBeLessThan(400)
})

test("values at the ends of their bounds", async () => {
  // Ages 0 to 99 are read up to 90: a tenth of them is there or beyond, a hundredth is 0.
  const [low, high] = await biasOf("SELECT sex, AVG(age) AS age FROM patients GROUP BY sex", 1n)
  expect(low?.text).toMatch(/of the values of AVG\(age\) are 0 or below, and count as that$/)
  expect(Math.abs(Number(low?.value) - 0.01)).toBeLessThan(0.01)
  expect(Math.abs(Number(high?.value) - 0.1)).toBeLessThan(0.01)
})

test("[B1] [B4] the estimate is inside the question's charge, and asked again it is on record", async () => {
  const sql = "SELECT ward, COUNT(*) AS n FROM stays WHERE ward <> 'A' GROUP BY ward"
  const before = await engine.account()
  const ask = { ask: { bias } }
  const first = await engine.ask(sql, ask)
  const after = await engine.account()
  const alone = await engine.explain(sql)
  const spent = numberNear(after.spent) - numberNear(before.spent)
  expect(spent).toBeLessThanOrEqual(numberNear(alone.plan.charge.amount) * (1 + 1e-9))
  const again = await engine.ask(sql, ask)
  expect(again).toMatchObject({ origin: "recorded", answer: first.answer })
  expect(await engine.account()).toEqual(after)
  const { text } = await engine.explain(sql, ask)
  expect(text).toContain("note        0.2 of the loss estimates what is left out and clamped")
  expect(text).toContain("aggregate   bias: units (patient) in more than 1 group")
})
