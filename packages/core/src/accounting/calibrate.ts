// From a target to the least noise: how large a scale must be so that so many releases together keep
// (epsilon, delta). Each result is certified by the accountant that found it; nearest is never good enough.

import { betweenZeroAndOne, deltaOf, positive, wholeNumber, type Numeric } from "../exact/decimal.ts"
import { numberDown, rationalOfNumber, roundDown, roundUp } from "../exact/dyadic.ts"
import { sqrtUp } from "../exact/log.ts"
import {
  add,
  compare,
  divide,
  isPositive,
  maximum,
  multiply,
  rational,
  square,
  type Rational,
} from "../exact/rational.ts"
import type { Neighbours } from "../privacy/unit.ts"
import type { Planned } from "./event.ts"
import { approxToMu } from "./conversions/gaussian-delta.ts"
import { approxLaw } from "./distributions/loss-law.ts"
import { optimalToDelta } from "./conversions/optimal-composition.ts"
import { PldAccount } from "./distributions/pld.ts"
import { singleSampledSigma } from "./distributions/single-sample.ts"
import { accountByPld, totalBy } from "./what-if.ts"

/** Beyond so many releases the accountants in doubles have nothing to add. */
const releasesMax = 1_000_000_000n
/** Up to so many releases binomials are summed up; beyond, the lattice is quicker. */
const atomsMax = 100_000

/** What all releases together must keep. */
export interface Target {
  readonly epsilon: Numeric
  readonly delta: Numeric
  readonly releases: Numeric
}

/**
 * The largest pure loss that each of so many releases may have: for any mechanism with a pure loss.
 *
 * Guarantee: so many releases of the loss returned are (epsilon, delta)-private together.
 * Needs: all releases are planned beforehand, with this loss each (the caller).
 * Proof: basic composition, or optimalToDelta (or the lattice, for many releases) at the value returned.
 * Numerics: rounded down.
 * Source: as optimalToDelta.
 */
export function calibratePureLoss(target: Target): Rational {
  const { epsilon, delta, releases } = read(target)
  const even = divide(epsilon, rational(releases))
  if (!isPositive(delta)) return even
  const [count, most, start] = [Number(releases), numberDown(epsilon), numberDown(even)]
  // Where doubles end, or roundings would weigh more than what is gained, the even share it is.
  if (releases > releasesMax || !(start > 0)) return even
  const deltaAt = (e: number): number =>
    count > atomsMax
      ? new PldAccount({ gaussianMu: 0, pairs: [{ pair: approxLaw(e, 0), count }] }).deltaAt(most).upper
      : optimalToDelta([{ epsilon: e, delta: 0, count }], most)
  const keeps = (e: number): boolean => deltaAt(e) <= numberDown(delta)
  return maximum(even, roundDown(rationalOfNumber(greatestThat(keeps, start))))
}

/**
 * The least variance of Gaussian noise for so many releases of this L2 sensitivity: exact, in closed form.
 */
export function calibrateGaussian(target: Target & { readonly l2Squared: Numeric }): Rational {
  const { epsilon, releases } = read(target)
  const delta = betweenZeroAndOne(target.delta, "delta")
  const total = multiply(rational(releases), positive(target.l2Squared, "the squared L2 sensitivity"))
  return divide(total, square(approxToMu(epsilon, delta)))
}

/**
 * The least scale of discrete Laplace noise for so many releases that each change by at most `amount` steps.
 */
export function calibrateLaplace(target: Target & { readonly amount: Numeric }): Rational {
  const { epsilon, delta, releases } = read(target)
  const amount = wholeNumber(target.amount, "the amount")
  const safe = divide(rational(amount), calibratePureLoss(target))
  if (!isPositive(delta) || releases === 1n || releases > releasesMax) return safe
  const keeps = (scale: Rational): boolean => {
    const planned: Planned = { event: { kind: "laplace", amount, scale }, count: Number(releases) }
    return accountByPld([planned]).epsilonAtMost(numberDown(delta)) <= numberDown(epsilon)
  }
  return leastBelow(safe, keeps)
}

/** A noise multiplier this small tells all of whoever is in the sample: the accountants go no further. */
const leastSigma = rational(1n, 100n)
/** Lattice points with which the search begins; it ends with those of PldAccount. */
const coarseCells = 2 ** 15

