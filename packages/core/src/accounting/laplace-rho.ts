// The zCDP constant of the law that is sampled: discrete Laplace noise on an answer that changes by several
// steps. At one step it is randomized response; on a fine grid it falls toward the continuous constant.

import { divide, minimum, rational, type Rational } from "../exact/rational.ts"
import { numberDown, numberNear, rationalOfNumber, roundUp } from "../exact/dyadic.ts"
import { pureToZcdp } from "./conversions/pure-to-zcdp.ts"
import type { RenyiCurve } from "./renyi.ts"

/** Orders grow by this factor from one look to the next: what the bound may be too high by, at most. */
const ratio = 1.0005
/** For epsilon and the scale as doubles. The curve itself is already raised by more than its doubles lose. */
const allowance = 1 + 1e-12

/**
 * rho such that discrete Laplace noise of this scale is rho-zCDP for answers that change by `amount` steps.
 *
 * Guarantee: for every order a > 1, the Rényi divergence is at most rho a.
 * Needs: amount >= 1, scale > 0 (the callers).
 * Proof: D_a grows with a, so on a_i <= a <= a_(i+1) D_a / a <= D_(a_(i+1)) / a_i; the largest of these
 *   bounds it up to the last order A, and beyond it D_a / a <= epsilon / A, which is made no larger.
 *   pureToZcdp holds too; the smaller is taken.
 * Numerics: D_a is a closed form (discreteLaplaceCurve) in doubles, raised by more than they lose
 *   (allowance).
 * Source: the bound by monotonicity is ours; Mironov 2017 for D_a growing with a.
 */
export function laplaceToZcdp(amount: bigint, scale: Rational): Rational {
  const epsilon = divide(rational(amount), scale)
  const pure = pureToZcdp(epsilon)
  if (amount === 1n) return pure
  const e = numberNear(epsilon)
  // Below, there is less than 2 % to gain and doubles cancel; above, nothing is gained. Doubles end at
  // 2^1024.
  if (!(e > 0.05 && e < 50) || amount > 1n << 1000n) return pure
  const curve = discreteLaplaceCurve(Number(amount), numberDown(scale))
  return minimum(pure, roundUp(rationalOfNumber(leastRho(curve, e) * allowance)))
}

/**
 * The exact curve of discrete Laplace noise. With q = e^(-1/s), the sum over z of P(z)^a Q(z)^(1-a) has three
 * parts: z <= 0, z >= amount, and a geometric series between.
 */
export function discreteLaplaceCurve(amount: number, scale: number): RenyiCurve {
  const rate = 1 / scale
  const epsilon = amount * rate
  const q = Math.exp(-rate)
  return {
    at: (order) => {
      // All exponents are relative to (a - 1) epsilon, the largest.
      const top = 1 / (1 + q)
      const bottom = Math.exp(-(2 * order - 1) * epsilon) / (1 + q)
      const step = (2 * order - 1) * rate
      const series = (Math.exp(-step) * Math.expm1(-(amount - 1) * step)) / Math.expm1(-step)
      const sum = top + bottom + Math.tanh(rate / 2) * series
      // The sum is at least 1/2 and within 16 units 2^-53 of the truth; a logarithm that is off by that much
      // more.
      return Math.min(epsilon, epsilon * (1 + 2 ** -51) + (Math.log(sum) + 2 ** -47) / (order - 1))
    },
  }
}

function leastRho(curve: RenyiCurve, epsilon: number): number {
  // At a -> 1 the divergence is the one of Kullback and Leibler, which is below D at the first order looked
  // at.
  let order = 1.0005
  let best = curve.at(order)
  while (epsilon / order > best) {
    const next = order * ratio
    best = Math.max(best, curve.at(next) / order)
    order = next
  }
  return best
}
