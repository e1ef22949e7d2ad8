// The two draws that every encoder is made of: a coin with a bias in 52 bits, and a uniform integer. Encoders
// see this interface only, so a test can walk through all draws and add up the law of a report exactly.

import type { RandomBits } from "../random/random-bits.ts"
import { uniformBelow } from "../random/uniform.ts"

/** Probabilities of coins are integers over this: 2^52, which a double and a JSON number hold exactly. */
export const whole = 2 ** 52

/** Where an encoder's randomness comes from. */
export interface Draws {
  /** 1 with probability threshold / 2^52, otherwise 0. */
  readonly coin: (threshold: number) => number
  /** A uniform integer in [0, n). */
  readonly below: (n: number) => number
}

/**
 * Draws from random bits.
 *
 * Guarantee: a coin is 1 with probability exactly threshold / 2^52; `below` is exactly uniform.
 * Needs: an integer threshold from 0 to 2^52 (protocols are checked when they are made or read).
 * Proof: 52 fresh bits are uniform on 0 .. 2^52 - 1, and `threshold` of those values lie below it.
 * Numerics: integers below 2^53 in doubles; no rounding.
 * Source: inversion of a uniform integer.
 */
export function uniformDraws(rng: RandomBits): Draws {
  return {
    coin: (threshold) => isBelow((rng.word() >>> 12) * 2 ** 32 + rng.word(), threshold),
    below: (n) => uniformBelow(n, rng),
  }
}

/** 1 if a < b, else 0, for integers from 0 to 2^52; without a branch that depends on them. */
export function isBelow(a: number, b: number): number {
  return Math.floor((b - a - 1) / 2 ** 53) + 1
}

/** 1 if a = b, else 0, for integers from 0 to 2^52; without a branch that depends on them. */
export function isEqual(a: number, b: number): number {
  return 1 - isBelow(a, b) - isBelow(b, a)
}

/** `first` where bit is 1, `second` where it is 0; for integers. */
export function choose(bit: number, first: number, second: number): number {
  return second + bit * (first - second)
}
