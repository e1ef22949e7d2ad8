// A question whose norm is learnt, while its answer is not there yet: under way for somebody else, or waiting
// for an approval. It is paid for once all the same.

import { numberNear } from "@dosimeter/core/exact"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Engine } from "../engine.ts"
import { clinicPolicy, makeClinic, type Clinic, type OpenClinic } from "../testing/clinic.ts"

const policy = clinicPolicy.replace(", norm: fixed", "")

let clinic: Clinic
let opened: OpenClinic
let engine: Engine
beforeAll(async () => {
  clinic = await makeClinic()
  opened = await clinic.open({ seed: "norms at once", policy })
  engine = opened.engine
})
afterAll(async () => {
  await opened.close()
  clinic.remove()
})

async function spending(work: () => Promise<unknown>): Promise<number> {
  const before = numberNear((await engine.account()).spent)
  await work()
  return numberNear((await engine.account()).spent) - before
}

async function priceOf(sql: string): Promise<number> {
  return numberNear((await engine.explain(sql, { ask: { norm: "fixed" } })).plan.charge.amount)
}

test("what many ask at once is charged once with its ladder, and all get the same answer", async () => {
  const sql = "SELECT ward, COUNT(*) AS visits FROM visits GROUP BY ward"
  const spent = await spending(async () => {
    const viewers = Array.from({ length: 3 }, (_, at) => engine.ask(sql, { principal: `viewer ${at}` }))
    const answers = await Promise.all(viewers)
    expect(answers.filter(({ origin }) => origin === "released")).toHaveLength(1)
    expect(new Set(answers.map(({ answer }) => JSON.stringify(answer.rows))).size).toBe(1)
  })
  expect(spent).toBeLessThanOrEqual(await priceOf(sql))
})

test("what waits for an approval costs nothing more when it is asked again", async () => {
  const sql = "SELECT ward, SUM(fee) AS fees FROM visits GROUP BY ward"
  const waiting = new Set<bigint>()
  const held = { study: "held", held: true, mayUse: async (charge: bigint) => !waiting.has(charge) } as const
  const first = await engine.ask(sql, { ...held, onCharged: (charge) => waiting.add(charge) })
  expect([first.origin, waiting.size]).toEqual(["released", 2])
  const spent = await spending(async () => {
    const again = await engine.ask(sql, held)
    expect([again.origin, again.charge]).toEqual(["recorded", first.charge])
  })
  expect(spent).toBe(0)
})
