// Norms that are learnt first: what is charged in all, what is free the second time, what people are told.

import { add, compare, exactly, numberNear } from "@dosimeter/core/exact"
import { loadGrammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Engine } from "../engine.ts"
import { clinicPolicy, makeClinic, type Clinic, type OpenClinic } from "../testing/clinic.ts"
import { planNorms } from "./learn-norms.ts"

const grammar = await loadGrammar()

const policy = clinicPolicy.replace(", norm: fixed", "")
const sql = "SELECT ward, COUNT(*) AS visits FROM visits GROUP BY ward"
const epsilonOf = (epsilon: string) => ({ epsilon: exactly(epsilon, "epsilon") })

let clinic: Clinic
beforeAll(async () => {
  clinic = await makeClinic()
})
afterAll(() => clinic.remove())

const opened: OpenClinic[] = []
async function open(seed: string, own = policy): Promise<Engine> {
  const one = await clinic.open({ seed, policy: own })
  opened.push(one)
  return one.engine
}
afterAll(async () => {
  for (const one of opened) await one.close()
})

async function spending(engine: Engine, ask: () => Promise<unknown>): Promise<number> {
  const before = numberNear((await engine.account()).spent)
  await ask()
  return numberNear((await engine.account()).spent) - before
}

async function priceOf(engine: Engine, epsilon = "0.1"): Promise<number> {
  const { plan } = await engine.explain(sql, { ask: { ...epsilonOf(epsilon), norm: "fixed" } })
  return numberNear(plan.charge.amount)
}

