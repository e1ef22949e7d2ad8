// The reference ladder reaches what was promised of it on skews that it was not made for. All draws are
// seeded: nothing here fails by chance.

import { isLongForm, seededBits } from "@dosimeter/core/testing"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ladderShare, recommend } from "./ladder-bound.ts"
import { ladderError } from "./ladder-error.ts"
import { ladderPaths, modeOf } from "./ladder-paths.ts"
import { noiseOf, normOf, rho } from "./loss.ts"
import { bestBound, scaledErrors, vectorKinds } from "./scaled-errors.ts"
import { makeEvents, openMemory, otherSkews, profiles } from "./skewed-people.ts"

const connection = await openMemory()
afterAll(() => connection.closeSync())

test("noise for epsilon 1 and delta 1e-6", () => {
  expect(rho()).toBeCloseTo(0.024356, 5)
  expect(noiseOf("zcdp")).toBeCloseTo(4.531, 2)
  expect(noiseOf("gdp")).toBeCloseTo(4.22, 2)
  expect(noiseOf("pure", 0.5)).toBeCloseTo(2 * Math.SQRT2, 9)
})

describe("a ladder", () => {
  const counts = [0, 0, 50, 400, 1000, 700, 300, 120, 50, 20, 8, 3, 1, 0, 0, 0, 0, 0, 0, 0]
  const ladder = { counts, deviation: 5, law: "gaussian" } as const
  const bounded = { norm: "L2", entries: "amounts", groups: 100, noise: 4.53 } as const

  test("has its mode where most people are", () => expect(modeOf(counts)).toBe(4))

  test("is followed by all paths where counts are plain, and ends where nobody is", () => {
    for (const path of ladderPaths(ladder)) {
      expect(Math.abs((path[5] ?? 0) - 700)).toBeLessThan(100)
      expect(path.at(-1)).toBeLessThan(10)
    }
  })

  test("gives the same bound again, and a larger one for less noise", () => {
    const { bound } = recommend(ladder, bounded, "least error")
    expect(recommend(ladder, bounded, "least error").bound).toBe(bound)
    expect(recommend(ladder, { ...bounded, noise: 1 }, "least error").bound).toBeGreaterThan(bound)
  })

  test("leaves out less if that shall be below the noise of a tenth of the groups", () => {
    const few = { ...bounded, groups: 10 }
    const least = recommend(ladder, few, "least error")
    const below = recommend(ladder, few, "below the noise")
    expect(below.leftOut.high * 0.95).toBeLessThanOrEqual(Math.sqrt(10) * 4.53 * below.bound)
    expect(below.leftOut.middle).toBeLessThanOrEqual(below.leftOut.high)
    expect(least.bound).toBeGreaterThan(1)
  })

  test("costs a small share of the loss", () => {
    expect(ladderShare("zcdp", 1000)).toBeLessThan(0.1)
    expect(ladderShare("pure", 12)).toBeLessThanOrEqual(0.2)
  })
})

const kinds = [vectorKinds.codes, vectorKinds.people, vectorKinds.months] as const
const ratios = new Map<string, number[]>()

/**
 * The error of the ladder's bound through that of the best bound, its cost included, by kind of question;
 * with 5,000 people. With 2,000 of them sums by month came to 1.38.
 */
async function measure(): Promise<void> {
  for (const [place, skew] of otherSkews.entries()) {
    for (const profile of profiles) {
      await makeEvents(connection, { skew, profile, rows: 100_000 })
      for (const kind of kinds) {
        const errors = await scaledErrors(connection, kind, normOf("zcdp"))
        const work = { runs: 4, aim: "least error", bits: seededBits(`ladder ${place}`) } as const
        const ours = ladderError(errors, kind.entries, "zcdp", work)
        const own = ratios.get(kind.name) ?? []
        ratios.set(kind.name, [...own, ours / bestBound(errors, noiseOf("zcdp")).error])
      }
    }
  }
}

// Eight tables of 100,000 rows take seconds.
describe.runIf(isLongForm)("on skews that it was not made for, the ladder's cost included", () => {
  beforeAll(measure)

  test.each([
    { name: "events by code", most: 1.15 },
    { name: "people by code", most: 1.15 },
    { name: "sum by month", most: 1.35 },
  ])("$name: at most $most times the best bound, in the mean over tables", ({ name, most }) => {
    const own = ratios.get(name) ?? []
    expect(own).toHaveLength(8)
    const mean = own.reduce((sum, ratio) => sum + ratio, 0) / own.length
    expect(mean).toBeGreaterThan(1)
    expect(mean).toBeLessThan(most)
  })
})
