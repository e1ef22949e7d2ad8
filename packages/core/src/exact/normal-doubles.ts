// The normal law in doubles: starting points for searches whose result is then certified in exact arithmetic,
// and intervals of what is already released. Nothing here is trusted, but the same in every engine: what a
// search finds is charged.

import { expNear, ln1pNear, lnNear } from "./elementary.ts"

/** ln of the standard normal density at t. */
export function logNormalDensity(t: number): number {
  return (-t * t) / 2 - lnNear(2 * Math.PI) / 2
}

/** ln P(Z > t) for a standard normal Z, good to about 1e-13. */
export function logNormalTail(t: number): number {
  if (t < 0) return ln1pNear(-expNear(logNormalTail(-t)))
  const logDensity = logNormalDensity(t)
  if (t < 3) return lnNear(0.5 - expNear(logDensity) * series(t))
  // P(Z > t) = f(t) / (t + 1/(t + 2/(t + 3/...))): Laplace's continued fraction, from the far end.
  let fraction = t
  for (let k = 160; k >= 1; k -= 1) fraction = t + k / fraction
  return logDensity - lnNear(fraction)
}

/** ln of the delta that Gaussian noise of sensitivity mu has at epsilon. */
export function logGaussianDelta(mu: number, epsilon: number): number {
  const first = logNormalTail(epsilon / mu - mu / 2)
  const second = epsilon + logNormalTail(epsilon / mu + mu / 2)
  return second < first ? first + ln1pNear(-expNear(second - first)) : -Infinity
}

/**
 * About the least whole r with P(Z > (r + 1/2) / sigma) <= p, for sigma^2 = variance; 1 where doubles cannot
 * say.
 */
export function guessNormalWidth(variance: number, p: number): bigint {
  const sigma = Math.sqrt(variance)
  const log = lnNear(p)
  if (!Number.isFinite(log) || !(sigma < 1e15)) return 1n
  const guess = Math.ceil(solveFalling((t) => logNormalTail(t) - log) * sigma - 0.5)
  return guess > 1 && guess < 1e15 ? BigInt(guess) : 1n
}

/** The zero of a falling function on (0, infinity), by bisection in the logarithm. */
export function solveFalling(value: (x: number) => number): number {
  let from = -80
  let to = 80
  for (let step = 0; step < 110; step += 1) {
    const middle = (from + to) / 2
    if (value(expNear(middle)) > 0) from = middle
    else to = middle
  }
  return expNear(to)
}

function series(t: number): number {
  let term = t
  let sum = t
  for (let odd = 3; term > sum * 1e-18; odd += 2) {
    term *= (t * t) / odd
    sum += term
  }
  return sum
}
