// The sample of second-way.node.test.ts on a real Trino, which another program has started. A question takes
// a server longer than a database in the same process, so there are fewer seeds; CAMPAIGN=n asks n times as
// many.

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Dice } from "../dice.ts"
import { SecondWay } from "./ask.ts"
import { castKinds, computedNames, Findings } from "./campaign.ts"
import { knownCorners } from "./known-corners.ts"
import { realTrino } from "./real-trino.ts"
import { storedFor } from "./reads.ts"
import { allSuites } from "./suites.ts"

const times = Number(process.env["CAMPAIGN"] ?? "1")
const seeds = (count: number): readonly string[] =>
  Array.from({ length: count * times }, (_, at) => `sample ${at}`)

describe("[Q3] [Q7] what is claimed holds on a real Trino", () => {
  let database: SecondWay

  beforeAll(async () => {
    database = new SecondWay(await realTrino())
  })
  afterAll(() => database.close())

  async function nothingBroken(ask: (findings: Findings) => Promise<void>): Promise<void> {
    const findings = new Findings(database)
    await ask(findings)
    expect(findings.asked.size).toBeGreaterThan(0)
    expect(`${findings.broken.length} broken\n${findings.shown}`).toBe("0 broken\n")
  }

  it.each(computedNames)("%s", async (name) => {
    await nothingBroken(async (findings) => {
      for (const seed of seeds(3)) await findings.call(name, seed)
      for (const seed of seeds(1)) await findings.call(name, seed, 2)
    })
  })

  it("CASE", async () => {
    await nothingBroken(async (findings) => {
      for (const seed of seeds(6)) await findings.choice(seed, 1)
    })
  })

  it.each(castKinds)("casts of %s, aggregates and windows over it, and reading it", async (kind) => {
    await nothingBroken(async (findings) => {
      for (const seed of seeds(1)) {
        await findings.casts(kind, seed)
        await findings.groups(kind, seed, 24)
        for (const stored of storedFor[kind]) await findings.read(kind, stored, seed)
      }
    })
  })

  it("corners that were wrong once, and sums of the widest numbers", async () => {
    await nothingBroken(async (findings) => {
      for (const suite of knownCorners(new Dice("known"))) await findings.suite(suite)
      for (const seed of ["wide 0", "wide 1"]) await findings.groups("widest", seed, 20)
    })
  })

  it("all that one column can be asked, at some of its corners", async () => {
    await nothingBroken(async (findings) => {
      let place = 0
      for (const suite of allSuites(new Dice("sample"))) {
        place += 1
        if (place % Math.ceil(3001 / times) === 0) await findings.suite(suite)
      }
    })
  })
})
