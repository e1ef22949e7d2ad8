// Poisson and Skellam noise: whole counts, additive over parties, for noise that is made in shares.

import { assert } from "../errors/assert.ts"
import { compare, isPositive, rational, showRational, subtract, type Rational } from "../exact/rational.ts"
import type { RandomBits } from "../random/random-bits.ts"
import { poissonOracle } from "./cdf-oracles.ts"
import type { LazyTable } from "./lazy-table.ts"
import { requireTable } from "./table-cache.ts"

/** Beyond this mean a draw is a sum of draws: sums of independent Poisson variables are Poisson. */
const tableMeanMax = rational(1_000_000n)
/** A mean beyond this would need more than a thousand draws for one. */
const meanMax = rational(1_000_000_000n)

/**
 * Draws from the Poisson law with a rational mean.
 *
 * Guarantee: the output has exactly this law, given fair bits.
 * Needs: 0 < mean <= 10^9 (checked here).
 * Proof: LazyTable's, on enclosures by the ratios mean / (k + 1) outward from the mode; larger means are
 *   split into a sum of independent draws whose means add up.
 * Numerics: interval arithmetic on integers; the cumulative probabilities are e^-mean times rationals, so
 *   they are irrational and never on the 2^-48 grid.
 * Source: by definition; additivity as in any textbook.
 */
export function samplePoisson(mean: Rational, rng: RandomBits): bigint {
  assert(isPositive(mean) && compare(mean, meanMax) <= 0, "a Poisson mean lies in (0, 10^9]")
  let total = 0n
  let left = mean
  while (compare(left, tableMeanMax) > 0) {
    total += drawPoisson(tableMeanMax, rng)
    left = subtract(left, tableMeanMax)
  }
  return total + drawPoisson(left, rng)
}

/**
 * Draws from the Skellam law: the difference of two independent Poisson variables with this mean each.
 *
 * Guarantee: the output has exactly this law; its variance is twice the mean.
 * Needs: 0 < mean <= 10^9 (checked by samplePoisson).
 * Proof: by definition.
 * Numerics: exact, as samplePoisson.
 * Source: Skellam 1946; Agarwal, Kairouz, Liu 2021, for its use as distributed noise.
 */
export function sampleSkellam(mean: Rational, rng: RandomBits): bigint {
  return samplePoisson(mean, rng) - samplePoisson(mean, rng)
}

/**
 * Fills `out` with independent Poisson draws.
 *
 * Guarantee: as samplePoisson, independently.
 * Needs: 0 < mean <= 10^6 (checked here).
 * Proof: as samplePoisson.
 * Numerics: as samplePoisson; outcomes are far below 2^31.
 * Source: as samplePoisson.
 */
export function fillPoisson(out: Int32Array, mean: Rational, rng: RandomBits): void {
  assert(isPositive(mean) && compare(mean, tableMeanMax) <= 0, "a batch's Poisson mean lies in (0, 10^6]")
  const { table, mode } = poissonTable(mean)
  for (let i = 0; i < out.length; i += 1) out[i] = table.sample(rng) + mode
}

/**
 * Fills `out` with independent Skellam draws.
 *
 * Guarantee: as sampleSkellam, independently.
 * Needs: 0 < mean <= 10^6 (checked here).
 * Proof: the two table draws count from the same mode, which cancels.
 * Numerics: as samplePoisson.
 * Source: as sampleSkellam.
 */
export function fillSkellam(out: Int32Array, mean: Rational, rng: RandomBits): void {
  assert(isPositive(mean) && compare(mean, tableMeanMax) <= 0, "a batch's Skellam mean lies in (0, 10^6]")
  const { table } = poissonTable(mean)
  for (let i = 0; i < out.length; i += 1) {
    const word = rng.word()
    out[i] = table.outcome(word & 0xffff, rng) - table.outcome(word >>> 16, rng)
  }
}

function drawPoisson(mean: Rational, rng: RandomBits): bigint {
  const { table, mode } = poissonTable(mean)
  return BigInt(table.sample(rng) + mode)
}

function poissonTable(mean: Rational): { table: LazyTable; mode: number } {
  const table = requireTable(`poisson ${showRational(mean)}`, () => poissonOracle(mean))
  return { table, mode: Number(mean.numerator / mean.denominator) }
}
