// The noise that epsilon 1 and delta 1e-6 buy under each accounting, by the published conversions.

import { analyticSigma } from "../reference-noise.ts"

/** How losses are added up: an owner has one of them. */
export type Accounting = "pure" | "zcdp" | "gdp"

/** The loss of every question here. */
export const loss = { epsilon: 1, delta: 1e-6 } as const

/** The norm whose bound decides the noise: Laplace noise under pure accounting, else Gaussian. */
export function normOf(accounting: Accounting): "L1" | "L2" {
  return accounting === "pure" ? "L1" : "L2"
}

/** The standard deviation of the noise for a bound of 1 on that norm, at a share of the loss. */
export function noiseOf(accounting: Accounting, share = 1): number {
  if (accounting === "pure") return Math.SQRT2 / (loss.epsilon * share)
  const whole = accounting === "gdp" ? analyticSigma(loss) : 1 / Math.sqrt(2 * rho())
  return whole / Math.sqrt(share)
}

/** Rank noise of one of nine quantiles that share the loss, for one row a person: exponential mechanism. */
export function rankNoise(accounting: Accounting): number {
  // An exponential mechanism of epsilon has rho = epsilon^2 / 8 and mu = epsilon / 2 (its range is epsilon).
  const part = accounting === "pure" ? loss.epsilon / 9 : 2 / (3 * noiseOf(accounting))
  return (2 * Math.SQRT2) / part
}

/** The largest rho that gives epsilon and delta (Canonne, Kamath and Steinke 2020, corollary 13). */
export function rho(): number {
  let [low, high] = [1e-9, 10]
  for (let turn = 0; turn < 100; turn += 1) {
    const middle = (low + high) / 2
    if (deltaOf(middle) > loss.delta) high = middle
    else low = middle
  }
  return low
}

function deltaOf(own: number): number {
  let least = Infinity
  for (let order = 1.01; order < 400; order *= 1.005) {
    const log =
      (order - 1) * (order * own - loss.epsilon) + order * Math.log1p(-1 / order) - Math.log(order - 1)
    least = Math.min(least, log)
  }
  return Math.exp(least)
}
