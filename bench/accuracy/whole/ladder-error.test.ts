// The ladder's rule reaches what was promised of it on skews that it was not made for. All draws are
// seeded: nothing here fails by chance.

import { isLongForm, seededBits } from "@dosimeter/core/testing"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ladderError, meanLadderError } from "./ladder-error.ts"
import { bestMeanError, scaledMeans } from "./mean-errors.ts"
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

/** The rows of a person in a ward that count in averages, where nothing is said. */
const usualRows = 5
const kinds = [vectorKinds.codes, vectorKinds.people, vectorKinds.months] as const
const ratios = new Map<string, number[]>()

const aims = ["below-noise", "least-error"] as const

/**
 * The error of the ladder's bound through that of the best bound, its cost included, by kind of question and
 * aim; with 5,000 people.
 */
async function measure(): Promise<void> {
  for (const [place, skew] of otherSkews.entries()) {
    for (const profile of profiles) {
      await makeEvents(connection, { skew, profile, rows: 100_000 })
      for (const kind of kinds) {
        const errors = await scaledErrors(connection, kind, normOf("zcdp"))
        for (const aim of aims) {
          const work = { runs: 4, aim, bits: seededBits(`ladder ${place}`) } as const
          const ours = ladderError(errors, kind.entries, "zcdp", work)
          const own = ratios.get(`${kind.name} ${aim}`) ?? []
          ratios.set(`${kind.name} ${aim}`, [...own, ours / bestBound(errors, noiseOf("zcdp")).error])
        }
      }
      const means = await scaledMeans(connection, { norm: normOf("zcdp"), clamp: usualRows })
      const best = bestMeanError(means, noiseOf("zcdp"))
      for (const aim of aims) {
        const work = { runs: 4, aim, bits: seededBits(`ladder of means ${place}`) } as const
        const own = ratios.get(`mean by ward ${aim}`) ?? []
        ratios.set(`mean by ward ${aim}`, [...own, meanLadderError(means, "zcdp", work) / best])
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
    { name: "mean by ward", most: 1.15 },
  ])("$name: at most $most times the best bound, in the mean over tables", ({ name, most }) => {
    for (const aim of aims) {
      const own = ratios.get(`${name} ${aim}`) ?? []
      expect(own).toHaveLength(8)
      const mean = own.reduce((sum, ratio) => sum + ratio, 0) / own.length
      expect(mean).toBeGreaterThan(1)
      expect(mean).toBeLessThan(most)
    }
  })
})
