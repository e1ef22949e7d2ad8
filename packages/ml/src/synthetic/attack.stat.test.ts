// An attack on whole runs: two tables that differ in one person, measured round after round with exact noise.
// The attacker knows everybody else, sees every noisy table, and says by their likelihoods in which of the
// two the person is: the best that anybody can do. They may not win more often than the stated loss lets
// them; where the noise is too small, or the rounds take more than their shares, they do.

import { numberNear, rationalOfNumber, square } from "@dosimeter/core/exact"
import { approxToMu } from "@dosimeter/core/meaning"
import { fillRoundedGaussian, type RandomBits } from "@dosimeter/core/noise"
import { checkPrivacy, expectViolation, type PrivacyCheck } from "@dosimeter/core/testing"
import { expect, test } from "vitest"
import { coarserPlaces, sumInto } from "./cell-places.ts"
import type { SyntheticSpec } from "./rounds.ts"
import { tableOfRows, type CodedRows } from "./sample-rows.ts"
import { Synthesis } from "./synthesis.ts"

const sizes = [6, 3]
const spec: SyntheticSpec = {
  attributes: sizes.map((size, place) => ({
    name: `c${place}`,
    size,
    isOrdered: place === 0,
    hasMissing: false,
  })),
  rules: [],
  seed: "attack",
}
const claim = { epsilon: 0.5, delta: 1e-6 }
const muSquared = numberNear(square(approxToMu(claim.epsilon, claim.delta)))

/** The person is the only one with these values: the last of the rows. */
const person = [5, 2]
const others = Array.from({ length: 300 }, (_, row) => [row % 5, row % 2])

function columnsOf(rows: readonly (readonly number[])[]): CodedRows {
  return sizes.map((_, place) => Int32Array.from(rows, (row) => row[place] ?? 0))
}

/** How much more likely the noisy tables of a run are with the person than without: a logarithm. */
function advantage(data: CodedRows, rng: RandomBits, noiseTimes: number): number {
  const without = columnsOf(others)
  const synthesis = new Synthesis(spec)
  let sum = 0
  for (let round = synthesis.next(); round !== undefined; round = synthesis.next()) {
    const measured = round.tables.map((table) => {
      const variance = noiseTimes / (muSquared * table.share)
      const places = coarserPlaces(table.attributes, sizes, table)
      const cells = table.groups.reduce((count, own) => count * (Math.max(...own) + 1), 1)
      const counted = (rows: CodedRows): Float64Array =>
        sumInto(tableOfRows(rows, sizes, table.attributes), places, new Float64Array(cells))
      const noise = new Float64Array(cells)
      fillRoundedGaussian(noise, rationalOfNumber(variance), rng)
      const counts = counted(data).map((count, cell) => count + (noise[cell] ?? 0))
      const own =
        places[table.attributes.reduce((place, one) => place * (sizes[one] ?? 1) + (person[one] ?? 0), 0)] ??
        0
      sum += ((counts[own] ?? 0) - (counted(without)[own] ?? 0) - 0.5) / variance
      return { counts, variance }
    })
    synthesis.take(round, measured)
  }
  return sum
}

function attacking(noiseTimes: number): PrivacyCheck {
  const [withPerson, without] = [columnsOf([...others, person]), columnsOf(others)]
  return {
    name: "synthetic data",
    onD: (rng) => advantage(withPerson, rng, noiseTimes),
    onNeighbour: (rng) => advantage(without, rng, noiseTimes),
    ...claim,
    draws: 300,
    events: {
      "likelier with the person": (outcome) => Number(outcome) > 0,
      "likelier without": (outcome) => Number(outcome) <= 0,
    },
  }
}

test("nobody can tell better than the loss allows whether a person is in the data", () => {
  expect(checkPrivacy(attacking(1)).epsilonLower).toBeLessThanOrEqual(claim.epsilon)
})

test("noise that is too small is caught", () => {
  expect(expectViolation(attacking(1 / 400)).violation).toBe(true)
})
