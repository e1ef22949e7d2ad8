// The platform's cryptographic random source: one pool for single words, none for batches.

import { fail } from "../errors/errors.ts"
import type { RandomBits } from "./random-bits.ts"

// The one global that core needs, declared by hand so that no DOM or Node types are let in.
declare const crypto: { getRandomValues(array: Uint32Array): Uint32Array } | undefined

/**
 * Words in the pool: 4 KiB. A call costs about 2 microseconds whatever it fills, and what lies here unused is
 * future noise, so the pool is no larger than it needs to be to hide that cost. */
const poolWords = 1024
/** The largest request that Web Crypto serves: 64 KiB. */
const requestWordsMax = 16384

/**
 * Makes the system's source of random bits (`crypto.getRandomValues`, in Node and browsers alike).
 *
 * Words are wiped from the pool as they are handed out. The pool is filled on first use, so a process
 * snapshot taken after loading this module holds no randomness; never snapshot a process that has drawn
 * noise.
 */
export function systemBits(): RandomBits {
  if (typeof crypto === "undefined") fail("random/unavailable", {})
  const source = crypto
  const pool = new Uint32Array(poolWords)
  let next = poolWords
  return {
    word() {
      if (next === poolWords) {
        source.getRandomValues(pool)
        next = 0
      }
      const word = pool[next] ?? 0
      pool[next] = 0
      next += 1
      return word
    },
    fill(words) {
      for (let start = 0; start < words.length; start += requestWordsMax) {
        source.getRandomValues(words.subarray(start, start + requestWordsMax))
      }
    },
  }
}
