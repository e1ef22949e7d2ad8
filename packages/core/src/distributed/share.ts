// Noise in shares: every site of a federation adds its own, and the sum over any `honest` of them is worth
// what one trusted party would have added. A share spec is plain data, made from the mechanism that the
// question is charged for.

import { assert } from "../errors/assert.ts"
import { fail } from "../errors/errors.ts"
import { wholeNumber, type Numeric } from "../exact/decimal.ts"
import { roundUp } from "../exact/dyadic.ts"
import { sqrtUp } from "../exact/log.ts"
import {
  add,
  compare,
  divide,
  floor,
  maximum,
  minimum,
  multiply,
  one,
  rational,
  square,
  zero,
  type Rational,
} from "../exact/rational.ts"
import { laplaceLoss, type LaplaceSpec } from "../mechanisms/additive/laplace.ts"
import { lossOf } from "../mechanisms/mechanism.ts"
import type { Losses } from "../privacy/loss.ts"
import { measuredVariances, type BellSpec, type SharedSpec } from "./measured-numbers.ts"

/** What every site adds to its own exact numbers. */
export type ShareSpec = BellShare | LaplaceShare

/** Discrete Gaussian noise, in steps of 2^-finer of the mechanism's. */
export interface BellShare extends Shared {
  readonly kind: "bell-share"
  /** The mechanism that the question is charged for. */
  readonly of: BellSpec
  readonly finer: number
}

/** Parts of discrete Laplace noise. */
export interface LaplaceShare extends Shared {
  readonly kind: "laplace-share"
  readonly of: LaplaceSpec
}

interface Shared {
  /** The least number of honest sites whose shares are in the sum. */
  readonly honest: bigint
  /** How many numbers the mechanism measures. */
  readonly numbers: number
}

/** More honest sites are not counted on. */
const honestMax = 1n << 16n

/**
 * The variance of a share in its fine steps is at least this: then the sum of shares is as good as a discrete
 * Gaussian itself (distanceUp).
 */
const fineVarianceMin = rational(64n)

/** Shares together are wider than the mechanism's noise by this part of its variance, which pays for that. */
const stretch = square(rational((1n << 32n) + 1n, 1n << 32n))

/** Noise in shares for a mechanism. `exact` is how many numbers its release function takes. */
export function shareOf(options: {
  readonly of: SharedSpec
  readonly exact: number
  readonly honest: Numeric
}): ShareSpec {
  const { of } = options
  const honest = wholeNumber(options.honest, "honest sites")
  const exact = Number(wholeNumber(options.exact, "numbers of a share"))
  if (honest > honestMax) {
    fail("parameter/too-large", { name: "honest sites", got: `${honest}`, limit: `${honestMax}` })
  }
  if (of.kind === "laplace") return { kind: "laplace-share", of, honest, numbers: exact }
  const variances = measuredVariances(of, exact).flat()
  const least = [...new Set(variances)].reduce(minimum)
  let finer = 0
  while (compare(fineVariance({ honest, finer }, least), fineVarianceMin) < 0) finer += 1
  const share: BellShare = { kind: "bell-share", of, honest, numbers: variances.length, finer }
  // With these steps it does not: but no question is asked on the strength of that.
  const isWithin = compare(bellLoss(share, honest).rho, lossOf(of).zcdp.rho) <= 0
  assert(isWithin, "the sum of shares loses no more than is charged")
  return share
}

/** The variance of a share, in its fine steps, where the mechanism's is `variance`. */
export function fineVariance(
  { honest, finer }: Pick<BellShare, "honest" | "finer">,
  variance: Rational,
): Rational {
  const fine = multiply(variance, rational(1n << BigInt(2 * finer), honest))
  return roundUp(multiply(fine, stretch), 64)
}

/**
 * What the sum of shares loses, where `survivors` honest sites are in it: as many as the spec counts on,
 * unless said.
 *
 * Guarantee: for Gaussian shares rho-zCDP with rho = (sqrt(2 k R) + T)^2 / 2, R the mechanism's own rho, k
 *   the greatest ratio of its variance to the sum's, and T^2 = numbers times distanceUp^2; no other measure.
 *   For Laplace shares all that laplaceLoss states.
 * Needs: as the mechanism's own loss; the sum has the shares of at least `survivors` honest sites, drawn by
 *   releaseShare; survivors >= spec.honest (checked here).
 * Proof: Gaussian: share.proof.md. Laplace: the shares of `honest` sites add up to the mechanism's
 *   own noise (sampleLaplaceShare). What more sites add is independent of that: post-processing.
 * Numerics: fractions, and square roots rounded up.
 * Source: Kairouz, Liu, Steinke 2021, "The distributed discrete Gaussian mechanism", theorem 1 and
 *   proposition 14, with constants of our own; Goryczka and Xiong 2017.
 */
export function lossOfShares(share: ShareSpec, survivors: Numeric = share.honest): Losses {
  const present = wholeNumber(survivors, "surviving sites", share.honest)
  if (share.kind === "laplace-share") return laplaceLoss(share.of)
  return { zcdp: bellLoss(share, present) }
}

function bellLoss(share: BellShare, present: bigint): Losses["zcdp"] {
  const fine = rational(1n << BigInt(2 * share.finer))
  const variances = new Set(measuredVariances(share.of, share.numbers).flat())
  let ratio = zero
  let distance = zero
  for (const variance of variances) {
    const own = fineVariance(share, variance)
    ratio = maximum(ratio, divide(multiply(variance, fine), multiply(rational(present), own)))
    distance = maximum(distance, distanceUp(own, present))
  }
  const central = lossOf(share.of).zcdp
  const moved = sqrtUp(multiply(rational(2n), multiply(ratio, central.rho)))
  const off = sqrtUp(multiply(rational(BigInt(share.numbers)), square(distance)))
  return {
    measure: "zcdp",
    rho: divide(square(add(moved, off)), rational(2n)),
    delta: central.delta,
  }
}

/**
 * Twice the most that ln of a probability can differ between the sum of `count` discrete Gaussians of this
 * variance and the discrete Gaussian of the sum's variance, rounded up.
 *
 * Guarantee: never less than that.
 * Needs: variance >= 1 and count >= 1 (checked here).
 * Proof: 10 (count - 1) e^(-pi^2 variance) by share.proof.md, and e^(-pi^2) < 2^-14.
 * Numerics: a power of two, at least 2^-4096 times 10 (count - 1).
 * Source: Kairouz, Liu, Steinke 2021, theorem 10, with constants of our own.
 */
export function distanceUp(variance: Rational, count: bigint): Rational {
  assert(compare(variance, one) >= 0 && count >= 1n, "shares of variance 1 or more are added up")
  const whole = floor(variance)
  const exponent = 14n * whole < 4096n ? 14n * whole : 4096n
  return rational(10n * (count - 1n), 1n << exponent)
}
