// Discrete Laplace noise as zCDP: the tight constant of the law that is sampled. At one step it is randomized
// response; on a fine grid it falls toward the continuous constant.

import { exponentOf, roundUp } from "../../exact/dyadic.ts"
import { expDown, expUp } from "../../exact/exp.ts"
import {
  compare,
  divide,
  minimum,
  multiply,
  negate,
  one,
  rational,
  square,
  subtract,
  type Rational,
} from "../../exact/rational.ts"
import { pureToZcdp } from "./pure-to-zcdp.ts"

/** Below this loss the pure constant is within a part in 2^200 of the tight one. */
const leastEpsilon = rational(1n, 1n << 200n)
/** Above this rate of decay a step, t / sinh t is below 2^-170. */
const mostRate = rational(128n)
/** Up to this rate two terms of the series of t / sinh t are enough. */
const seriesRate = rational(1n, 1n << 24n)
/** e^-epsilon is not looked at beyond this: 1 - e^-4096 is 1 to 5909 bits. */
const mostExponent = rational(4096n)

/**
 * rho such that discrete Laplace noise of this scale is rho-zCDP for answers that change by `amount` steps:
 * epsilon - (1 - e^-epsilon) t / sinh t, with t = 1 / scale and epsilon = amount t, rounded up.
 *
 * Guarantee: for every order a > 1, the Rényi divergence is at most rho a; likewise for any smaller amount.
 * Needs: amount >= 1, scale > 0 (the callers).
 * Proof: laplace-to-zcdp.proof.md. No smaller rho will do: it is the Kullback-Leibler divergence.
 * Numerics: exact fractions and enclosures; e^-epsilon is rounded up, t / sinh t down, the result up.
 * Source: Harrison and Manurangsi 2025 (FORC 2026, arXiv 2510.25746) for tight constants of Laplace and
 *   discrete Laplace noise; the proof here is our own.
 */
export function laplaceToZcdp(amount: bigint, scale: Rational): Rational {
  const rate = divide(one, scale)
  const epsilon = multiply(rational(amount), rate)
  const pure = pureToZcdp(epsilon)
  if (amount === 1n || compare(epsilon, leastEpsilon) < 0 || compare(rate, mostRate) > 0) return pure
  // rho is about epsilon^2 / 2 for a small epsilon: as many bits as that has leading zeros cancel.
  const bits = 192 + 2 * Math.max(0, -exponentOf(epsilon))
  const fall = subtract(one, expUp(negate(minimum(epsilon, mostExponent)), bits))
  return minimum(pure, roundUp(subtract(epsilon, multiply(fall, overSinhDown(rate, bits)))))
}

/** t / sinh t = 2 t e^-t / (1 - e^-2t) for 0 < t <= 128, rounded down. */
function overSinhDown(t: Rational, bits: number): Rational {
  // (2k + 1)! >= 6^k, so sinh t <= t (1 + t^2/6 + (t^2/6)^2 + ...) = t / (1 - t^2/6).
  if (compare(t, seriesRate) <= 0) return subtract(one, divide(square(t), rational(6n)))
  // The quotient grows with e^-t.
  const decay = expDown(negate(t), bits)
  return divide(multiply(multiply(rational(2n), t), decay), subtract(one, square(decay)))
}
