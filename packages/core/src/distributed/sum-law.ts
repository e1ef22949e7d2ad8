// What is in the sum that arrived: its noise as mechanisms state theirs, and how large it may get.

import { numberUp } from "../exact/dyadic.ts"
import { wholeNumber, type Numeric } from "../exact/decimal.ts"
import { integerSqrt } from "../exact/log.ts"
import { add, ceil, divide, maximum, multiply, rational, zero, type Rational } from "../exact/rational.ts"
import { measuredVariances, withVariances, type SharedSpec } from "./measured-numbers.ts"
import { fineVariance, type BellShare, type ShareSpec } from "./share.ts"

/** The noise of a sum of shares: that of `draws` independent draws of a mechanism, or less. */
export interface SumNoise {
  readonly spec: SharedSpec
  readonly draws: number
}

/**
 * The noise in the sum of so many sites' shares, for intervals and errors (never for a loss).
 *
 * Gaussian shares: a sum of discrete Gaussians is one but for a part that is far below any double
 * (distanceUp), and one of variance V strays from 0 less than a rounded normal of variance V: cell by cell
 * the bell over the integers and the integral over unit cells differ by a sign that changes once, on the way
 * out. Where shares are in finer steps, the sum is rounded half up, which a quarter of a fine step in the
 * variance more than makes up for. Laplace shares: a whole number of them and more sites than that only add
 * to what is a sum of whole draws; both are symmetric with one peak, so more noise strays further.
 */
export function noiseOfSum(share: ShareSpec, survivors: Numeric): SumNoise {
  const present = wholeNumber(survivors, "surviving sites")
  if (share.kind === "laplace-share") {
    return { spec: share.of, draws: Number((present + share.honest - 1n) / share.honest) }
  }
  return { spec: withVariances(share.of, widening(share, present)), draws: 1 }
}

function widening(share: BellShare, present: bigint): Rational {
  const fine = rational(1n << BigInt(2 * share.finer))
  const quarter = share.finer === 0 ? zero : rational(1n, 4n)
  let factor = zero
  for (const variance of new Set(measuredVariances(share.of, share.numbers).flat())) {
    const own = add(multiply(rational(present), fineVariance(share, variance)), quarter)
    factor = maximum(factor, divide(own, multiply(variance, fine)))
  }
  return factor
}

/**
 * A bound on every number of a sum of `sites` shares, in fine steps, where the exact numbers of all sites
 * together are at most `largest` in size: never passed by what is exact, and by noise with a chance below
 * 2^-100 for each number. A modulus above twice this loses nothing.
 */
export function reachOfSum(share: ShareSpec, sites: Numeric, largest: bigint): bigint {
  const count = wholeNumber(sites, "sites")
  if (share.kind === "laplace-share") {
    const draws = (count + share.honest - 1n) / share.honest
    return largest + draws * (ceil(multiply(rational(128n), share.of.scale)) + 128n)
  }
  let widest = zero
  for (const variance of new Set(measuredVariances(share.of, share.numbers).flat())) {
    widest = maximum(widest, fineVariance(share, variance))
  }
  const sigma = integerSqrt(ceil(multiply(rational(count), widest))) + 1n
  return (largest << BigInt(share.finer)) + 16n * sigma
}

/** How much wider the sum's noise is than one trusted party's: the ratio of standard deviations. */
export function marginOfSum(share: ShareSpec, survivors: Numeric): number {
  const present = wholeNumber(survivors, "surviving sites")
  if (share.kind === "laplace-share") return Math.sqrt(numberUp(rational(present, share.honest)))
  return Math.sqrt(numberUp(widening(share, present)))
}
