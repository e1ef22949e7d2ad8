// The inverse of the normal distribution function, rounded up.

import { logNormalTail } from "../exact/normal-doubles.ts"
import { numberUp, rationalOfNumber, roundUp } from "../exact/dyadic.ts"
import { lnUp } from "../exact/log.ts"
import { normalCdfDown } from "../exact/normal.ts"
import { add, compare, multiply, one, rational, subtract, type Rational } from "../exact/rational.ts"

/**
 * A z with P(Z <= z) >= p, for 0 < p < 1, a 2^-40 part above the least.
 *
 * Found in doubles; then raised until the distribution function, rounded down, is seen to reach p.
 */
export function normalQuantileUp(p: Rational): Rational {
  const isLow = compare(p, rational(1n, 2n)) < 0
  const tail = solveTail(numberUp(lnUp(isLow ? p : subtract(one, p))))
  const start = rationalOfNumber(isLow ? -tail : tail)
  const size = add(one, rationalOfNumber(tail))
  for (let slack = 44n; ; slack -= 1n) {
    const step = slack > 0n ? rational(1n, 1n << slack) : rational(1n << -slack)
    const z = roundUp(add(start, multiply(size, step)), 60)
    if (compare(normalCdfDown(z), p) >= 0) return z
  }
}

/** t >= 0 with ln P(Z > t) = target, in doubles. */
function solveTail(target: number): number {
  let from = 0
  // P(Z > t) < e^(-t^2/2).
  let to = Math.sqrt(Math.max(0, -2 * target)) + 1
  for (let step = 0; step < 100; step += 1) {
    const middle = (from + to) / 2
    if (logNormalTail(middle) > target) from = middle
    else to = middle
  }
  return to
}
