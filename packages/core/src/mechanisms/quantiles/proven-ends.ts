// Which ends of intervals are proven by noisy numbers of rows: post-processing of what was released.

import { lnUp } from "../../exact/log.ts"
import {
  add,
  compare,
  divide,
  maximum,
  multiply,
  one,
  rational,
  square,
  subtract,
  zero,
  type Rational,
} from "../../exact/rational.ts"
import { gaussianHalfWidth } from "../shared/gaussian-width.ts"

/** Counts are in units of 1 / grain of what they were, so that rounding to integers does not matter. */
export const grain = 16n

/** The noise on each number of rows. */
export type RowsNoise =
  | { readonly law: "laplace"; readonly scale: Rational }
  | { readonly law: "gaussian"; readonly variance: Rational }

/** Noisy numbers of rows between cuts of the cells; a cut at c is between cells c - 1 and c. */
export interface CountedRows {
  readonly cuts: readonly number[]
  readonly rows: readonly bigint[]
  /** What a row of full weight counts in them. */
  readonly row: bigint
  readonly cells: number
  readonly noise: RowsNoise
}

interface Ends {
  readonly lower: number
  readonly upper: number
}

/**
 * For each quantile the nearest ends that are proven, its own or those of quantiles farther out; where there
 * is none, the first or the last cell.
 *
 * Why they hold: the usual definitions of a quantile take a row k with q n - 1 <= k <= q n + 2, or a value
 * between two such rows. Of weighed rows, with P_k the weight of the first k in rows: a row k with P_k >=
 * q n - 1 and P_(k-1) <= q n + 1, n being the weight of all. (Equal weights: the same rows.) Let N be the
 * weight before a cut. If N < q n - 1, row k is at or after the cut, as P_k <= N else; if N >= q n + 2, or
 * all rows are before it, row k is before it, as P_(k-1) >= N else. N - q n is a sum of counts with weights
 * 1 - q (before the cut) and -q (after it), and its noise exceeds marginOf with probability missEach at most,
 * in either direction. So each quantile's own lower end is called proven in error with that probability, and
 * so is its upper end; missEach times the number of ends is the miss of all. A lower end that holds for a
 * quantile holds for all greater ones.
 */
export function provenEnds(
  measured: CountedRows,
  asked: {
    readonly quantiles: readonly Rational[]
    readonly ends: readonly Ends[]
    readonly missEach: Rational
  },
): readonly Ends[] {
  const { quantiles, ends, missEach } = asked
  const last = measured.cells - 1
  const known = ends.map(({ lower, upper }, which) => {
    const quantile = quantiles[which] ?? one
    const low = excess(measured, { quantile, cut: lower, missEach })
    const high = excess(measured, { quantile, cut: upper + 1, missEach })
    const isBelow = low !== undefined && compare(add(low.value, low.margin), rational(-measured.row)) < 0
    const isAbove =
      high !== undefined && compare(subtract(high.value, high.margin), rational(2n * measured.row)) >= 0
    return { lower: isBelow ? lower : 0, upper: isAbove ? upper : last }
  })
  return known.map((_, which) => ({
    lower: known.slice(0, which + 1).reduce((most, { lower }) => Math.max(most, lower), 0),
    upper: known.slice(which).reduce((least, { upper }) => Math.min(least, upper), last),
  }))
}

/** The rows before a cut minus q times all rows, as measured, and how far it can be off; none at the rim. */
function excess(
  { cuts, rows, noise }: CountedRows,
  {
    quantile,
    cut,
    missEach,
  }: { readonly quantile: Rational; readonly cut: number; readonly missEach: Rational },
): { readonly value: Rational; readonly margin: Rational } | undefined {
  const place = cuts.indexOf(cut)
  if (place < 0) return undefined
  const sum = (counts: readonly bigint[]): Rational => rational(counts.reduce((a, b) => a + b, 0n))
  const before = multiply(subtract(one, quantile), sum(rows.slice(0, place + 1)))
  const value = subtract(before, multiply(quantile, sum(rows.slice(place + 1))))
  const bins = { below: place + 1, above: rows.length - place - 1, quantile }
  return { value, margin: marginOf(noise, bins, missEach) }
}

/** So many noises with weight 1 - q, and so many with weight -q. */
interface Bins {
  readonly below: number
  readonly above: number
  readonly quantile: Rational
}

/**
 * A bound that the weighted sum of noises exceeds with probability at most `miss`.
 *
 * Gaussian: each is a normal variable and a rounding of at most 1/2; the sum of the first is normal. Laplace:
 * for |t| < 1 the mean of e^(t X / s) is at most 1 / (1 - t^2), X discrete Laplace of scale s: it is 1 / (1 -
 * sinh^2(t/2s) / sinh^2(1/2s)), and sinh(x) / x grows. By Markov's inequality the sum of c_i X_i exceeds
 * s (ln(1/miss) - sum of ln(1 - t^2 c_i^2)) / t with probability at most miss, for every t > 0 with all
 * |t c_i| < 1; the least of fifteen is taken.
 */
export function marginOf(noise: RowsNoise, bins: Bins, miss: Rational): Rational {
  const { below, above, quantile } = bins
  const size = noise.law === "laplace" ? noise.scale : noise.variance
  const numbers = [size, quantile, miss].flatMap(({ numerator, denominator }) => [numerator, denominator])
  const key = [noise.law, below, above, ...numbers].join(" ")
  const before = remembered.get(key)
  if (before !== undefined) return before
  const margin = noise.law === "laplace" ? laplaceMargin(size, bins, miss) : gaussianMargin(size, bins, miss)
  if (remembered.size >= 1000) remembered.clear()
  remembered.set(key, margin)
  return margin
}

// The same few margins are needed for every group of an answer.
const remembered = new Map<string, Rational>()

function gaussianMargin(variance: Rational, bins: Bins, miss: Rational): Rational {
  const width = gaussianHalfWidth(multiply(variance, weigh(bins, square)), multiply(rational(2n), miss))
  return add(
    rational(width + 1n),
    divide(
      weigh(bins, (weight) => weight),
      rational(2n),
    ),
  )
}

function laplaceMargin(scale: Rational, bins: Bins, miss: Rational): Rational {
  const log = lnUp(divide(one, miss))
  const largest = weightsOf(bins).reduce((most, { weight }) => maximum(most, weight), zero)
  const bounds = Array.from({ length: 15 }, (_, i) => {
    const t = divide(rational(BigInt(i) + 1n, 16n), largest)
    const cost = weigh(bins, (weight) => lnUp(divide(one, subtract(one, square(multiply(t, weight))))))
    return divide(add(log, cost), t)
  })
  return multiply(
    scale,
    bounds.reduce((a, b) => (compare(b, a) < 0 ? b : a)),
  )
}

/** The weights that occur, and how often. */
function weightsOf({
  below,
  above,
  quantile,
}: Bins): readonly { readonly weight: Rational; readonly count: number }[] {
  const both = [
    { weight: subtract(one, quantile), count: below },
    { weight: quantile, count: above },
  ]
  return both.filter(({ count }) => count > 0)
}

function weigh(bins: Bins, of: (weight: Rational) => Rational): Rational {
  return weightsOf(bins)
    .map(({ weight, count }) => multiply(rational(BigInt(count)), of(weight)))
    .reduce(add, zero)
}
