// The long form of second-way.node.test.ts: the same seeds in every run, so that it does not fail by
// luck; CAMPAIGN_SEED=anything draws others for half of it. A failure names the case.

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Dice } from "../dice.ts"
import { SecondWay } from "./ask.ts"
import { castKinds, computedNames, Findings } from "./campaign.ts"
import { openDatabases } from "./databases.ts"
import { storedFor } from "./reads.ts"
import { allSuites } from "./suites.ts"

const run = process.env["CAMPAIGN_SEED"] ?? "the usual"

/** Half of the seeds follow CAMPAIGN_SEED. */
function seeds(count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => (at % 2 === 0 ? `deep ${at}` : `${run} ${at}`))
}

describe.each(openDatabases())("[Q3] [Q7] what is claimed holds on a real %s", (name, open) => {
  let database: SecondWay

  beforeAll(async () => {
    database = new SecondWay(await open())
    process.stderr.write(`CAMPAIGN_SEED=${run}\n`)
  })
  afterAll(() => database.close())

  async function nothingBroken(what: string, ask: (findings: Findings) => Promise<void>): Promise<void> {
    const findings = new Findings(database)
    await ask(findings)
    const asked = [...findings.asked.values()].reduce((sum, count) => sum + count, 0)
    process.stderr.write(`${name}, ${what}: ${asked} asked, ${findings.broken.length} broken\n`)
    expect(findings.shown).toBe("")
  }

  it.each(computedNames)("%s", async (computed) => {
    await nothingBroken(computed, async (findings) => {
      for (const seed of seeds(300)) await findings.call(computed, seed)
      for (const seed of seeds(120)) await findings.call(computed, seed, 2)
    })
  })

  it.each(castKinds)("casts of %s, aggregates and windows over it, and reading it", async (kind) => {
    await nothingBroken(kind, async (findings) => {
      for (const seed of seeds(60)) await findings.casts(kind, seed)
      for (const seed of seeds(20)) await findings.casts(kind, seed, 2)
      for (const seed of seeds(40)) await findings.groups(kind, seed, 20)
      for (const stored of storedFor[kind])
        for (const seed of seeds(10)) await findings.read(kind, stored, seed)
    })
  })

  it("CASE, and sums of the widest numbers", async () => {
    await nothingBroken("case", async (findings) => {
      for (const seed of seeds(400)) await findings.choice(seed, 2)
      for (const seed of seeds(40)) await findings.groups("widest", seed, 20)
    })
  })

  // A third of all corners, another third in the next run.
  it("all that one column can be asked, at every corner", async () => {
    const offset = new Dice(run).below(3)
    await nothingBroken("corners", async (findings) => {
      let place = 0
      for (const suite of allSuites(new Dice(run))) {
        place += 1
        if (place % 3 !== offset) continue
        await findings.suite(suite)
        if (place % 300 === offset) process.stderr.write(`corner ${place}: ${suite.name}\n`)
      }
    })
  })
})
