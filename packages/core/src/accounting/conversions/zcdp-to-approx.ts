// zCDP as (epsilon, delta): the best known conversion.

import { expNear, ln1pNear, lnNear } from "../../exact/elementary.ts"
import { expUp } from "../../exact/exp.ts"
import { numberUp, rationalOfNumber, roundUp } from "../../exact/dyadic.ts"
import { lnDown, lnUp } from "../../exact/log.ts"
import {
  add,
  divide,
  isPositive,
  maximum,
  multiply,
  one,
  rational,
  subtract,
  zero,
  type Rational,
} from "../../exact/rational.ts"

/** ln of the least delta that zcdpToDelta returns. */
const logLeast = rational(-4096n)

/**
 * A delta at which rho-zCDP has loss epsilon, rounded up.
 *
 * Guarantee: a rho-zCDP mechanism is (epsilon, delta)-private for the delta returned.
 * Needs: rho > 0, epsilon >= 0 (the callers).
 * Proof: for every order a > 1, delta = exp((a-1)(a rho - epsilon)) (1 - 1/a)^a / (a - 1) will do (the
 *   source); any a is allowed, so the search for a good one need not be exact.
 * Numerics: the search runs in doubles, the same in every engine; at the order found, logarithms are
 *   rounded up and exp too. Never below e^-4096: the exact power of a large number would only cost time.
 * Source: Canonne, Kamath, Steinke 2020, corollary 13.
 */
export function zcdpToDelta(rho: Rational, epsilon: Rational): Rational {
  const e = numberUp(epsilon)
  const order = bestOrder(numberUp(rho), (a, r) => {
    return (a - 1) * (a * r - e) + a * ln1pNear(-1 / a) - lnNear(a - 1)
  })
  const less = subtract(order, one)
  const exponent = multiply(less, subtract(multiply(order, rho), epsilon))
  const shrink = multiply(order, lnUp(divide(less, order)))
  const log = subtract(add(exponent, shrink), lnDown(less))
  return isPositive(log) ? one : expUp(maximum(log, logLeast))
}

/**
 * An epsilon at which rho-zCDP keeps delta, rounded up; never below 0.
 *
 * Guarantee: a rho-zCDP mechanism is (epsilon, delta)-private for the epsilon returned.
 * Needs: rho > 0, 0 < delta < 1 (the callers).
 * Proof: solve zcdpToDelta's formula for epsilon at a fixed order a: epsilon = a rho + ln(1 - 1/a)
 *   - (ln delta + ln a) / (a - 1).
 * Numerics: as zcdpToDelta.
 * Source: Canonne, Kamath, Steinke 2020, proposition 12.
 */
export function zcdpToEpsilon(rho: Rational, delta: Rational): Rational {
  const logDelta = lnDown(delta)
  const log = numberUp(logDelta)
  const order = bestOrder(numberUp(rho), (a, r) => {
    return a * r + ln1pNear(-1 / a) - (log + lnNear(a)) / (a - 1)
  })
  const less = subtract(order, one)
  const slack = divide(add(logDelta, lnDown(order)), less)
  const epsilon = subtract(add(multiply(order, rho), lnUp(divide(less, order))), slack)
  return roundUp(maximum(zero, epsilon))
}

/**
 * The order a > 1 with the least cost, near enough: golden section on ln(a - 1). Any order gives a valid
 * bound.
 */
function bestOrder(rho: number, cost: (order: number, rho: number) => number): Rational {
  const golden = (Math.sqrt(5) - 1) / 2
  const at = (x: number) => cost(1 + expNear(x), rho)
  let from = -20
  let to = 40
  for (let step = 0; step < 90; step += 1) {
    const left = to - golden * (to - from)
    const right = from + golden * (to - from)
    if (at(left) <= at(right)) to = right
    else from = left
  }
  // A short fraction keeps the exact evaluation quick.
  const less = rationalOfNumber(Math.fround(expNear((from + to) / 2)))
  return add(one, isPositive(less) ? less : rational(1n, 1024n))
}
