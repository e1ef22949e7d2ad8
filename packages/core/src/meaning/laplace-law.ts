// The discrete Laplace law as a function of rate = epsilon / L1, solved for the rate: first in doubles, then
// rounded to a short decimal that is verified in exact arithmetic. With q = e^-rate: P(|X| > r) = 2 q^(r+1) /
// (1 + q) and E|X| = 1 / sinh(rate).

import { exponentOf, numberUp, rationalOfNumber } from "../exact/dyadic.ts"
import { expDown, expUp } from "../exact/exp.ts"
import { lnUp } from "../exact/log.ts"
import {
  add,
  compare,
  divide,
  multiply,
  negate,
  one,
  rational,
  subtract,
  type Rational,
} from "../exact/rational.ts"
import { laplaceHalfWidth } from "../mechanisms/additive/laplace.ts"
import { greatestDecimal, leastDecimal } from "./short-decimal.ts"

/** For whom to solve: the L1 sensitivity, and the significant digits that epsilon may have. */
export interface SolveFor {
  readonly l1: bigint
  readonly digits: number
}

/** E|X| in doubles, for any rate > 0. */
export function meanNoise(rate: number): number {
  return (2 * Math.exp(-rate)) / -Math.expm1(-2 * rate)
}

/** The standard deviation in doubles: 1 / (sqrt(2) sinh(rate / 2)). */
export function noiseDeviation(rate: number): number {
  return Math.SQRT1_2 / Math.sinh(rate / 2)
}

/** P(|X| > radius) in doubles. */
export function noiseExceeds(rate: number, radius: bigint): number {
  return Math.exp(logTail(rate, radius))
}

/** The least epsilon with P(|X| > radius) <= miss. */
export function epsilonForWithin(
  options: SolveFor & { readonly radius: bigint; readonly miss: Rational },
): Rational {
  const { l1, digits, radius, miss } = options
  const target = logOf(miss)
  const rate = solveFalling((x) => logTail(x, radius) - target)
  return leastDecimal(
    nearly(l1, rate, belowSolution),
    digits,
    (epsilon) => laplaceHalfWidth(divide(rational(l1), epsilon), miss) <= radius,
  )
}

/** The greatest epsilon with P(|X| > radius) >= probability. */
export function epsilonForExceeding(
  options: SolveFor & { readonly radius: bigint; readonly probability: Rational },
): Rational {
  const { l1, digits, radius, probability } = options
  const target = logOf(probability)
  const rate = solveFalling((x) => logTail(x, radius) - target)
  return greatestDecimal(nearly(l1, rate, aboveSolution), digits, (epsilon) => {
    const x = divide(epsilon, rational(l1))
    const tail = expDown(negate(multiply(rational(radius + 1n), x)), 96)
    const least = divide(multiply(rational(2n), tail), add(one, expUp(negate(x), 96)))
    return compare(least, probability) >= 0
  })
}

/** The least epsilon with E|X| <= mean. */
export function epsilonForMeanAtMost(options: SolveFor & { readonly mean: Rational }): Rational {
  const { l1, digits, mean } = options
  const start = nearly(l1, rateOfMean(mean), belowSolution)
  return leastDecimal(start, digits, (epsilon) => {
    const x = divide(epsilon, rational(l1))
    const bits = sharpBits(x)
    const sinh = divide(subtract(expDown(x, bits), expUp(negate(x), bits)), rational(2n))
    return compare(multiply(sinh, mean), one) >= 0
  })
}

/** The least epsilon with a standard deviation of at most s: Var = 1 / (cosh(rate) - 1). */
export function epsilonForDeviation(options: SolveFor & { readonly deviation: Rational }): Rational {
  const { l1, digits, deviation } = options
  const rate = 2 * Math.asinh(Math.SQRT1_2 / numberUp(deviation))
  const variance = multiply(deviation, deviation)
  return leastDecimal(nearly(l1, rate, belowSolution), digits, (epsilon) => {
    const x = divide(epsilon, rational(l1))
    const bits = 2 * sharpBits(x)
    const cosh = divide(add(expDown(x, bits), expDown(negate(x), bits)), rational(2n))
    return compare(multiply(subtract(cosh, one), variance), one) >= 0
  })
}

/** The greatest epsilon with E|X| >= mean. */
export function epsilonForMeanAtLeast(options: SolveFor & { readonly mean: Rational }): Rational {
  const { l1, digits, mean } = options
  const start = nearly(l1, rateOfMean(mean), aboveSolution)
  return greatestDecimal(start, digits, (epsilon) => {
    const x = divide(epsilon, rational(l1))
    const bits = sharpBits(x)
    const sinh = divide(subtract(expUp(x, bits), expDown(negate(x), bits)), rational(2n))
    return compare(multiply(sinh, mean), one) <= 0
  })
}

/** Where to begin, as a part of the solution in doubles: their errors are smaller than this. */
const belowSolution = 1 - 1e-13
const aboveSolution = 1 + 1e-13

function nearly(l1: bigint, rate: number, part: number): Rational {
  return multiply(rational(l1), rationalOfNumber(rate * part))
}

/** The zero of a falling function on (e^-720, e^720), by bisection in the logarithm. */
export function solveFalling(value: (x: number) => number): number {
  let from = -720
  let to = 700
  for (let step = 0; step < 120; step += 1) {
    const middle = (from + to) / 2
    if (value(Math.exp(middle)) > 0) from = middle
    else to = middle
  }
  return Math.exp(to)
}

/** ln P(|X| > r) = -(r + 1/2) rate - ln cosh(rate/2): a form in which nothing cancels. */
function logTail(rate: number, radius: bigint): number {
  const half = rate / 2
  const logCosh = half > 20 ? half - Math.LN2 : Math.log1p(2 * Math.sinh(half / 2) * Math.sinh(half / 2))
  return -(Number(radius) + 0.5) * rate - logCosh
}

/** ln p in doubles, near 1 too. */
function logOf(p: Rational): number {
  const rest = numberUp(subtract(one, p))
  return rest < 0.5 ? Math.log1p(-rest) : numberUp(lnUp(p))
}

/** asinh(1 / mean), the rate at which E|X| = mean. */
function rateOfMean(mean: Rational): number {
  return Math.asinh(numberUp(divide(one, mean)))
}

/** Bits that leave 96 after e^x - e^-x has cancelled. */
function sharpBits(x: Rational): number {
  return 96 + Math.max(0, -exponentOf(x))
}
