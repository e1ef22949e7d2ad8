// How far apart a zCDP loss lets the outputs on two neighbours be: their total variation, which is also the
// best advantage of any attacker.

import { numberNear, rationalOfNumber, roundUp } from "../exact/dyadic.ts"
import { expDown, tanhUp } from "../exact/exp.ts"
import { sqrtUp } from "../exact/log.ts"
import { add, compare, divide, multiply, one, rational, subtract, type Rational } from "../exact/rational.ts"

/**
 * The greatest total variation between the outputs on two neighbours under rho-zCDP, rounded up: tanh(x/2),
 * where x tanh(x/2) = rho.
 *
 * Guarantee: no event's probability differs by more between neighbours; randomized response attains it.
 * Needs: rho > 0 (deltaAt).
 * Proof: the divergences of order 1 in both directions are at most rho, so their sum J is at most 2 rho.
 *   Let A be the event that attains the total variation V = p - q; seen through A alone, J can only fall: J
 *   >= (p-q)(logit p - logit q). The slope of logit, 1/(t(1-t)), is convex and symmetric about 1/2, so for
 *   given V this is least at p = (1 + V)/2 = 1 - q: V ln((1+V)/(1-V)) <= rho, that is x tanh(x/2) <= rho
 *   for V = tanh(x/2), x = ln((1+V)/(1-V)). The left side grows with x. Randomized response of odds e^x is
 *   rho-zCDP (pureToZcdp), with this very V. QED
 * Numerics: x is found in doubles and raised until x tanh(x/2) >= rho is seen; tanh is rounded up.
 * Source: the constant and proof are ours. Better than Pinsker's sqrt(rho/2) and than sqrt(1 - e^-rho).
 */
export function zcdpTotalVariation(rho: Rational): Rational {
  // 1 - 2 e^-100 is 1 in 64 bits.
  if (compare(rho, rational(100n)) >= 0) return one
  // V ln((1+V)/(1-V)) >= 2 V^2, so V <= sqrt(rho/2); so near the truth here that doubles would not see it.
  if (compare(rho, rational(1n, 1n << 60n)) <= 0) return sqrtUp(divide(rho, rational(2n)))
  const start = rationalOfNumber(solve(numberNear(rho)))
  for (let slack = 44n; ; slack -= 1n) {
    const x = roundUp(multiply(start, add(one, rational(1n, 1n << slack))), 60)
    const power = expDown(x, 160)
    const reached = multiply(x, divide(subtract(power, one), add(power, one)))
    if (compare(reached, rho) >= 0) return tanhUp(divide(x, rational(2n)))
  }
}

/** x with x tanh(x/2) = rho, in doubles. */
function solve(rho: number): number {
  let from = 0
  // x tanh(x/2) = x - 2x / (e^x + 1) > x - 1.
  let to = rho + 1
  for (let step = 0; step < 100; step += 1) {
    const middle = (from + to) / 2
    if (middle * Math.tanh(middle / 2) < rho) from = middle
    else to = middle
  }
  return to
}
