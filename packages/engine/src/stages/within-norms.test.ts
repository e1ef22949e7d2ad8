// An error to reach, beside norms that are learnt: ladders on record serve, and nothing is learnt on the way.

import { isLongForm } from "@dosimeter/core/testing"
import { DosimeterError } from "@dosimeter/core"
import { exactly } from "@dosimeter/core/exact"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { QuestionOptions } from "../ask/ask-question.ts"
import { clinicPolicy, makeClinic, type Clinic, type OpenClinic } from "../testing/clinic.ts"
import { askWithin, planWithin } from "./within.ts"
import { readTarget } from "./within-target.ts"

const sql = "SELECT ward, COUNT(*) AS visits FROM visits GROUP BY ward"
let clinic: Clinic
let opened: OpenClinic
beforeAll(async () => {
  clinic = await makeClinic()
  opened = await clinic.open({ seed: "within norms", policy: clinicPolicy.replace(", norm: fixed", "") })
})
afterAll(async () => {
  await opened.close()
  clinic.remove()
})

const within = (ask: QuestionOptions["ask"] = {}, target = "40") => ({
  engine: opened.engine,
  sql,
  options: { ask },
  target: readTarget(target, "within"),
})

async function refusalOf(ask: QuestionOptions["ask"]): Promise<DosimeterError> {
  try {
    await planWithin(within(ask))
  } catch (error) {
    if (error instanceof DosimeterError) return error
  }
  throw new Error("this should have been refused")
}

test("what would have to be learnt is refused with what to do, and nothing is charged", async () => {
  const { spent } = await opened.engine.account()
  const cases = [
    [{ norm: "auto" }, /ask it once with an epsilon/],
    [{ bounds: "all" }, /CLAMP/],
    [{ bounds: "undeclared" }, /CLAMP/],
    [{ autoGroups: true }, /how many groups count/],
  ] as const
  for (const [ask, help] of cases) {
    const { code, help: told = "" } = await refusalOf(ask)
    expect([code, help.test(told)]).toEqual(["within/learns", true])
  }
  expect((await opened.engine.account()).spent).toEqual(spent)
})

test.runIf(isLongForm)(
  "the norm is that of a ladder on record, else of groups and rows, and the error is kept",
  async () => {
    const fixed = await planWithin(within())
    await opened.engine.ask(sql, { ask: { epsilon: exactly("0.7", "epsilon") } })
    const known = await planWithin(within({ norm: "auto" }))
    expect(await planWithin(within({ norm: "fixed" }))).toEqual(fixed)
    // Everybody has a norm of 3, where groups and rows say 6.9: less noise at the same epsilon.
    expect(Number(known.epsilon.numerator) / Number(known.epsilon.denominator)).toBeLessThan(
      (0.9 * Number(fixed.epsilon.numerator)) / Number(fixed.epsilon.denominator),
    )
    const { answer, reached, looks } = await askWithin(within({}, "20"))
    expect([looks, reached]).toEqual([[], { inside: 4, of: 4 }])
    expect(answer.answer.columns[1]?.bounding).toBe("estimate")
    for (const row of answer.answer.rows) {
      const { noiseLow, noiseHigh } = row[1] ?? {}
      expect(Number(noiseHigh) - Number(noiseLow)).toBeLessThanOrEqual(2 * 20 + 1e-6)
    }
  },
)

test("looks at an error in percent have the same norm as the answer", async () => {
  const { answer, looks, reached } = await askWithin(within({}, "3%"))
  expect(reached.inside).toBeGreaterThanOrEqual(2)
  const norms = [...looks, answer].map(({ receipt }) => JSON.stringify(receipt).match(/"norm":"[^"]*"/)?.[0])
  expect(new Set(norms).size).toBe(1)
})
