// Uniform integers and permutations, by rejection. Never by remainder: that is biased.

import { assert } from "../errors/assert.ts"
import { bitLength } from "../exact/rational.ts"
import type { RandomBits } from "./random-bits.ts"

/** Up to here a 32-bit word times n is exact in a double. */
const lemireMax = 2 ** 21

/**
 * A uniform integer in [0, n).
 *
 * Guarantee: each of the n values has probability exactly 1/n.
 * Needs: n is an integer with 1 <= n <= 2^53 (checked here).
 * Proof: n <= 2^21: the high part of w n for a uniform word w takes each value j for the words with
 *   j 2^32 <= w n < (j + 1) 2^32; of those, dropping the words with low part below 2^32 mod n leaves
 *   floor(2^32 / n) for every j (Lemire). Larger n: uniform on [0, 2^k) with 2^k >= n, given that it is below
 *   n.
 * Numerics: w n < 2^53, so products, floors and remainders of doubles are exact.
 * Source: Lemire 2019, "Fast random integer generation in an interval", theorem 3.
 */
export function uniformBelow(n: number, rng: RandomBits): number {
  assert(Number.isInteger(n) && n >= 1 && n <= 2 ** 53, "n is an integer from 1 to 2^53")
  return n <= lemireMax ? lemire(n, rng) : masked(n, rng)
}

/**
 * A uniform integer in [0, n) for n of any size.
 *
 * Guarantee: each of the n values has probability exactly 1/n.
 * Needs: n >= 1 (checked here).
 * Proof: uniform on [0, 2^k) with 2^(k-1) <= n - 1 < 2^k, redrawn until below n.
 * Numerics: big integers only.
 * Source: rejection; Knuth, TAOCP 2, section 3.4.1.
 */
export function uniformBelowBig(n: bigint, rng: RandomBits): bigint {
  assert(n >= 1n, "n is at least 1")
  const bits = bitLength(n - 1n)
  const words = Math.ceil(bits / 32)
  const excess = BigInt(words * 32 - bits)
  for (;;) {
    let value = 0n
    for (let i = 0; i < words; i += 1) value = (value << 32n) | BigInt(rng.word())
    value >>= excess
    if (value < n) return value
  }
}

/**
 * The numbers 0 .. n-1 in a uniformly random order.
 *
 * Guarantee: each of the n! orders has probability exactly 1/n!.
 * Needs: n is an integer from 0 to 2^32 - 1 (checked by Uint32Array). The addresses touched depend on the
 *   draw: not for use where memory access is observed.
 * Proof: step i fixes the number at place i uniformly among those left, independently of the steps before.
 * Numerics: exact, as uniformBelow.
 * Source: Fisher and Yates 1938; Durstenfeld 1964, algorithm 235.
 */
export function shuffledIndices(n: number, rng: RandomBits): Uint32Array {
  const order = new Uint32Array(n).map((_, i) => i)
  for (let i = n - 1; i > 0; i -= 1) {
    const j = uniformBelow(i + 1, rng)
    const moved = order[i] ?? 0
    order[i] = order[j] ?? 0
    order[j] = moved
  }
  return order
}

/**
 * The items in a uniformly random order.
 *
 * Guarantee: each of the n! orders has probability exactly 1/n!.
 * Needs: as shuffledIndices.
 * Proof: the items taken in the order of shuffledIndices.
 * Numerics: exact.
 * Source: as shuffledIndices.
 */
export function shuffled<T>(items: readonly T[], rng: RandomBits): T[] {
  return Array.from(shuffledIndices(items.length, rng)).flatMap((i) => items.slice(i, i + 1))
}

function lemire(n: number, rng: RandomBits): number {
  for (;;) {
    const product = rng.word() * n
    const high = Math.floor(product / 2 ** 32)
    const low = product - high * 2 ** 32
    if (low >= n || low >= 2 ** 32 % n) return high
  }
}

function masked(n: number, rng: RandomBits): number {
  const top = Math.floor((n - 1) / 2 ** 32)
  const bits = top > 0 ? 64 - Math.clz32(top) : 32 - Math.clz32(n - 1)
  const highBits = bits - 32
  for (;;) {
    const high = highBits > 0 ? rng.word() >>> (32 - highBits) : 0
    const low = highBits >= 0 ? rng.word() : rng.word() >>> -highBits
    const value = high * 2 ** 32 + low
    if (value < n) return value
  }
}