/**
 * The least noise multiplier for so many steps on Poisson samples: what private learning needs.
 *
 * Guarantee: so many steps with the multiplier returned are (epsilon, delta)-private together.
 * Needs: all steps are planned beforehand; every unit is in a sample by a coin of its own (the caller).
 * Proof: where delta is at least releases times rate, being in no sample at all has the rest of the
 *   probability, and any noise keeps delta. A single step: singleSampledSigma. Else the total of the value
 *   returned was seen to be at most epsilon, by privacy-loss distributions or Rényi curves, or it is the
 *   Gaussian's own closed form: a sample is no worse than the whole.
 * Numerics: rounded up; the accountants' roundings are theirs.
 * Source: Balle, Barthe, Gaboardi 2018; Koskela, Jälkö, Honkela 2020.
 */
export function calibrateSampledGaussian(
  target: Target & { readonly rate: Numeric; readonly neighbours: Neighbours },
): Rational {
  const { epsilon, releases } = read(target)
  const delta = betweenZeroAndOne(target.delta, "delta")
  const rate = betweenZeroAndOne(target.rate, "the sampling rate")
  if (compare(delta, multiply(rational(releases), rate)) >= 0) return leastSigma
  if (releases === 1n) return singleSampledSigma({ epsilon, delta, rate }, target.neighbours)
  const planned = (sigma: Rational): Planned[] => [
    {
      event: { kind: "sampled-gaussian", rate, sigma, neighbours: target.neighbours },
      count: Number(releases),
    },
  ]
  const most = numberDown(epsilon)
  const byRenyi = (sigma: Rational): boolean => totalBy("renyi", planned(sigma), delta).epsilon <= most
  // A sample is no worse than the whole, for which the Gaussian's closed form holds.
  const sides = rational(target.neighbours === "replace" ? 2n : 1n)
  const safe = divide(multiply(sides, sqrtUp(rational(releases))), approxToMu(epsilon, delta))
  const byPld =
    (options: { readonly cells?: number }) =>
    (sigma: Rational): number =>
      accountByPld(planned(sigma), options).epsilonAtMost(numberDown(delta))
  const start = sharpen(leastBelow(safe, byRenyi), byPld({ cells: coarseCells }), most)
  return sharpen(start, byPld({}), most)
}

/**
 * From a value that keeps, to within a part in 5000 of the least, by interpolating ln(epsilon) against
 * ln(value): a few looks instead of a bisection, since each look may take a second. What is returned was seen
 * to keep.
 */
function sharpen(start: Rational, epsilonOf: (value: Rational) => number, most: number): Rational {
  const target = Math.log(most)
  const half = Math.log(2)
  let best = start
  let good = { log: Math.log(numberDown(start)), value: Math.log(epsilonOf(start)) }
  let bad: { log: number; value: number } | undefined
  for (let look = 0; look < 8 && target - good.value > 1e-4; look += 1) {
    // epsilon falls about as the value to the power 1.5, until two looks say better.
    const slope = bad === undefined ? -1.5 : (good.value - bad.value) / (good.log - bad.log)
    // An epsilon of 0 or Infinity says nothing of the slope: then by halves.
    const aim = Number.isFinite(slope)
      ? Math.max(good.log - half, good.log + (target - good.value) / slope)
      : (good.log + (bad?.log ?? good.log - half)) / 2
    const log = bad === undefined ? aim : Math.min(good.log, Math.max(bad.log, aim) + 1e-4)
    const next = roundUp(rationalOfNumber(Math.exp(log)), 30)
    const epsilon = epsilonOf(next)
    const seen = { log, value: Math.log(epsilon) }
    if (epsilon <= most) {
      best = next
      good = seen
    } else {
      bad = seen
    }
    if (bad !== undefined && good.log - bad.log < 2e-4) break
  }
  return best
}

function read(target: Target): { epsilon: Rational; delta: Rational; releases: bigint } {
  return {
    epsilon: positive(target.epsilon, "epsilon"),
    delta: deltaOf(target.delta),
    releases: wholeNumber(target.releases, "releases"),
  }
}

/** The greatest value that keeps, from one that does, in doubles, from below. */
function greatestThat(keeps: (value: number) => boolean, start: number): number {
  let low = start
  let high = start * 2
  while (keeps(high)) {
    low = high
    high *= 2
  }
  for (let step = 0; step < 40; step += 1) {
    const middle = (low + high) / 2
    if (keeps(middle)) low = middle
    else high = middle
  }
  return low
}

/** The least value below one that keeps, to a part in a thousand; what is returned keeps. */
function leastBelow(safe: Rational, keeps: (value: Rational) => boolean): Rational {
  let good = safe
  let bad = divide(safe, rational(2n))
  while (keeps(bad)) {
    good = bad
    bad = divide(bad, rational(2n))
  }
  for (let step = 0; step < 11; step += 1) {
    const middle = roundUp(divide(add(good, bad), rational(2n)), 30)
    if (keeps(middle)) good = middle
    else bad = middle
  }
  return good
}
