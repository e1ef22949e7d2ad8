// Randomness one bit at a time, as the textbook algorithms want it. The reference samplers are slow and
// plain; what matters is that every decision they make can be enumerated.

import type { RandomBits } from "../random/random-bits.ts"

/** A source of independent fair bits, one at a time. */
export interface BitSource {
  readonly bit: () => 0 | 1
}

/** Reads words bit by bit, from the most significant down. */
export function bitSourceOf(rng: RandomBits): BitSource {
  let word = 0
  let left = 0
  return {
    bit() {
      if (left === 0) {
        word = rng.word()
        left = 32
      }
      left -= 1
      return (word >>> left) % 2 === 1 ? 1 : 0
    },
  }
}
