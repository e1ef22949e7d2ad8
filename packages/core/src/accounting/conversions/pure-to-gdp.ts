// Pure loss as GDP: so that every mechanism can be charged to an account that adds up mu squared.

import { expNear, ln1pNear } from "../../exact/elementary.ts"
import { numberNear, rationalOfNumber, roundUp } from "../../exact/dyadic.ts"
import { expUp } from "../../exact/exp.ts"
import { normalCdfUp } from "../../exact/normal.ts"
import {
  add,
  compare,
  divide,
  multiply,
  negate,
  one,
  rational,
  square,
  type Rational,
} from "../../exact/rational.ts"
import { logNormalTail, solveFalling } from "../../exact/normal-doubles.ts"

/**
 * mu squared such that every mechanism of pure loss epsilon is mu-GDP, rounded up: P(Z > mu/2) = 1 / (1 +
 * e^epsilon).
 *
 * Guarantee: telling neighbours apart is never easier than telling N(0, 1) from N(mu, 1).
 * Needs: epsilon > 0 (the caller).
 * Proof: the trade-off curve of a pure loss lies on or above the two straight lines from (0, 1) and (1, 0) to
 *   the point (c, c), c = 1 / (1 + e^epsilon). The Gaussian curve is convex, runs through (0, 1) and (1, 0),
 *   and at its fixed point P(Z > mu/2) through (c', c') with c' <= c; a convex curve lies below its chords,
 *   so below those lines. No smaller mu does, since the curve must pass (c, c).
 * Numerics: found in doubles (the same in every engine), certified in fractions with the tail rounded up
 *   and c down.
 * Source: Dong, Roth, Su 2022, section 2, for the curves; the constant as in Liu, Sun, Karwa 2022, theorem 1.
 */
export function pureToGdp(epsilon: Rational): Rational {
  // P(Z > x) <= e^(-x^2/2) / 2, and 1 / (1 + e^epsilon) >= e^-epsilon / 2: so mu^2 = 8 epsilon always does,
  // and for a large epsilon little less would.
  if (compare(epsilon, rational(500n)) > 0) return multiply(rational(8n), epsilon)
  const least = divide(one, add(one, expUp(epsilon, 96)))
  const e = numberNear(epsilon)
  const target = -ln1pNear(expNear(Math.min(e, 700)))
  const guess = solveFalling((x) => logNormalTail(x) - target)
  const start = Number.isFinite(guess) && guess > 0 ? rationalOfNumber(guess) : one
  for (let slack = 36n; ; slack -= 2n) {
    const factor = slack > 0n ? add(one, rational(1n, 1n << slack)) : rational(1n << -slack)
    const half = roundUp(multiply(start, factor), 60)
    if (compare(normalCdfUp(negate(half), 96), least) <= 0) return square(multiply(rational(2n), half))
  }
}

/**
 * mu squared such that every mechanism whose log ratios span a range of at most epsilon, as those of the
 * exponential mechanism do, is mu-GDP, rounded up: that of a pure loss of half of epsilon.
 *
 * Guarantee: telling neighbours apart is never easier than telling N(0, 1) from N(mu, 1).
 * Needs: for any two neighbours, ratios of probabilities lie between e^(t - epsilon) and e^t for some t;
 *   epsilon > 0 (the caller).
 * Proof: two outcomes with just the ends of the range as ratios are the easiest to tell apart, and of those
 *   the pair that a pure loss of epsilon/2 has: pure-to-gdp.proof.md.
 * Numerics: as pureToGdp.
 * Source: bounded range: Durfee and Rogers 2019; curves: Dong, Roth, Su 2022, section 2.
 */
export function rangeToGdp(epsilon: Rational): Rational {
  return pureToGdp(divide(epsilon, rational(2n)))
}
