// A threshold on whole counts that uses all of its delta: for each key a coin decides whether the threshold
// is one lower. A whole number alone would leave a part of delta unused.

import { fixedPoint, roundDown, scaleByPowerOfTwo } from "../../exact/dyadic.ts"
import {
  add,
  compare,
  divide,
  multiply,
  one,
  rational,
  subtract,
  zero,
  type Rational,
} from "../../exact/rational.ts"

/** From where on a key is shown. */
export interface KeyThreshold {
  readonly threshold: bigint
  /** How often the threshold of a key is one lower, by a coin of its own: at least 0, less than 1. */
  readonly lowerChance: Rational
}

/** Coins are read in so many bits. */
const coinBits = 20

/**
 * The threshold, with the largest chance of a lower one for which `passUp`, averaged over the coin, is at most
 * `most`: passUp(threshold) bounds what may happen at a fixed threshold.
 */
export function lowerIfWithin(
  threshold: bigint,
  passUp: (threshold: bigint) => Rational,
  most: Rational,
): KeyThreshold {
  const pass = passUp(threshold)
  // In 64 bits from below: then the average rounded up to 64 bits is within `most` too.
  const room = subtract(roundDown(most), pass)
  const more = subtract(passUp(threshold - 1n), pass)
  if (compare(room, zero) <= 0) return { threshold, lowerChance: zero }
  if (compare(more, room) <= 0) return { threshold: threshold - 1n, lowerChance: zero }
  return { threshold, lowerChance: scaleByPowerOfTwo(fixedPoint(divide(room, more), coinBits), -coinBits) }
}

/** What may happen, averaged over the coin. */
export function averagePass(
  { threshold, lowerChance }: KeyThreshold,
  passUp: (threshold: bigint) => Rational,
): Rational {
  if (compare(lowerChance, zero) === 0) return passUp(threshold)
  return add(
    multiply(lowerChance, passUp(threshold - 1n)),
    multiply(subtract(one, lowerChance), passUp(threshold)),
  )
}

/**
 * The least number of units from which on a key is hidden with probability at most `miss`, where `tailUp` is
 * P(X >= rise), rounded up for rise >= 1, and `halfWidth` the least r with P(|X| > r) at most what it is given.
 *
 * With n units and a threshold t a key is hidden if X < t - n, as often as X > n - t. At the threshold it is
 * shown with probability above one half; one unit below that, if the coin is fair or better.
 */
export function shownFrom(
  at: KeyThreshold,
  miss: Rational,
  law: {
    readonly tailUp: (rise: bigint) => Rational
    readonly halfWidth: (miss: Rational) => bigint
  },
): bigint {
  const { threshold, lowerChance } = at
  const twice = multiply(rational(2n), miss)
  const isWide = twice.numerator >= twice.denominator
  if (isWide) return compare(lowerChance, rational(1n, 2n)) >= 0 ? threshold - 1n : threshold
  const surely = threshold + law.halfWidth(twice)
  const hidden = averagePass(at, (t) => {
    const rise = surely - t
    return rise >= 1n ? law.tailUp(rise) : one
  })
  return compare(hidden, miss) <= 0 ? surely - 1n : surely
}
