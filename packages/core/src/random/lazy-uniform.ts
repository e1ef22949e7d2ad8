// A uniform real number in [0, 1) of which only the first bits have been looked at. All exactness in
// Dosimeter rests on this: a decision is made when the bits seen so far prove it, and otherwise more bits are
// read.

import { assert } from "../errors/assert.ts"
import type { Enclosure } from "../exact/enclosure.ts"
import type { RandomBits } from "./random-bits.ts"

/** The number lies in [value, value + 1) / 2^count; the bits after those are still fair and unread. */
export class LazyUniform {
  #value: bigint
  #count: number

  constructor(value: bigint, count: number) {
    assert(value >= 0n && value >> BigInt(count) === 0n, "a lazy uniform has no more bits than it says")
    this.#value = value
    this.#count = count
  }

  /** The bits read so far, as an integer. */
  get value(): bigint {
    return this.#value
  }

  /** How many bits have been read. */
  get count(): number {
    return this.#count
  }

  /** Reads 32 more bits. */
  extend(rng: RandomBits): void {
    this.#value = (this.#value << 32n) | BigInt(rng.word())
    this.#count += 32
  }

  /** Reads on until at least `count` bits are known. */
  extendTo(count: number, rng: RandomBits): void {
    while (this.#count < count) this.extend(rng)
  }
}

/** A lazy uniform of which 32 bits have been read. */
export function lazyUniform(rng: RandomBits): LazyUniform {
  return new LazyUniform(BigInt(rng.word()), 32)
}

/**
 * Decides whether the uniform number U lies below p, reading as many more bits as the decision needs.
 *
 * Guarantee: returns exactly [U < p] for almost every U, so true with probability exactly p given fair bits.
 * Needs: `enclose(bits)` encloses p with a width that falls to 0 as bits grow (the caller); it may itself
 *   read fresh bits to do so, if p is random and independent of U.
 * Proof: true is returned only if (value + 1) / 2^count <= p, so U < p; false only if value / 2^count >= p,
 *   so U >= p. If neither holds the loop reads on; that goes on forever only if U = p, which has probability
 *   0.
 * Numerics: integers only.
 * Source: lazy inversion; Devroye and Gravel 2015, "Sampling with arbitrary precision", section 1.
 */
export function uniformIsBelow(
  u: LazyUniform,
  enclose: (bits: number) => Enclosure,
  rng: RandomBits,
): boolean {
  for (;;) {
    const p = enclose(u.count + 16)
    const shift = BigInt(p.bits - u.count)
    if ((u.value + 1n) << shift <= p.lo) return true
    if (u.value << shift >= p.hi) return false
    u.extend(rng)
  }
}
