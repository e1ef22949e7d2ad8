// Replayable random bits for tests: the ChaCha20 key stream of a key made from the seed. A cryptographic
// stream, so that a failing statistical test is never the generator's fault. Seeds are fresh by default: a
// fixed seed that passed once tests nothing again.

import type { RandomBits } from "../random/random-bits.ts"
import { chacha20Block } from "./chacha20.ts"

// The two globals used here, declared by hand so that no DOM or Node types are let in.
declare const crypto: { getRandomValues(array: Uint32Array): Uint32Array }
declare const process: { readonly env?: { readonly SEED?: string } } | undefined

/** Random bits that can be had again from their seed. */
export interface SeededBits extends RandomBits {
  readonly seed: string
}

/** Makes the bits of a seed. The same seed gives the same bits on every platform; `5n` and `"5"` are one
 * seed. */
export function seededBits(seed: bigint | string): SeededBits {
  const text = String(seed)
  const key = keyOf(text)
  let block = new Uint32Array(0)
  let next = 0
  let counter = 0
  function word(): number {
    if (next === block.length) {
      block = chacha20Block({ key, counter, nonce: [0, 0, 0] }).slice()
      counter += 1
      next = 0
    }
    const value = block[next] ?? 0
    next += 1
    return value
  }
  return {
    seed: text,
    word,
    fill(words) {
      for (let index = 0; index < words.length; index += 1) words[index] = word()
    },
  }
}

/** Makes a seed from the system's random source, or returns the environment's `SEED` so that a failure is
 * replayed. */
export function freshSeed(): string {
  const replayed = typeof process === "undefined" ? undefined : process.env?.SEED
  if (replayed !== undefined && replayed !== "") return replayed
  return [...crypto.getRandomValues(new Uint32Array(4))]
    .map((word) => word.toString(16).padStart(8, "0"))
    .join("")
}

/** Absorbs the text eight characters at a time. Nonce 1 keeps these blocks apart from those handed out. */
function keyOf(text: string): Uint32Array {
  let key = new Uint32Array(8)
  for (let start = 0; start === 0 || start < text.length; start += 8) {
    const mixed = key.map((word, index) => word ^ charOf(text, start + index))
    key = chacha20Block({ key: mixed, counter: start / 8, nonce: [1, text.length, 0] }).slice(0, 8)
  }
  return key
}

function charOf(text: string, index: number): number {
  return index < text.length ? text.charCodeAt(index) : 0
}
