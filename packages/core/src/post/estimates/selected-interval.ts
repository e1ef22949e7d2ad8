// The interval of a noisy count that is shown only because it reached a threshold. Luck is among the reasons
// to be shown: a small count that is there has been raised by its noise. So the interval must hold among the
// counts that are shown, whatever the exact one is.

import { assert } from "../../errors/assert.ts"
import { logNormalTail } from "../../exact/normal-doubles.ts"
import type { Interval } from "./estimate.ts"

/** A count plus noise that is known to have reached its threshold. */
export interface SelectedCount {
  readonly noise:
    | { readonly law: "laplace"; readonly scale: number }
    | { readonly law: "gaussian"; readonly variance: number }
  /** The noisy count: a whole number, at least the threshold, or one less where that may be the threshold. */
  readonly value: number
  /** Counts below it are not shown: a whole number. */
  readonly threshold: number
  /** How often the threshold was one lower, by a coin that nobody has seen. */
  readonly lowerChance: number
  /** The least that the exact count can be: 1 where empty groups never come up. */
  readonly least: number
}

/** More than all roundings on the way: values at the border are kept. */
const slack = 1 - 1e-7

/**
 * The whole numbers n from `least` on for which neither P(n + X >= value) nor P(n + X <= value), both given that
 * n + X reaches the threshold, is below miss / 2. Given that it is shown, a count's interval misses it with
 * probability at most `miss`: each of the two is at most its own value with probability at most that value.
 * Both change in one direction as n grows: the noise is log-concave, and whatever a value's chance of being
 * shown is, given the value, it is the same for all n; so the ratio of two laws grows with the value. The
 * numbers are therefore an interval.
 */
export function selectedInterval(count: SelectedCount, miss: number): Interval {
  const { value, threshold, lowerChance, least } = count
  assert(miss > 0 && miss < 1, "a probability of missing lies between 0 and 1")
  assert(lowerChance >= 0 && lowerChance < 1, "a chance lies between 0 and 1")
  const lowest = lowerChance > 0 ? threshold - 1 : threshold
  assert(value >= lowest, "a count that is shown has reached the threshold")
  const part = (miss / 2) * slack
  const tail = logTailOf(count.noise)
  // ln of how often a count of n is shown.
  const shown = (n: number): number => {
    const atLeast = tail(threshold - n)
    if (lowerChance === 0) return atLeast
    const more = tail(threshold - 1 - n) - atLeast
    // Beyond 600 the power would be too large for a double, and the 1 beside it does not count.
    return atLeast + (more > 600 ? more + Math.log(lowerChance) : Math.log1p(lowerChance * Math.expm1(more)))
  }
  // The count would have come out this high. (One below the threshold all that is shown has: more than 1.)
  const isHighEnough = (n: number): boolean => Math.exp(tail(value - n) - shown(n)) >= part
  const isLowEnough = (n: number): boolean => -Math.expm1(tail(value + 1 - n) - shown(n)) >= part
  const lower = firstFrom(least, Math.max(least, value), isHighEnough)
  let far = Math.max(least, value) + 1
  for (let step = 1; isLowEnough(far); step *= 2) far += step
  const upper = firstFrom(Math.max(least, value), far, (n) => !isLowEnough(n)) - 1
  return { lower, upper: Math.max(lower, upper), confidence: 1 - miss, exactness: "conservative" }
}

/** The first whole number in [from, to] that passes a test which holds from some number on; `to` if none. */
function firstFrom(from: number, to: number, test: (n: number) => boolean): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (test(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** ln P(X >= m) of the noise: a discrete Laplace law, or a normal one that was rounded. */
function logTailOf(noise: SelectedCount["noise"]): (m: number) => number {
  if (noise.law === "gaussian") {
    const sigma = Math.sqrt(noise.variance)
    return (m) => logNormalTail((m - 0.5) / sigma)
  }
  const { scale } = noise
  const whole = Math.log1p(Math.exp(-1 / scale))
  return (m) => (m >= 1 ? -m / scale - whole : Math.log1p(-Math.exp((m - 1) / scale - whole)))
}
