// Unary encoding: one bit for every value, each flipped by itself. The symmetric coin is basic RAPPOR (SUE);
// the optimised one (OUE) keeps the only 1 with probability 1/2 and spends the loss on the zeros.

import type { Numeric } from "../exact/decimal.ts"
import { sqrtDown } from "../exact/log.ts"
import { add, divide, multiply, one, subtract, type Rational } from "../exact/rational.ts"
import { choose, isEqual, whole, type Draws } from "./draws.ts"
import type { Support } from "./kary.ts"
import { checkCategory, countOf, oddsOf, probabilityOf, thresholdDown, thresholdUp } from "./threshold.ts"

/** The answer's bit is reported as 1 with probability one / 2^52, every other with zero / 2^52. */
export interface UnaryProtocol {
  readonly kind: "unary"
  readonly values: number
  readonly one: number
  readonly zero: number
}

/** The most values: a report has one bit for each. */
export const unaryValuesMax = 2 ** 16

/** Optimised unary encoding (OUE). */
export function unaryProtocol(options: {
  readonly values: Numeric
  readonly epsilon: Numeric
}): UnaryProtocol {
  const values = countOf(options.values, { name: "values", least: 2, most: unaryValuesMax })
  const odds = oddsOf(options.epsilon)
  return { kind: "unary", values, one: whole / 2, zero: thresholdUp(divide(one, add(odds, one))) }
}

/** Symmetric unary encoding (SUE, basic RAPPOR). */
export function symmetricUnaryProtocol(options: {
  readonly values: Numeric
  readonly epsilon: Numeric
}): UnaryProtocol {
  const values = countOf(options.values, { name: "values", least: 2, most: unaryValuesMax })
  const half = sqrtDown(oddsOf(options.epsilon), 128)
  const kept = thresholdDown(divide(half, add(half, one)))
  return { kind: "unary", values, one: kept, zero: whole - kept }
}

/**
 * Randomizes one answer: a bit for every value.
 *
 * Guarantee: between any two answers, the probabilities of a report differ by a factor of unaryRatio at most.
 * Needs: 0 <= answer < values (checked here).
 * Proof: bits are independent, and two answers differ in the laws of two bits, those of the answers.
 * Numerics: exact coins, one for every value in the same order whatever the answer is.
 * Source: Erlingsson, Pihur, Korolova 2014; Wang, Blocki, Li, Jha 2017.
 */
export function releaseUnary(protocol: UnaryProtocol, answer: number, draws: Draws): Uint8Array {
  checkCategory(answer, protocol.values)
  const bits = new Uint8Array(protocol.values)
  for (let v = 0; v < bits.length; v += 1) bits[v] = isEqual(v, answer)
  return flipBits(protocol, bits, draws)
}

/** Each bit through the same two coins. */
export function flipBits(protocol: UnaryProtocol, bits: Uint8Array, draws: Draws): Uint8Array {
  const flipped = new Uint8Array(bits.length)
  for (let v = 0; v < bits.length; v += 1) {
    flipped[v] = draws.coin(choose(bits[v] ?? 0, protocol.one, protocol.zero))
  }
  return flipped
}

/** The largest ratio of two probabilities of one report. */
export function unaryRatio(protocol: UnaryProtocol): Rational {
  return ratioOfBits(unarySupport(protocol))
}

/** The ratio for two bits whose laws differ: each is 1 with probability p or q, and p > q. */
export function ratioOfBits({ p, q }: Support): Rational {
  return multiply(divide(p, q), divide(subtract(one, q), subtract(one, p)))
}

/** A report stands for the values whose bits are 1. */
export function unarySupport(protocol: UnaryProtocol): Support {
  return { p: probabilityOf(protocol.one), q: probabilityOf(protocol.zero) }
}
