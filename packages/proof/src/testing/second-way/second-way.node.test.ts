// What the compiler claims about functions, casts, CASE, aggregates, windows and reading, held against the
// values that DuckDB gives: a short sample. second-way.deep.test.ts asks for much more.

import { afterAll, beforeAll, describe, expect, it, test } from "vitest"
import { spellings } from "../../spell/spellings.ts"
import { Dice } from "../dice.ts"
import { SecondWay } from "./ask.ts"
import { castKinds, computedNames, Findings } from "./campaign.ts"
import { releasedOnly } from "./forms.ts"
import { aggregates, windows } from "./groups.ts"
import { knownCorners } from "./known-corners.ts"
import { castTypes } from "./make-expression.ts"
import { storedFor } from "./reads.ts"
import { allSuites } from "./suites.ts"

let database: SecondWay
let findings: Findings
/** What all tests of this file asked. */
const asked = new Map<string, number>()

beforeAll(async () => {
  database = await SecondWay.open()
})
afterAll(() => database.close())

async function nothingBroken(ask: () => Promise<void>): Promise<void> {
  findings = new Findings(database)
  await ask()
  for (const [what, count] of findings.asked) asked.set(what, (asked.get(what) ?? 0) + count)
  expect(findings.shown).toBe("")
}

const seeds = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `sample ${at}`)

describe("[Q3] [Q7] what is claimed holds on the real database", () => {
  it("for every function at narrow ranges", async () => {
    await nothingBroken(async () => {
      for (const name of computedNames) for (const seed of seeds(10)) await findings.call(name, seed)
    })
  })

  it("for functions in one another", async () => {
    await nothingBroken(async () => {
      for (const name of computedNames) await findings.call(name, "nested", 2)
      for (const seed of seeds(20)) await findings.choice(seed, 1)
    })
  })

  it("for casts of every type to every other", async () => {
    await nothingBroken(async () => {
      for (const kind of castKinds) for (const seed of seeds(2)) await findings.casts(kind, seed)
    })
  })

  it("at corners that were wrong once", async () => {
    await nothingBroken(async () => {
      for (const suite of knownCorners(new Dice("known"))) await findings.suite(suite)
      // Sums of the widest numbers, more rows than 128 bits hold.
      for (const seed of ["wide 0", "wide 1", "wide 2"]) await findings.groups("widest", seed, 20)
    })
  })

  it("for aggregates and windows over rows of one person", async () => {
    await nothingBroken(async () => {
      for (const kind of castKinds) for (const seed of seeds(2)) await findings.groups(kind, seed, 24)
    })
  })

  it("for whatever is stored", async () => {
    await nothingBroken(async () => {
      for (const kind of castKinds) {
        for (const stored of storedFor[kind])
          for (const seed of seeds(2)) await findings.read(kind, stored, seed)
      }
    })
  })

  it("for all that one column can be asked, at some of its corners", async () => {
    await nothingBroken(async () => {
      let place = 0
      for (const suite of allSuites(new Dice("sample"))) {
        place += 1
        if (place % 601 === 0) await findings.suite(suite)
      }
    })
  })
})

describe("nothing that the compiler has is left out", () => {
  test("every function is asked, or is computed after a release only", () => {
    const all = Object.keys(spellings).toSorted()
    expect([...computedNames, ...Object.keys(releasedOnly), "cast"].toSorted()).toEqual(all)
    expect(computedNames.filter((name) => (asked.get(name) ?? 0) < 4)).toEqual([])
  })

  test("every cast that is accepted is asked", () => {
    const pairs = castKinds.flatMap((from) => castTypes.map((to) => `cast ${from} to ${to.kind}`))
    const refused = [...new Set(pairs)].filter((pair) => !asked.has(pair))
    expect(refused).toEqual([
      "cast boolean to decimal",
      "cast boolean to float",
      "cast boolean to date",
      "cast boolean to timestamp",
      "cast integer to date",
      "cast integer to timestamp",
      "cast decimal to boolean",
      "cast decimal to date",
      "cast decimal to timestamp",
      "cast float to boolean",
      "cast float to text",
      "cast float to date",
      "cast float to timestamp",
      "cast date to boolean",
      "cast date to integer",
      "cast date to decimal",
      "cast date to float",
      "cast timestamp to boolean",
      "cast timestamp to integer",
      "cast timestamp to decimal",
      "cast timestamp to float",
    ])
  })

  test("every aggregate and window function is asked", () => {
    expect(Object.keys(aggregates).filter((name) => !asked.has(`aggregate ${name}`))).toEqual([])
    const windowed = Object.entries(windows).filter(([, where]) => where === "database")
    expect(windowed.map(([name]) => name).filter((name) => !asked.has(`window ${name}`))).toEqual([])
  })
})
