// The split of delta is that of the ledger, whatever the policy has come to say.

import { deltaLimit, shareForCharges } from "@dosimeter/core/accounting"
import { exactly, type Rational } from "@dosimeter/core/exact"
import { DosimeterError } from "@dosimeter/core"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { beforeEach, expect, test } from "vitest"
import { openEngine, type Engine } from "../engine.ts"
import { freshHome } from "../testing/fresh-home.ts"

const at = (text: string): Rational => exactly(text, "share")
const byCode = "SELECT code, COUNT(DISTINCT id) AS people FROM people GROUP BY code"
let folder = ""

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "dosimeter-split-"))
  freshHome()
  const rows = Array.from({ length: 400 }, (_, id) => `${id},${id % 2 === 0 ? "a" : "b"}`)
  writeFileSync(join(folder, "people.csv"), `id,code\n${rows.join("\n")}\n`)
  const own = folder
  return () => rmSync(own, { recursive: true })
})

async function opened(share: string): Promise<Engine> {
  const policy = `dataset: clinic
source: { csv: people.csv }
neighbours: add-or-remove
budget: { epsilon: 3, delta: 1e-6, accounting: zcdp${share === "" ? "" : `, keys_share: ${share}`} }
question: { epsilon: 1, delta: 1e-7 }
bounding: { groups_per_unit: 1, rows_per_group: 1, norm: fixed }
tables: { people: { unit: id, keys: [[id]], columns: { code: { type: text } } } }
`
  return openEngine({ policy, folder })
}

test("a ledger that was opened with half of delta for keys goes on with it", async () => {
  const first = await opened("0.5")
  await first.ask(byCode)
  const before = await first.account()
  await first.close()
  for (const share of ["", "0.1", "0.9"]) {
    const engine = await opened(share)
    const { budget, deltaSpent } = await engine.account()
    expect(budget).toEqual(before.budget)
    expect(deltaSpent).toEqual(before.deltaSpent)
    expect(engine.policy.terms.budget).toEqual(before.budget)
    // The same plan, so the same answer, free of charge.
    expect((await engine.ask(byCode)).origin).toBe("recorded")
    await engine.close()
  }
})

test("a question takes delta in proportion to its loss, as the price says", async () => {
  const engine = await opened("")
  const { budget } = await engine.account()
  expect(shareForCharges(budget)).toEqual(at("0.2"))
  const { charge } = (await engine.explain(byCode)).plan
  await engine.ask(byCode)
  const { deltaSpent, spent } = await engine.account()
  const near = (value: Rational): number => Number(value.numerator) / Number(value.denominator)
  expect(near(deltaSpent)).toBeGreaterThan(0)
  expect(near(deltaSpent)).toBeLessThanOrEqual(near(charge.delta) * (1 + 1e-12))
  const limit = budget.limit.measure === "zcdp" ? near(budget.limit.rho) : 1
  const [ofDelta, ofLoss] = [near(deltaSpent) / near(deltaLimit(budget)), near(spent) / limit]
  expect(ofDelta).toBeLessThanOrEqual(ofLoss)
  expect(ofDelta).toBeGreaterThan(ofLoss * 0.8)
  await engine.close()
})

test("an owner who keeps no delta for keys refuses them, also on a ledger that has some", async () => {
  const first = await opened("0.5")
  await first.close()
  const engine = await opened("0")
  const error: unknown = await engine.ask(byCode).catch((caught: unknown) => caught)
  expect(error instanceof DosimeterError ? error.code : error).toBe("privacy/no-delta-for-keys")
  await engine.ask("SELECT COUNT(*) FROM people")
  const { deltaSpent } = await engine.account()
  expect(deltaSpent.numerator).toBe(0n)
  await engine.close()
})
