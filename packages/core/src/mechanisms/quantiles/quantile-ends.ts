// Intervals of quantiles: beside each quantile a lower and an upper cell are drawn, at ranks a fixed number
// of rows to either side, so far that the pair holds the quantile with the stated probability on every
// histogram.

import { assert } from "../../errors/assert.ts"
import { fail } from "../../errors/errors.ts"
import { one, subtract, type Rational } from "../../exact/rational.ts"
import { sampleSoftmax } from "../../noise/argmax.ts"
import type { RandomBits } from "../../random/random-bits.ts"
import { endRate, fullOf, type QuantileEnds, type QuantilesSpec } from "./quantile.ts"

/** The cells between which a quantile lies: from the first of `lower` to the last of `upper`. */
export interface QuantileInterval {
  readonly lower: number
  readonly upper: number
}

/** A spec that pays for ends. */
export type QuantilesWithEnds = QuantilesSpec & { readonly ends: QuantileEnds }

/**
 * Draws the ends of the interval of each quantile, from the exact number of rows in each cell, in units of
 * 1 / full rows.
 *
 * Guarantee: the loss is 2 m draws of epsilonPerEnd for m quantiles and each group (quantilesLoss). On every
 *   histogram with rows, all intervals hold their quantiles but with probability spec.ends.miss: wherever the
 *   value is put between the rows next to rank q n; of weighed rows, by their weights.
 * Needs: as releaseQuantiles.
 * Proof: each end is a draw of the exponential mechanism whose scores a row changes as in quantilesLoss, and
 *   falls on the wrong side with probability miss / (2 m) at most: quantile-ends.proof.md.
 * Numerics: scores are integers; draws are exact; the logarithm is rounded up.
 * Source: McSherry and Talwar 2007; Smith 2011. That ln C / epsilon rows are needed: Beimel, Nissim, Stemmer
 *   2013 (interior points).
 */
export function releaseQuantileEnds(
  spec: QuantilesWithEnds,
  histogram: readonly bigint[],
  rng: RandomBits,
): readonly QuantileInterval[] {
  if (BigInt(histogram.length) !== spec.cells) {
    fail("parameter/length", { name: "the histogram", got: `${histogram.length}`, expected: `${spec.cells}` })
  }
  const { quantiles, ends } = spec
  const turned = histogram.toReversed()
  const last = histogram.length - 1
  const drawn = quantiles.map((quantile, which) => {
    const shift = ends.shifts[which] ?? fail("parameter/empty", { name: "shifts" })
    const lower = drawLower(spec, { histogram, quantile, shift }, rng)
    const other = drawLower(spec, { histogram: turned, quantile: subtract(one, quantile), shift }, rng)
    return { lower, upper: last - other }
  })
  return drawn.map((_, which) => ({
    lower: drawn.slice(0, which + 1).reduce((most, { lower }) => Math.max(most, lower), 0),
    upper: drawn.slice(which).reduce((least, { upper }) => Math.min(least, upper), last),
  }))
}

/** Whether ends are paid for. */
export function hasEnds(spec: QuantilesSpec): spec is QuantilesWithEnds {
  return spec.ends !== undefined
}

interface Drawn {
  readonly histogram: readonly bigint[]
  readonly quantile: Rational
  readonly shift: bigint
}

function drawLower(spec: QuantilesWithEnds, { histogram, quantile, shift }: Drawn, rng: RandomBits): number {
  const { numerator: a, denominator: b } = quantile
  const total = histogram.reduce((sum, count) => sum + count, 0n)
  // b times the rank that is aimed at.
  const target = a * total - b * shift * fullOf(spec)
  let below = 0n
  const scores = histogram.map((count, cell) => {
    const short = cell === 0 ? 0n : b * below - target
    below += count
    const over = target - b * below
    const miss = short > over ? short : over
    return miss > 0n ? -miss : 0n
  })
  assert(below === total, "every row is in a cell")
  return sampleSoftmax({ scores }, endRate(spec, spec.ends, quantile), rng)
}
