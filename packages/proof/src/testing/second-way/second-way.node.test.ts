// What the compiler claims about functions, casts, CASE, aggregates, windows and reading, held against the
// values that real databases give: a short sample. second-way.deep.test.ts asks for much more.

import { afterAll, beforeAll, describe, expect, it, test } from "vitest"
import { spellings } from "../../spell/spellings.ts"
import { Dice } from "../dice.ts"
import { SecondWay } from "./ask.ts"
import { castKinds, computedNames, Findings } from "./campaign.ts"
import { openDatabases, realDatabases } from "./databases.ts"
import { releasedOnly } from "./forms.ts"
import { aggregates, windows } from "./groups.ts"
import { knownCorners } from "./known-corners.ts"
import { castTypes } from "./make-expression.ts"
import { storedFor } from "./reads.ts"
import { allSuites, type Suite } from "./suites.ts"

const seeds = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `sample ${at}`)

describe.each(openDatabases())("[Q3] [Q7] what is claimed holds on a real %s", (_, open) => {
  let database: SecondWay
  /** What all tests asked. */
  const asked = new Map<string, number>()

  beforeAll(async () => {
    database = new SecondWay(await open())
  })
  afterAll(() => database.close())

  async function nothingBroken(ask: (findings: Findings) => Promise<void>): Promise<void> {
    const findings = new Findings(database)
    await ask(findings)
    for (const [what, count] of findings.asked) asked.set(what, (asked.get(what) ?? 0) + count)
    expect(findings.shown).toBe("")
  }

  it("for every function at narrow ranges", async () => {
    await nothingBroken(async (findings) => {
      for (const name of computedNames) for (const seed of seeds(8)) await findings.call(name, seed)
    })
  })

  it("for functions in one another", async () => {
    await nothingBroken(async (findings) => {
      for (const name of computedNames) await findings.call(name, "nested", 2)
      for (const seed of seeds(8)) await findings.choice(seed, 1)
    })
  })

  it("for casts of every type to every other", async () => {
    await nothingBroken(async (findings) => {
      for (const kind of castKinds) for (const seed of seeds(2)) await findings.casts(kind, seed)
    })
  })

  it("at corners that were wrong once", async () => {
    await nothingBroken(async (findings) => {
      for (const suite of knownCorners(new Dice("known"))) await findings.suite(suite)
      // Sums of the widest numbers, more rows than 128 bits hold.
      for (const seed of ["wide 0", "wide 1", "wide 2"]) await findings.groups("widest", seed, 20)
    })
  })

  it("for aggregates and windows over rows of one person", async () => {
    await nothingBroken(async (findings) => {
      for (const kind of castKinds) await findings.groups(kind, "sample", 24)
    })
  })

  it("for whatever is stored", async () => {
    await nothingBroken(async (findings) => {
      for (const kind of castKinds) {
        for (const stored of storedFor[kind]) await findings.read(kind, stored, "sample")
      }
    })
  })

  it("for all that one column can be asked, at some of its corners", async () => {
    await nothingBroken(async (findings) => {
      let place = 0
      for (const suite of allSuites(new Dice("sample"))) {
        place += 1
        if (place % 1501 === 0) await findings.suite(suite)
      }
    })
  })

  it("and nothing that the compiler has is left out", () => {
    expect(computedNames.filter((name) => (asked.get(name) ?? 0) < 4)).toEqual([])
    const pairs = castKinds.flatMap((from) => castTypes.map((to) => `cast ${from} to ${to.kind}`))
    expect([...new Set(pairs)].filter((pair) => !asked.has(pair))).toEqual(refusedCasts)
    expect(Object.keys(aggregates).filter((name) => !asked.has(`aggregate ${name}`))).toEqual([])
    const windowed = Object.entries(windows).filter(([, where]) => where === "database")
    expect(windowed.map(([name]) => name).filter((name) => !asked.has(`window ${name}`))).toEqual([])
    const kinds = castKinds.filter(
      (kind) => !storedFor[kind].some((type) => asked.has(`read ${type} as ${kind}`)),
    )
    expect(kinds).toEqual([])
  })

  it("and a false claim is seen", async () => {
    const suite = suiteNamed("integer 0 to 1")
    const [expr] = suite?.exprs() ?? []
    if (suite === undefined || expr?.domain.range === undefined) throw new Error("there is such a suite")
    const { max } = expr.domain.range
    const domain = { ...expr.domain, range: { min: max, max } }
    expect((await database.askAll([{ ...expr, domain }], [suite.slot])).join()).toContain("below the range")
    expect(await database.askAll([expr], [suite.slot])).toEqual([])
  })
})

/** The first suite of a name; those behind it are not made. */
function suiteNamed(wanted: string): Suite | undefined {
  for (const suite of allSuites(new Dice("sample"))) if (suite.name === wanted) return suite
  return undefined
}

test("every function has a place, or is computed after a release only", () => {
  const all = Object.keys(spellings).toSorted()
  expect([...computedNames, ...Object.keys(releasedOnly), "cast"].toSorted()).toEqual(all)
})

test("only Trino, which needs a server, is not asked here", () => {
  const names = openDatabases().map(([name]) => name)
  expect(Object.keys(realDatabases).filter((name) => !names.includes(name))).toEqual(["trino"])
})

/** Casts that the compiler refuses; all others are asked. */
const refusedCasts = [
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
]
