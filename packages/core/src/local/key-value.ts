// Keys with values, such as symptoms with a severity: one of a person's pairs is drawn, its value becomes a
// sign, and every key gets a report of its own: nothing, minus or plus.

import type { Numeric } from "../exact/decimal.ts"
import { add, divide, maximum, multiply, one, rational, subtract, type Rational } from "../exact/rational.ts"
import { choose, isEqual, whole, type Draws } from "./draws.ts"
import { checkAnswer, countOf, oddsOf, probabilityOf, thresholdDown, thresholdUp } from "./threshold.ts"

/**
 * `keys` keys, of which one of at most `pairs` is drawn. Its report is a sign with probability
 * present / 2^52, the right one with truth / 2^52; another key's is a sign with absent / 2^52, either alike.
 */
export interface KeyValueProtocol {
  readonly kind: "key-value"
  readonly keys: number
  readonly pairs: number
  readonly present: number
  readonly absent: number
  readonly truth: number
}

/** A key, counted from 0, and its value between -1 and 1. */
export interface KeyValuePair {
  readonly key: number
  readonly value: number
}

/** The most keys: a report has two bits for each. */
export const keysMax = 2 ** 14

/** A protocol for keys with values. Of people with more than `pairs` keys, every pair counts for less. */
export function keyValueProtocol(options: {
  readonly keys: Numeric
  readonly pairs: Numeric
  readonly epsilon: Numeric
}): KeyValueProtocol {
  const keys = countOf(options.keys, { name: "keys", least: 2, most: keysMax })
  const pairs = countOf(options.pairs, { name: "pairs", least: 1, most: keys })
  const odds = oddsOf(options.epsilon)
  return {
    kind: "key-value",
    keys,
    pairs,
    present: whole / 2,
    // With 2 / (E + 3) both bounds of keyValueRatio are E.
    absent: 2 * thresholdUp(divide(one, add(odds, rational(3n)))),
    truth: thresholdDown(divide(odds, add(odds, one))),
  }
}

/**
 * Randomizes a person's pairs: for every key 0 for nothing, 1 for plus, 2 for minus.
 *
 * Guarantee: between any two lists of pairs, the probabilities of a report differ by a factor of
 *   keyValueRatio at most.
 * Needs: different keys, values from -1 to 1 (checked here).
 * Proof: given which pair was drawn and its sign, keys are independent, and only the drawn one has another
 *   law. Two lists give mixtures of such laws, and the ratio of mixtures is at most the largest ratio of
 *   their parts, which keyValueRatio is.
 * Numerics: exact coins, two for every key whatever the pairs are. The value's sign is drawn with 52 bits.
 * Source: Gu, Li, Cheng, Xiong, Cao 2020 (PCKV-UE).
 */
export function releaseKeyValues(
  protocol: KeyValueProtocol,
  pairs: readonly KeyValuePair[],
  draws: Draws,
): Uint8Array {
  checkPairs(protocol, pairs)
  const slot = draws.below(Math.max(protocol.pairs, pairs.length))
  // No key at all: none of them is equal to this one.
  const drawn = pairs[slot] ?? { key: protocol.keys, value: 0 }
  const plus = draws.coin(Math.round(((1 + drawn.value) / 2) * whole))
  const report = new Uint8Array(protocol.keys)
  for (let key = 0; key < report.length; key += 1) {
    const isDrawn = isEqual(key, drawn.key)
    const speaks = draws.coin(choose(isDrawn, protocol.present, protocol.absent))
    const isTrue = draws.coin(choose(isDrawn, protocol.truth, whole / 2))
    report[key] = speaks * (1 + (isTrue ^ plus))
  }
  return report
}

function checkPairs(protocol: KeyValueProtocol, pairs: readonly KeyValuePair[]): void {
  const keys = new Set(pairs.map(({ key }) => key))
  const isKey = (key: number): boolean => Number.isInteger(key) && key >= 0 && key < protocol.keys
  const isPair = ({ key, value }: KeyValuePair): boolean => isKey(key) && value >= -1 && value <= 1
  const range = `different keys from 0 to ${protocol.keys - 1} with values from -1 to 1`
  checkAnswer(keys.size === pairs.length && pairs.every(isPair), range)
}

/**
 * The largest ratio of two probabilities of one report. With a = present, p = truth, b = absent: for one key
 * and two signs p / (1 - p); for two keys the product of what each can give.
 */
export function keyValueRatio(protocol: KeyValueProtocol): Rational {
  const [a, b, p] = [protocol.present, protocol.absent, protocol.truth].map(probabilityOf)
  if (a === undefined || b === undefined || p === undefined) return one
  const [right, wrong] = [multiply(a, p), multiply(a, subtract(one, p))]
  const either = divide(b, rational(2n))
  const silent = divide(subtract(one, a), subtract(one, b))
  const up = maximum(maximum(divide(right, either), divide(wrong, either)), silent)
  const down = maximum(maximum(divide(either, right), divide(either, wrong)), divide(one, silent))
  return maximum(maximum(divide(right, wrong), divide(wrong, right)), multiply(up, down))
}
