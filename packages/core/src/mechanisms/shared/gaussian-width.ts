// Half widths and tails of the rounded Gaussian, decided exactly.

import { numberNear, numberUp } from "../../exact/dyadic.ts"
import { lowerEnd, upperEnd } from "../../exact/enclosure.ts"
import { lnUp } from "../../exact/log.ts"
import { guessNormalWidth } from "../../exact/normal-doubles.ts"
import { encloseNormalTail } from "../../exact/normal.ts"
import {
  ceil,
  compare,
  divide,
  minimum,
  multiply,
  one,
  rational,
  square,
  type Rational,
} from "../../exact/rational.ts"

/** The least integer r with P(|X| > r) = 2 P(Z > (r + 1/2) / sigma) <= miss, exactly. */
export function gaussianHalfWidth(variance: Rational, miss: Rational): bigint {
  const half = divide(miss, rational(2n))
  const covers = (r: bigint): boolean =>
    compareTail(divide(square(rational(2n * r + 1n, 2n)), variance), half) <= 0
  if (covers(0n)) return 0n
  // Doubles propose where to look; the decision is exact.
  let { bad, good } = { bad: 0n, good: guessNormalWidth(numberNear(variance), numberNear(half)) }
  for (let step = 1n; !covers(good); step *= 2n) {
    bad = good
    good += step
  }
  for (let step = 1n; good - bad > 1n && good - step > bad; step *= 2n) {
    if (!covers(good - step)) {
      bad = good - step
      break
    }
    good -= step
  }
  while (good - bad > 1n) {
    const middle = (good + bad) / 2n
    if (covers(middle)) good = middle
    else bad = middle
  }
  return good
}

/**
 * P(X >= rise) for rise >= 1, rounded up: the normal tail from rise - 1/2, to as many bits as it has zeros,
 * at most 4096.
 */
export function gaussianTailUp(variance: Rational, rise: bigint): Rational {
  const tSquared = minimum(divide(square(rational(2n * rise - 1n, 2n)), variance), rational(4096n))
  return upperEnd(encloseNormalTail(tSquared, 64 + Number(ceil(tSquared))))
}

/** Compares P(Z > t), given t^2, with p; a tie that no precision breaks counts as greater. */
export function compareTail(tSquared: Rational, p: Rational): number {
  // P(Z > t) <= e^(-t^2/2) / 2 settles what is far off: its tail alone would need as many bits as t^2.
  if (compare(tSquared, multiply(rational(2n), lnUp(divide(one, p)))) >= 0) return -1
  for (let bits = 64; bits <= 8192; bits *= 2) {
    const tail = encloseNormalTail(tSquared, bits)
    if (compare(upperEnd(tail), p) <= 0) return -1
    if (compare(lowerEnd(tail), p) > 0) return 1
  }
  return 1
}

/**
 * Standard deviation and mean size of round(Z), to about 1e-4: sums for a narrow law, Euler-Maclaurin
 * otherwise.
 */
export function roundedMoments(
  variance: Rational,
  sigma: number,
): { standardDeviation: number; meanAbsolute: number } {
  if (sigma >= 1) {
    const root = Math.sqrt(2 * Math.PI)
    const meanAbsolute =
      (2 * sigma) / root - 1 / (12 * sigma * root) - 7 / (2880 * sigma * sigma * sigma * root)
    return { standardDeviation: Math.sqrt(sigma * sigma + 1 / 12), meanAbsolute }
  }
  let first = 0
  let second = 0
  for (let k = 1n; k < 12n; k += 1n) {
    // E|X| = sum of P(|X| >= k), E X^2 = sum of (2k - 1) P(|X| >= k).
    const tSquared = divide(square(rational(2n * k - 1n, 2n)), variance)
    if (compare(tSquared, rational(1500n)) > 0) break
    const tail = encloseNormalTail(tSquared, 96)
    const p = 2 * numberUp(upperEnd(tail))
    first += p
    second += p * Number(2n * k - 1n)
  }
  return { standardDeviation: Math.sqrt(second), meanAbsolute: first }
}
