// Bounds of values and norms that are learnt for one question: in turn, from one allowance.

import { exactly, numberNear } from "@dosimeter/core/exact"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Engine } from "../engine.ts"
import { clinicPolicy, makeClinic, type Clinic, type OpenClinic } from "../testing/clinic.ts"

const policy = clinicPolicy
  .replace(", norm: fixed", "")
  .replace("fee: { min: 0, max: 500, grid: 0.01 }", "fee: { type: float, bounds: auto }")
const sql = "SELECT ward, SUM(fee) AS fees FROM visits GROUP BY ward"
const one = { epsilon: exactly("1", "epsilon") }

let clinic: Clinic
let opened: OpenClinic
let engine: Engine
beforeAll(async () => {
  clinic = await makeClinic()
  opened = await clinic.open({ seed: "both", policy })
  engine = opened.engine
})
afterAll(async () => {
  await opened.close()
  clinic.remove()
})

async function spending(ask: () => Promise<unknown>): Promise<number> {
  const before = numberNear((await engine.account()).spent)
  await ask()
  return numberNear((await engine.account()).spent) - before
}

describe("a question whose bounds and norm are learnt", () => {
  test("says both before anything is paid, with their shares and one price", async () => {
    const { text, plan, explanation, learnsFirst, sql: printed } = await engine.explain(sql, { ask: one })
    expect(learnsFirst).toBe(true)
    expect(text).toContain("how many rows SUM(fee) has, to learn bounds")
    expect(text).toContain("inside these bounds: a ladder, for 0.2 of what is left")
    expect(text).toContain("all stages together")
    expect(printed).toHaveLength(3)
    const count = await engine.explain("SELECT COUNT(*) FROM patients", { ask: one })
    expect(explanation.charge.amount).toEqual(count.plan.charge.amount)
    expect(plan.releases).toHaveLength(1)
  })

  test("costs no more than it would alone, in four charges, and has whole intervals", async () => {
    const { explanation } = await engine.explain(sql, { ask: one })
    const spent = await spending(async () => {
      const { learnt = [], answer, origin } = await engine.ask(sql, { ask: one })
      expect(origin).toBe("released")
      expect(learnt.map(({ label }) => label)).toEqual(["SUM(fee)", "the length of what each patient adds"])
      expect(learnt.map(({ stages }) => stages.length)).toEqual([2, 1])
      expect(answer.columns[1]?.bounding).toBe("estimate")
    })
    const price = numberNear(explanation.charge.amount)
    expect(spent).toBeLessThanOrEqual(price)
    expect(spent).toBeGreaterThan(0.95 * price)
  })

  test("asked again costs nothing", async () => {
    const first = await engine.ask(sql, { ask: one })
    expect(first.origin).toBe("recorded")
    expect(await spending(() => engine.ask(sql, { ask: one }))).toBe(0)
  })

  test("shares what the question gives for learning between both", async () => {
    const half = { ...one, boundsShare: exactly("0.5", "share") }
    const { text } = await engine.explain(sql, { ask: half })
    // A quarter of all is a third of what the bounds leave.
    expect(text).toContain("a ladder, for 0.333 of what is left")
    const spent = await spending(() => engine.ask(sql, { ask: half }))
    const { explanation } = await engine.explain(sql, { ask: half })
    expect(spent).toBeLessThanOrEqual(numberNear(explanation.charge.amount))
  })

  test("has the norm of groups and rows where that is asked for", async () => {
    const { text } = await engine.explain(sql, { ask: { ...one, norm: "fixed" } })
    expect(text).not.toContain("ladder")
  })
})
