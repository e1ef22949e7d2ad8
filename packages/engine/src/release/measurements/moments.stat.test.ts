// The numbers that are read from a noisy vector have the law that the plan says: half of the variance that
// shares for sum and count would give to a mean.

import { numberNear, rational } from "@dosimeter/core/exact"
import { laplaceOfScale, momentSensitivity } from "@dosimeter/core/mechanisms"
import { clopperPearson, freshSeed, seededBits, spendAlpha } from "@dosimeter/core/testing"
import type { LinearMeasurement } from "@dosimeter/proof/algebra/measurement"
import { expect, test } from "vitest"
import { drawMoments } from "./moments.ts"
import { allOfTheNoise } from "./noise-source.ts"

const alpha = 1e-9
const runs = 20_000
const scale = 6
const width = 3n
const seed = freshSeed()

const pair: LinearMeasurement<"moments"> = {
  kind: "linear",
  label: "AVG(x)",
  extract: 0,
  columns: [
    { id: 1, of: "rows" },
    { id: 2, of: "values" },
  ],
  grid: rational(1n),
  strategy: {
    kind: "moments",
    lower: 10n,
    upper: 10n + width,
    from: 0n,
    basis: "pair",
    spec: laplaceOfScale({
      sensitivity: momentSensitivity({
        basis: "pair",
        width,
        groupsPerUnit: 1,
        rowsPerGroup: 1,
        neighbours: "add-or-remove",
      }),
      scale,
    }),
  },
}

/** P(|(X - Y) / 2| <= most) for two draws of discrete Laplace noise. */
function within(most: number): number {
  const chance = (z: number): number => Math.tanh(1 / (2 * scale)) * Math.exp(-Math.abs(z) / scale)
  let total = 0
  for (let x = -400; x <= 400; x += 1) {
    for (let y = x - 2 * most; y <= x + 2 * most; y += 1) total += chance(x) * chance(y)
  }
  return total
}

test(`[S3] [N1] a mean from a pair has the noise of its law (seed ${seed})`, () => {
  spendAlpha(alpha)
  const rng = seededBits(seed)
  // 40 values of 11 and 40 of 12: the mean is in the middle of the range.
  const exact = [80n, 40n * 11n + 40n * 12n].map((value) => Array.from({ length: runs }, () => value))
  const drawn = drawMoments(pair, exact, allOfTheNoise(rng))
  const numbers = pair.columns.map((_, column) =>
    drawn
      .cells({ kind: "linear", label: "AVG(x)", measurement: 0, column, isWhole: false })
      .map(({ value }) => (value.kind === "number" ? numberNear(value.value) : Number.NaN)),
  )
  const middle = 11.5
  for (const most of [2, 6, 12]) {
    const inside = Array.from({ length: runs }, (_, run) => {
      const [rows = 0, sum = 0] = numbers.map((values) => values[run])
      return Math.abs(sum - middle * rows) <= most + 1e-9
    }).filter(Boolean).length
    const { lower, upper } = clopperPearson({ successes: inside, trials: runs, alpha: alpha / 3 })
    expect(lower).toBeLessThanOrEqual(within(most))
    expect(upper).toBeGreaterThanOrEqual(within(most))
  }
})
