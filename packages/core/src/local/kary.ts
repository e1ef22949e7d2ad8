// k-ary randomized response: keep the answer with a known probability, otherwise report any value alike. With
// two values it is the coin of the classic survey.

import type { Numeric } from "../exact/decimal.ts"
import { add, divide, multiply, one, rational, subtract, type Rational } from "../exact/rational.ts"
import { choose, whole, type Draws } from "./draws.ts"
import { checkCategory, countOf, oddsOf, probabilityOf, thresholdDown } from "./threshold.ts"

/** One of `values` answers, kept with probability keep / 2^52, otherwise redrawn among all of them. */
export interface KaryProtocol {
  readonly kind: "kary"
  readonly values: number
  readonly keep: number
}

/**
 * How likely a value v is in the set that a report stands for: `p` if v is the answer, `q` if it is
 * another.
 */
export interface Support {
  readonly p: Rational
  readonly q: Rational
}

/** The most values a protocol may have. */
export const valuesMax = 2 ** 24

/** k-ary randomized response with a given epsilon, for 2 or more values. */
export function karyProtocol(options: { readonly values: Numeric; readonly epsilon: Numeric }): KaryProtocol {
  const values = countOf(options.values, { name: "values", least: 2, most: valuesMax })
  return karyOfOdds(values, oddsOf(options.epsilon))
}

/** The same, from e^epsilon. */
export function karyOfOdds(values: number, odds: Rational): KaryProtocol {
  const all = rational(BigInt(values))
  const keep = thresholdDown(divide(subtract(odds, one), add(subtract(odds, one), all)))
  return { kind: "kary", values, keep }
}

/** Randomized response to a yes-or-no question: 0 is no, 1 is yes. */
export function binaryProtocol(options: { readonly epsilon: Numeric }): KaryProtocol {
  return karyProtocol({ values: 2, epsilon: options.epsilon })
}

/**
 * Randomizes one answer, a category from 0.
 *
 * Guarantee: between any two answers, the probabilities of a report differ by a factor of karyRatio at most.
 * Needs: 0 <= answer < values (checked here).
 * Proof: P(report = answer) = keep + (1 - keep) / k, P(report = other) = (1 - keep) / k for each other.
 * Numerics: exact draws. Both are made whatever comes, and the choice is arithmetic, not a branch.
 * Source: Warner 1965; Kairouz, Bonawitz, Ramage 2016, for k values.
 */
export function releaseKary(protocol: KaryProtocol, answer: number, draws: Draws): number {
  checkCategory(answer, protocol.values)
  const kept = draws.coin(protocol.keep)
  return choose(kept, answer, draws.below(protocol.values))
}

/** The largest ratio of two probabilities of one report: 1 + k keep / (1 - keep). */
export function karyRatio({ values, keep }: KaryProtocol): Rational {
  const odds = rational(BigInt(keep), BigInt(whole - keep))
  return add(one, multiply(rational(BigInt(values)), odds))
}

/** A report stands for itself alone. */
export function karySupport({ values, keep }: KaryProtocol): Support {
  const kept = probabilityOf(keep)
  const q = divide(subtract(one, kept), rational(BigInt(values)))
  return { p: add(kept, q), q }
}
