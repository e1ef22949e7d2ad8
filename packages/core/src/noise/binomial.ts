// Binomial draws: how many of n independent coins come up. Used to thin counts.

import { assert } from "../errors/assert.ts"
import { showRational, type Rational } from "../exact/rational.ts"
import type { RandomBits } from "../random/random-bits.ts"
import { binomialOracle } from "./cdf-oracles.ts"
import { requireTable } from "./table-cache.ts"

/** The largest single table; more trials are a sum over powers of two. */
const tableBits = 20n

/**
 * Draws from the binomial law: successes in `trials` independent trials of probability p.
 *
 * Guarantee: the output has exactly this law, given fair bits.
 * Needs: trials >= 0 and 0 <= p <= 1 (checked here); trials <= 2^40, for time.
 * Proof: trials is a sum of powers of two (its binary digits; above 2^20, repeated 2^20), and successes in
 *   disjoint sets of trials are independent and add up. Each power's draw is LazyTable's, on enclosures by
 *   the ratios of neighbouring probabilities outward from the mode. Varying `trials` at one p needs 21 tables
 *   only.
 * Numerics: interval arithmetic on integers, exact weights for small laws.
 * Source: by definition.
 */
export function sampleBinomial(trials: bigint, p: Rational, rng: RandomBits): bigint {
  assert(trials >= 0n && trials <= 1n << 40n, "trials lie in [0, 2^40]")
  assert(p.numerator >= 0n && p.numerator <= p.denominator, "a probability lies in [0, 1]")
  if (p.numerator === 0n) return 0n
  if (p.numerator === p.denominator) return trials
  let total = 0n
  for (let left = trials >> tableBits; left > 0n; left -= 1n) total += drawPower(tableBits, p, rng)
  for (let bit = 0n; bit < tableBits; bit += 1n) {
    if ((trials >> bit) % 2n === 1n) total += drawPower(bit, p, rng)
  }
  return total
}

/** Successes in 2^bit trials. */
function drawPower(bit: bigint, p: Rational, rng: RandomBits): bigint {
  const trials = 1n << bit
  const table = requireTable(`binomial ${trials} ${showRational(p)}`, () => binomialOracle(trials, p))
  const mode = ((trials + 1n) * p.numerator) / p.denominator
  return mode + BigInt(table.sample(rng))
}
