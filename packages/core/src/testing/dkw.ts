// Goodness of fit by one rule (Dvoretzky-Kiefer-Wolfowitz with Massart's constant, 1990): for n independent
// draws of any law, P(sup |empirical cdf - cdf| > t) <= 2 exp(-2 n t^2). It holds for every n and for
// integers; no table needed.

import type { IntegerCdf } from "./laws.ts"

/** The distance that n draws of the right law exceed with probability at most alpha. */
export function dkwThreshold({ draws, alpha }: { readonly draws: number; readonly alpha: number }): number {
  return Math.sqrt(Math.log(2 / alpha) / (2 * draws))
}

/**
 * The largest distance over all integers between the empirical distribution function of `counts` and `cdf`.
 *
 * Between two observed values the empirical function is flat and `cdf` rises, so the largest distance is
 * reached at an observed value or at the integer just before one. NaN when `cdf` gives NaN, so compare with
 * `!(d <= threshold)`.
 */
export function empiricalDistance(counts: ReadonlyMap<bigint, number>, cdf: IntegerCdf): number {
  const observed = [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const total = observed.reduce((sum, [, count]) => sum + count, 0)
  let seen = 0
  let distance = 0
  for (const [value, count] of observed) {
    const before = Math.abs(seen / total - cdf(value - 1n))
    seen += count
    distance = Math.max(distance, before, Math.abs(seen / total - cdf(value)))
  }
  return distance
}

/** How many points of a wide law are compared. */
const gridMax = 1 << 14

/** A lower bound of the largest distance between two laws: the largest on a grid that holds all but 2e-6 of
 * `right`, every integer of it unless the law is wide. */
export function lawDistance({
  right,
  wrong,
}: {
  readonly right: IntegerCdf
  readonly wrong: IntegerCdf
}): number {
  const first = quantile(right, 1e-6)
  const last = quantile(right, 1 - 1e-6)
  const step = (last - first) / BigInt(gridMax) + 1n
  let distance = 0
  for (let k = first; k <= last; k += step) distance = Math.max(distance, Math.abs(right(k) - wrong(k)))
  return distance
}

/** The smallest integer k with cdf(k) >= level. */
function quantile(cdf: IntegerCdf, level: number): bigint {
  const limit = 1n << 200n
  let below = -1n
  while (cdf(below) >= level) below = stretched(below, limit)
  let above = 1n
  while (!(cdf(above) >= level)) above = stretched(above, limit)
  while (above - below > 1n) {
    const middle = (above + below) >> 1n
    if (cdf(middle) >= level) above = middle
    else below = middle
  }
  return above
}

function stretched(bound: bigint, limit: bigint): bigint {
  if (bound > limit || bound < -limit) throw new Error("the cdf does not go from 0 to 1")
  return 2n * bound
}
