// The exact trade between epsilon and delta for Gaussian noise (and so for GDP), in directed arithmetic.

import { numberUp, rationalOfNumber, roundUp } from "../../exact/dyadic.ts"
import { upperEnd } from "../../exact/enclosure.ts"
import { expDown, expUp } from "../../exact/exp.ts"
import { lnUp, sqrtDown } from "../../exact/log.ts"
import { enclosePi, normalCdf, normalCdfUp } from "../../exact/normal.ts"
import {
  add,
  compare,
  divide,
  isPositive,
  minimum,
  multiply,
  negate,
  one,
  rational,
  square,
  subtract,
  type Rational,
} from "../../exact/rational.ts"
import { logGaussianDelta, solveFalling } from "../../exact/normal-doubles.ts"

const two = rational(2n)
/** Beyond this many standard deviations a tail is below 1e-400, less than any delta that can be typed. */
const far = rational(45n)
/** From here on e^epsilon F(-t) comes from a continued fraction: F itself would need thousands of bits. */
const fractionFrom = rational(40n)

/**
 * The least delta at which Gaussian noise of sensitivity mu (in standard deviations) has loss epsilon,
 * rounded up.
 *
 * Guarantee: a mu-GDP mechanism is (epsilon, delta)-private for the delta returned.
 * Needs: mu > 0, epsilon >= 0 (the callers).
 * Proof: delta(epsilon) = F(mu/2 - epsilon/mu) - e^epsilon F(-mu/2 - epsilon/mu), F the normal distribution
 *   function: the hockey-stick divergence of N(mu, 1) from N(0, 1), attained at a half line.
 * Numerics: the first term is rounded up, the second down; bits are added until what cancels leaves 40.
 *   Beyond 45 deviations either way coarse bounds do: F(-t) < e^(-t^2/2), and 1. Large t: secondTermDown.
 * Source: Balle and Wang 2018, theorem 8; Dong, Roth, Su 2022, corollary 1.
 */
export function gdpToDelta(mu: Rational, epsilon: Rational): Rational {
  const ratio = divide(epsilon, mu)
  const half = divide(mu, two)
  const a = subtract(half, ratio)
  const b = negate(add(half, ratio))
  if (compare(a, far) > 0) return one
  if (compare(a, negate(far)) < 0) return expUp(negate(minimum(divide(square(a), two), rational(4096n))))
  if (compare(b, negate(fractionFrom)) < 0)
    return roundUp(subtract(normalCdfUp(a, 256), secondTermDown(a, b)))
  for (let bits = 96; ; bits *= 2) {
    const [first, second] = [normalCdf(a, bits), normalCdf(b, bits)]
    const up = subtract(first.up, multiply(expDown(epsilon, bits), second.down))
    const down = subtract(first.down, multiply(expUp(epsilon, bits), second.up))
    const isSharp =
      isPositive(down) && compare(subtract(up, down), multiply(up, rational(1n, 1n << 40n))) <= 0
    if (isSharp || bits >= 16384) return roundUp(up)
  }
}

/**
 * e^epsilon F(b), rounded down, for a large t = -b. As b^2 - a^2 = 2 epsilon, it is f(a) M(t), with f the
 * density and M(t) = 1/(t + 1/(t + 2/(t + ...))) Mills's ratio. Cutting Laplace's fraction after the 15 gives
 * a lower bound (an even number of t's), with a relative error of about 16! / t^32.
 */
function secondTermDown(a: Rational, b: Rational): Rational {
  const t = negate(b)
  let fraction = t
  for (let k = 15n; k >= 1n; k -= 1n) fraction = add(t, divide(rational(k), fraction))
  const root = sqrtDown(divide(one, multiply(two, upperEnd(enclosePi(256)))), 256)
  const density = multiply(expDown(negate(divide(square(a), two)), 256), root)
  return divide(density, fraction)
}

/**
 * The least epsilon at which Gaussian noise of sensitivity mu keeps delta, rounded up (0 if delta is large).
 *
 * Guarantee: a mu-GDP mechanism is (epsilon, delta)-private for the epsilon returned.
 * Needs: mu > 0, 0 < delta < 1 (the callers).
 * Proof: gdpToDelta falls as epsilon grows; the end returned was itself seen to keep delta.
 * Numerics: found in doubles (the same in every engine), then certified in fractions, a 2^-42 part above.
 * Source: as gdpToDelta.
 */
export function gdpToEpsilon(mu: Rational, delta: Rational): Rational {
  const keeps = (epsilon: Rational) => compare(gdpToDelta(mu, epsilon), delta) <= 0
  const [m, target] = [numberUp(mu), numberUp(lnUp(delta))]
  if (keeps(rational(0n))) return rational(0n)
  return leastThat(
    keeps,
    solveFalling((epsilon) => logGaussianDelta(m, epsilon) - target),
  )
}

/**
 * The greatest mu whose Gaussian noise keeps (epsilon, delta), rounded down. The noise that keeps it for an
 * answer of L2 sensitivity D has standard deviation D / mu.
 *
 * Guarantee: a mu-GDP mechanism with the mu returned is (epsilon, delta)-private.
 * Needs: epsilon > 0, 0 < delta < 1 (the callers).
 * Proof: gdpToDelta grows with mu; the value returned was itself seen to keep delta. No smaller noise would
 *   do, but for the last 2^-42 part: this calibration is exact, not a sufficient condition.
 * Numerics: 1/mu, the standard deviation for sensitivity 1, is found in doubles and certified in fractions.
 * Source: Balle and Wang 2018, algorithm 1.
 */
export function approxToMu(epsilon: Rational, delta: Rational): Rational {
  const keeps = (sigma: Rational) => compare(gdpToDelta(divide(one, sigma), epsilon), delta) <= 0
  const [e, target] = [numberUp(epsilon), numberUp(lnUp(delta))]
  const sigma = leastThat(
    keeps,
    solveFalling((x) => logGaussianDelta(1 / x, e) - target),
  )
  return divide(one, sigma)
}

/** A value just above a double that should be the least one that keeps; certified, and raised until it is. */
function leastThat(keeps: (value: Rational) => boolean, approximate: number): Rational {
  const start = Number.isFinite(approximate) && approximate > 0 ? rationalOfNumber(approximate) : rational(1n)
  for (let slack = 42n; ; slack -= 2n) {
    const factor = slack > 0n ? add(one, rational(1n, 1n << slack)) : rational(1n << -slack)
    const value = roundUp(multiply(start, factor), 60)
    if (keeps(value)) return value
  }
}
