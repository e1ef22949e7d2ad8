// Intervals of what is worked out from kept tables, against noise from the real samplers: they hold the exact
// number at least as often as they say, for sums of cells and for merged answers.

import { expect, test } from "vitest"
import { rational, type Rational } from "@dosimeter/core/exact"
import { sampleDiscreteLaplace, sampleRoundedGaussian } from "@dosimeter/core/noise"
import { clopperPearson, freshSeed, seededBits, spendAlpha } from "@dosimeter/core/testing"
import { intervalOfCell } from "../intervals/interval-of-cell.ts"
import type { NoiseLaw } from "../measurements/noise-law.ts"
import { deriveRows, type DerivedFrom } from "./derived-table.ts"

const alpha = 1e-9
const confidence = 0.9
const trials = 3000
const cells = Array.from({ length: 10 }, (_, index) => BigInt(100 + index))
const total = cells.reduce((sum, cell) => sum + cell, 0n)
const seed = freshSeed()
const rng = seededBits(seed)

const noiseLaw = (law: NoiseLaw["law"], amount: bigint): NoiseLaw => ({
  law,
  amount: rational(amount),
  grid: rational(1n),
})

/** A table of noisy numbers, all of which are added up. */
function source(noise: NoiseLaw, exact: readonly bigint[], place: number): DerivedFrom {
  const draw = (amount: Rational): bigint =>
    noise.law === "laplace" ? sampleDiscreteLaplace(amount, rng) : sampleRoundedGaussian(amount, rng)
  const values = exact.map((cell) => rational(cell + draw(noise.amount)))
  const facts = {
    rows: "",
    conditions: [],
    keys: [],
    columns: [],
    groupsPerUnit: 1n,
    rowsPerGroup: 1n,
    oneGroup: true,
    oneRow: true,
    cutsGroups: false,
    selectedFrom: undefined,
  }
  const column = {
    kind: "noisy",
    values,
    terms: [{ draw: 0, noise, factor: rational(1n) }],
    slack: 0,
  } as const
  return {
    table: { facts, keys: exact.map(() => []), columns: [column] },
    drawOf: (_draw, row) => place * 100 + row,
    derivation: {
      groups: [{ keys: [], from: exact.map((_, index) => index) }],
      columns: [0],
      differences: [],
      isEqual: true,
    },
  }
}

const gaussian = noiseLaw("gaussian", 400n)
const single = noiseLaw("gaussian", 1000n)
const laplace = noiseLaw("laplace", 20n)

test.each([
  ["a sum of ten Gaussian cells", (): readonly DerivedFrom[] => [source(gaussian, cells, 0)]],
  ["a sum of ten Laplace cells", (): readonly DerivedFrom[] => [source(laplace, cells, 0)]],
  [
    "a sum of cells, merged with a total",
    (): readonly DerivedFrom[] => [source(gaussian, cells, 0), source(single, [total], 1)],
  ],
  [
    "Laplace and Gaussian answers, merged",
    (): readonly DerivedFrom[] => [source(laplace, [total], 0), source(single, [total], 1)],
  ],
])("[P2] %s", (_name, sources) => {
  spendAlpha(alpha)
  let held = 0
  for (let trial = 0; trial < trials; trial += 1) {
    const [row] = deriveRows(sources(), { types: [{ kind: "integer" }], hides: () => false })
    const interval = row?.[0] === undefined ? undefined : intervalOfCell(row[0], confidence)
    if (interval !== undefined && interval.low <= Number(total) && Number(total) <= interval.high) held += 1
  }
  const { upper } = clopperPearson({ successes: held, trials, alpha })
  expect(upper, `covers too rarely, SEED=${seed}`).toBeGreaterThanOrEqual(confidence)
})
