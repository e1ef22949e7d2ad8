// Where all randomness comes from. It is handed in, always as the last parameter, so that tests can replay it
// and nobody can reach for a global by accident.

/**
 * A source of independent fair bits.
 *
 * Samplers may drop words they have not looked at, but once a decision has looked at bits it must go on from
 * those bits (random/lazy-uniform.ts; a bit seen is never redrawn).
 */
export interface RandomBits {
  /** 32 fresh bits as an integer in [0, 2^32). */
  word(): number
  /** Overwrites every element with 32 fresh bits. */
  fill(words: Uint32Array): void
}
