// Subset selection: report a set of a fixed size that more likely holds the answer than not. With the best
// size no protocol for known values has a smaller error; size 1 is k-ary randomized response.

import type { Numeric } from "../exact/decimal.ts"
import { add, compare, divide, floor, multiply, one, rational, subtract } from "../exact/rational.ts"
import type { Rational } from "../exact/rational.ts"
import { choose, isBelow, isEqual, whole, type Draws } from "./draws.ts"
import type { Support } from "./kary.ts"
import { checkCategory, countOf, oddsOf, probabilityOf, thresholdDown } from "./threshold.ts"

/** A set of `size` of `values`; it holds the answer with probability hold / 2^52. */
export interface SubsetProtocol {
  readonly kind: "subset"
  readonly values: number
  readonly size: number
  readonly hold: number
}

/** The most values: a report has one bit for each. */
export const subsetValuesMax = 2 ** 14

/** Subset selection with the size of smallest error, which is one of the two next to k / (e^epsilon + 1). */
export function subsetProtocol(options: {
  readonly values: Numeric
  readonly epsilon: Numeric
}): SubsetProtocol {
  const values = countOf(options.values, { name: "values", least: 2, most: subsetValuesMax })
  const odds = oddsOf(options.epsilon)
  const near = Number(floor(divide(rational(BigInt(values)), add(odds, one))))
  const [first, second] = [near, near + 1]
    .map((size) => Math.min(values - 1, Math.max(1, size)))
    .map((size) => ofSize({ values, size, odds }))
  if (first === undefined || second === undefined) return ofSize({ values, size: 1, odds })
  return compare(spread(first), spread(second)) <= 0 ? first : second
}

function ofSize(options: {
  readonly values: number
  readonly size: number
  readonly odds: Rational
}): SubsetProtocol {
  const { values, size, odds } = options
  const inside = multiply(odds, rational(BigInt(size)))
  const hold = thresholdDown(divide(inside, add(inside, rational(BigInt(values - size)))))
  return { kind: "subset", values, size, hold }
}

/** Variance times people at frequency 0: q (1 - q) / (p - q)^2. */
function spread(protocol: SubsetProtocol): Rational {
  const { p, q } = subsetSupport(protocol)
  const gap = subtract(p, q)
  return divide(multiply(q, subtract(one, q)), multiply(gap, gap))
}

/**
 * Randomizes one answer: a set, as one bit for every value.
 *
 * Guarantee: between any two answers, the probabilities of a report differ by a factor of subsetRatio at
 *   most.
 * Needs: 0 <= answer < values (checked here).
 * Proof: given whether the set holds the answer, the rest of it is a uniform set of the size that is left
 *   among the other values: place j of the others is taken with probability (still wanted) / (still left),
 *   Knuth's algorithm S. So a set with the answer has probability hold / C(k-1, w-1), one without it
 *   (1 - hold) / C(k-1, w).
 * Numerics: exact draws. The draws do not depend on the answer, which only says where its own bit is put.
 * Source: Ye, Barg 2018; Wang et al. 2016.
 */
export function releaseSubset(protocol: SubsetProtocol, answer: number, draws: Draws): Uint8Array {
  const { values, size, hold } = protocol
  checkCategory(answer, values)
  const held = draws.coin(hold)
  const others = new Uint8Array(values - 1)
  let wanted = size - held
  for (let j = 0; j < others.length; j += 1) {
    const taken = isBelow(draws.below(others.length - j), wanted)
    others[j] = taken
    wanted -= taken
  }
  const bits = new Uint8Array(values)
  for (let v = 0; v < values; v += 1) {
    const other = choose(isBelow(v, answer), others[v] ?? 0, others[v - 1] ?? 0)
    bits[v] = choose(isEqual(v, answer), held, other)
  }
  return bits
}

/** The largest ratio of two probabilities of one report: hold (k - w) / ((1 - hold) w). */
export function subsetRatio({ values, size, hold }: SubsetProtocol): Rational {
  const odds = rational(BigInt(hold), BigInt(whole - hold))
  return multiply(odds, rational(BigInt(values - size), BigInt(size)))
}

/** A report stands for the values of its set. */
export function subsetSupport({ values, size, hold }: SubsetProtocol): Support {
  const p = probabilityOf(hold)
  return { p, q: divide(subtract(rational(BigInt(size)), p), rational(BigInt(values - 1))) }
}