describe("a question whose norm is learnt", () => {
  let engine: Engine
  beforeAll(async () => {
    engine = await open("learnt norms")
  })
  const ask = epsilonOf("0.5")

  test("says so before anything is paid, with the price of the question alone", async () => {
    const { text, plan, isFree } = await engine.explain(sql, { ask })
    expect(isFree).toBe(false)
    expect(text).toContain("norm        learnt first: a ladder counts each patient")
    expect(text).toContain("for 0.2 of the loss")
    expect(numberNear(plan.charge.amount)).toBe(await priceOf(engine, "0.5"))
  })

  test("costs no more than it would alone, nearly all of it, in two charges", async () => {
    const price = await priceOf(engine, "0.5")
    const spent = await spending(engine, async () => {
      const { learnt = [], origin, receipt } = await engine.ask(sql, { ask })
      expect(origin).toBe("released")
      // Everybody in a listed ward has three visits to it: a norm of 3, where groups and rows say 6.9.
      expect(learnt.map(({ label }) => label)).toEqual(["the length of what each patient adds"])
      expect(learnt[0]?.high).toBeGreaterThan(2.9)
      expect(learnt[0]?.high).toBeLessThan(6)
      expect(learnt[0]?.stages.map((stage) => stage.origin)).toEqual(["released"])
      expect(JSON.stringify(receipt)).toContain("the ladder had 20 % of the loss")
      expect(JSON.stringify(receipt)).toMatch(/"norm":"a length of \d/)
      const [bounding] = receipt.format === undefined ? [] : receipt.bounding
      const { norms = [], from, noise = [], leftOut } = bounding?.scaledTo ?? {}
      expect([norms.map(Number), from]).toEqual([[learnt[0]?.high], "learnt"])
      expect(Number(noise[0])).toBeGreaterThan(1)
      expect(leftOut?.estimate.map(Number)).toEqual([expect.any(Number)])
    })
    expect(spent).toBeLessThanOrEqual(price)
    expect(spent).toBeGreaterThan(0.98 * price)
  })

  test("asked again costs nothing and has the same answer", async () => {
    const first = await engine.ask(sql, { ask })
    expect(first.origin).toBe("recorded")
    expect(await spending(engine, () => engine.ask(sql, { ask }))).toBe(0)
    expect((await engine.ask(sql, { ask })).answer).toEqual(first.answer)
  })

  test("has its ladder free at another epsilon, and then its whole loss", async () => {
    const more = epsilonOf("0.8")
    const { text } = await engine.explain(sql, { ask: more })
    expect(text).toContain("the ladder is an earlier release")
    expect(text).toMatch(/scaled down where they are more than a length of [\d.]+ \(learnt\)/)
    const price = await priceOf(engine, "0.8")
    const spent = await spending(engine, async () => {
      const { learnt = [], receipt } = await engine.ask(sql, { ask: more })
      expect(learnt[0]?.stages.map((stage) => stage.origin)).toEqual(["reused"])
      expect(JSON.stringify(receipt)).toContain("the ladder is an earlier release")
    })
    expect(spent).toBeLessThanOrEqual(price)
    expect(spent).toBeGreaterThan(0.999 * price)
    expect(await spending(engine, () => engine.ask(sql, { ask: more }))).toBe(0)
  })

  test("is answered by a better release of the same numbers, free", async () => {
    const { origin, answer, learnt, receipt } = await engine.ask(sql, { ask: epsilonOf("0.3") })
    expect(origin).toBe("reused")
    // What scaling left out of it is in its intervals; the norm is its own, and not the one of this question.
    expect(answer.columns.map(({ bounding }) => bounding)).toEqual([undefined, "estimate"])
    expect(learnt).toEqual([])
    // The free receipt tells the norm of the release that it is from.
    const [bounding] = receipt.format === undefined ? [] : receipt.bounding
    expect(receipt.format).toBe("dosimeter-free/1")
    expect([bounding?.scaledTo?.from, bounding?.scaledTo?.noise]).toEqual(["learnt", undefined])
    expect(bounding?.norm).toMatch(/^a length of \d/)
    expect(Number(bounding?.scaledTo?.norms[0])).toBeGreaterThan(2.9)
  })

  test("has whole intervals where it is merged with earlier answers to the same", async () => {
    const other = await open("merged norms")
    const aim = { aim: "least-error" } as const
    await other.ask(sql, { ask: { ...epsilonOf("0.5"), ...aim } })
    const merged = await other.ask(sql, { ask: { ...epsilonOf("3"), ...aim } })
    expect(merged.origin).toBe("released")
    const [, column] = merged.answer.columns
    expect(column?.bounding).toBe("estimate")
    for (const row of merged.answer.rows) {
      const { high, noiseHigh } = row[1] ?? {}
      expect(Number(high)).toBeGreaterThanOrEqual(Number(noiseHigh))
    }
  })

  test("pays for a ladder of its own where nothing may be re-used, and no more in all", async () => {
    const price = await priceOf(engine, "0.4")
    const asked = { ask: epsilonOf("0.4"), reuse: "never" } as const
    const spent = await spending(engine, async () => {
      const { learnt = [] } = await engine.ask(sql, asked)
      expect(learnt[0]?.stages.map((stage) => stage.origin)).toEqual(["released"])
    })
    expect(spent).toBeLessThanOrEqual(price)
    expect(spent).toBeGreaterThan(0.98 * price)
  })

  test("sent again under its name is answered from the record", async () => {
    const asked = { ask: epsilonOf("0.6"), requestId: "sent twice", reuse: "never" } as const
    const first = await engine.ask(sql, asked)
    const spent = await spending(engine, async () => {
      expect((await engine.ask(sql, asked)).answer).toEqual(first.answer)
    })
    expect(spent).toBe(0)
  })

  test("learns nothing where the question, or its kind, says otherwise", async () => {
    const fixed = [
      { norm: "fixed" },
      { groupsPerUnit: 2n },
      { rowsPerGroup: 2n },
      { autoGroups: true },
    ] as const
    for (const one of fixed) {
      const { text } = await engine.explain(sql, { ask: { ...ask, ...one } })
      expect(text).not.toContain("learnt first: a ladder")
    }
    const both = await engine.explain(sql, { ask: { ...epsilonOf("0.9"), norm: "auto", rowsPerGroup: 2n } })
    expect(both.text).toContain("ladder")
    for (const other of [
      "SELECT COUNT(*) FROM patients",
      "SELECT sex, COUNT(*) FROM patients GROUP BY sex",
    ]) {
      expect((await engine.ask(other, { ask: epsilonOf("0.01") })).learnt).toBeUndefined()
    }
  })
})

test("a lone count learns its norm, and its interval covers what is left out", async () => {
  const engine = await open("a lone count")
  const price = await priceOf(engine, "0.5")
  const spent = await spending(engine, async () => {
    const lone = "SELECT COUNT(*) AS n FROM visits"
    const { text } = await engine.explain(lone, { ask: epsilonOf("0.5") })
    expect(text).toContain("norm        learnt first: a ladder counts each patient")
    const { learnt = [], answer } = await engine.ask(lone, { ask: epsilonOf("0.5") })
    // Each patient has three visits or four, where the policy's groups and rows say two.
    expect(learnt.map(({ label }) => label)).toEqual(["the length of what each patient adds"])
    expect(answer.columns.map(({ bounding }) => bounding)).toEqual(["estimate"])
    expect((await engine.ask(lone, { ask: epsilonOf("0.5") })).origin).toBe("recorded")
  })
  expect(spent).toBeLessThanOrEqual(price)
  const fixed = await engine.ask("SELECT COUNT(*) AS n FROM visits", {
    ask: { ...epsilonOf("0.5"), norm: "fixed" },
    reuse: "never",
  })
  expect([fixed.learnt, fixed.answer.columns[0]?.bounding]).toEqual([undefined, "noise-only"])
})

test("is learnt where groups come from the data, and keys take no more delta than alone", () => {
  const large = policy.replace("epsilon: 50, delta: 1e-5", "epsilon: 1000, delta: 1e-3")
  const { catalog, terms } = readPolicy(large.replace("delta: 1e-8", "delta: 1e-6"))
  const byCity = "SELECT city, COUNT(*) AS visits FROM visits GROUP BY city"
  for (const epsilon of ["0.3", "0.5", "0.7", "1", "1.5", "2"]) {
    const ask = epsilonOf(epsilon)
    const learning = planNorms(byCity, { grammar, catalog, terms, ask })
    const { rest, trial, ladders } = learning ?? missing()
    const [keys] = trial.plan.releases.map((release) => release.keys.kind)
    expect(keys).toBe("private")
    const plans = [...ladders.map(({ ladder }) => ladder.plan), rest.compiled.plan]
    const [amount, delta] = [
      plans.map(({ charge }) => charge.amount).reduce(add),
      plans.map(({ charge }) => charge.delta).reduce(add),
    ]
    expect(compare(amount, trial.plan.charge.amount)).toBeLessThanOrEqual(0)
    expect(compare(delta, trial.plan.charge.delta)).toBeLessThanOrEqual(0)
  }
})

function missing(): never {
  throw new Error("a norm is to be learnt")
}

test("where too few people are seen, groups and rows bound, and the whole costs no more", async () => {
  const engine = await open("few")
  const price = await priceOf(engine, "0.005")
  const spent = await spending(engine, async () => {
    const { learnt, receipt } = await engine.ask(sql, { ask: epsilonOf("0.005") })
    expect(learnt).toEqual([])
    expect(JSON.stringify(receipt)).not.toContain("ladder")
  })
  expect(spent).toBeLessThanOrEqual(price)
  // What tells nothing is not taken from the record: the next question pays for a ladder that does.
  const next = await engine.ask(sql, { ask: epsilonOf("0.7") })
  expect(next.learnt?.[0]?.stages.map((stage) => stage.origin)).toEqual(["released"])
})

test("the policy turns it off, shares, aims and caps", async () => {
  const off = await open("off", clinicPolicy)
  expect((await off.explain(sql)).text).not.toContain("learnt first")
  expect((await off.explain(sql, { ask: { norm: "auto" } })).text).toContain("learnt first: a ladder")
  const own = clinicPolicy.replace("norm: fixed", "bounds_share: 0.3, aim: least-error, rows_per_unit: 4")
  const engine = await open("own", own)
  const { text } = await engine.explain(sql)
  expect(text).toContain("for 0.3 of the loss")
  expect(text).toContain("(least-error)")
  const { learnt = [] } = await engine.ask(sql)
  expect(learnt[0]?.high).toBeLessThanOrEqual(4)
  const { plan } = await engine.explain(sql)
  const { beyond, bound = 0n } = plan.releases[0]?.bounds.scaled ?? {}
  expect(beyond?.most).toBeDefined()
  const { receipt } = await engine.ask(sql)
  const [bounding] = receipt.format === undefined ? [] : receipt.bounding
  expect(bounding?.scaledTo?.leftOut?.most).toHaveLength(1)
  expect(numberNear(beyond?.most ?? exactly("0", "most"))).toBeLessThan(1500 * Number(bound))
})

describe("where a house rule hides small counts", () => {
  let hiding: Engine
  beforeAll(async () => {
    hiding = await open("hidden", `${policy}shown_from: 10\n`)
  })

  test("the norm is learnt from what was measured, and the answer of the ladder stays hidden", async () => {
    expect((await hiding.explain(sql, { ask: epsilonOf("0.5") })).text).toContain("learnt first: a ladder")
    const { learnt = [], answer } = await hiding.ask(sql, { ask: epsilonOf("0.5") })
    expect(learnt[0]?.high).toBeGreaterThan(2.9)
    expect(learnt[0]?.high).toBeLessThan(6)
    expect(answer.columns[1]?.bounding).toBe("estimate")
    const rungs = learnt[0]?.stages[0]?.answer.rows ?? []
    const small = rungs.filter(([, units]) => units?.state === "below-threshold")
    expect(small.length).toBeGreaterThan(20)
    for (const [, units] of small) expect(units?.value).toBeNull()
  })

  test("a ladder is paid for once, and asking again is free", async () => {
    const before = await hiding.ask(sql, { ask: epsilonOf("0.5") })
    expect(before.origin).toBe("recorded")
    const { text } = await hiding.explain(sql, { ask: epsilonOf("0.9") })
    expect(text).toContain("the ladder is an earlier release")
  })
})
