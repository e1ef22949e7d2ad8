// The intervals of the report hold as often as they say, on tables whose difference is known.

import { rationalOfNumber } from "@dosimeter/core/exact"
import { fillRoundedGaussian } from "@dosimeter/core/noise"
import { freshSeed, seededBits, spendAlpha } from "@dosimeter/core/testing"
import { expect, test } from "vitest"
import { differenceOf } from "./fidelity.ts"

const alpha = 1e-9
const runs = 4000
const confidence = 0.9

test.each([
  { cells: 4, variance: 9, moved: 0 },
  { cells: 4, variance: 9, moved: 200 },
  { cells: 36, variance: 400, moved: 30 },
  { cells: 256, variance: 2, moved: 5 },
])("an interval misses at most as often as it says: %o", ({ cells, variance, moved }) => {
  spendAlpha(alpha)
  const rng = seededBits(freshSeed())
  const exact = Float64Array.from({ length: cells }, (_, cell) => 100 + cell)
  const made = exact.map((count, cell) => count + (cell % 2 === 0 ? moved : -moved))
  const rows = exact.reduce((sum, count) => sum + count, 0)
  const truth = Math.min(1, (cells * moved) / 2 / rows)
  const noise = new Float64Array(cells)
  let missed = 0
  for (let run = 0; run < runs; run += 1) {
    fillRoundedGaussian(noise, rationalOfNumber(variance), rng)
    const noisy = exact.map((count, cell) => count + (noise[cell] ?? 0))
    const { low, high } = differenceOf({ made, noisy, variance, rows }, confidence)
    if (truth < low - 1e-12 || truth > high + 1e-12) missed += 1
  }
  // Chernoff: so many misses have a probability below alpha if each has one of 1 - confidence.
  const p = 1 - confidence
  const most = runs * p + Math.sqrt(3 * runs * p * Math.log(1 / alpha))
  expect(missed).toBeLessThan(most)
})
