// gdpToDelta for every size of its arguments: where the exact evaluation would be slow, a bound that is
// quick.

import { gdpToDelta } from "../accounting/gaussian-delta.ts"
import { expUp } from "../exact/exp.ts"
import { normalCdfUp } from "../exact/normal.ts"
import {
  add,
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
} from "../exact/rational.ts"

/** Beyond this many standard deviations the tail is bounded, not enclosed: delta is below 1e-44 there. */
const far = rational(14n)
/** Above this mu the second term of delta is left out. */
const largeMu = rational(25n)
/** 1 / sqrt(2 pi), rounded up. */
const densityAtZero = rational(3_989_423n, 10_000_000n)
const two = rational(2n)

/**
 * The delta of the Gaussian pair of distance mu at epsilon, rounded up.
 *
 * Guarantee: a mu-GDP mechanism is (epsilon, delta)-private for the delta returned.
 * Needs: mu > 0, epsilon >= 0 (deltaAt).
 * Proof: delta = F(a) - e^epsilon F(a - mu), a = mu/2 - epsilon/mu (gdpToDelta). For a > 10 it is within
 *   1e-21 of 1, so 1 is the same in 64 bits. Leaving out the second term can only raise it. For t = -a > 0 it
 *   is f(t) (M(t) - M(t + mu)), f the density and M = (1 - F)/f Mills' ratio, which falls, is convex, is at
 *   most 1/t and at least t/(t^2+1); so M' = t M - 1 >= -1/(t^2+1), and the difference is at most min(1/t,
 *   mu/(t^2+1)). QED
 * Numerics: all terms rounded up. At the seam the smaller of the two bounds is used, since delta falls with
 *   epsilon.
 * Source: Balle and Wang 2018, theorem 8; Gordon 1941 for Mills' ratio.
 */
export function gaussianDeltaUp(mu: Rational, epsilon: Rational): Rational {
  const a = subtract(divide(mu, two), divide(epsilon, mu))
  if (compare(a, rational(10n)) > 0) return one
  const t = negate(a)
  if (compare(t, far) > 0) return minimum(farDelta(mu, t), nearDelta(mu, seam(mu)))
  return nearDelta(mu, epsilon)
}

/** The epsilon at which t = far. */
function seam(mu: Rational): Rational {
  return multiply(mu, add(divide(mu, two), far))
}

function nearDelta(mu: Rational, epsilon: Rational): Rational {
  if (compare(mu, largeMu) <= 0) return gdpToDelta(mu, epsilon)
  return minimum(one, normalCdfUp(subtract(divide(mu, two), divide(epsilon, mu))))
}

function farDelta(mu: Rational, t: Rational): Rational {
  const tSquared = square(t)
  // e^-2000 is small enough for anything; more would only be slow.
  const density = multiply(densityAtZero, expUp(negate(minimum(divide(tSquared, two), rational(2000n)))))
  return multiply(density, minimum(divide(one, t), divide(mu, add(tSquared, one))))
}
