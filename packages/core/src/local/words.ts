// Frequent words that nobody listed beforehand: each person reports a prefix, of a length drawn by chance.
// The collector keeps the likely prefixes of one length and looks at how they go on in the next.

import type { Numeric } from "../exact/decimal.ts"
import { hashingProtocol, type HashingProtocol } from "./hashing.ts"
import type { OneOf } from "./one-of.ts"
import { utf8 } from "./sha256.ts"
import { checkAnswer, countOf } from "./threshold.ts"

/** Words of so many bytes; stage i reports the first `lengths[i]` bits. */
export interface WordProtocol {
  readonly bytes: number
  readonly lengths: readonly number[]
  readonly protocol: OneOf<HashingProtocol>
}

/** The first stage looks at all words of this many bits. */
const firstBits = 8

/** A protocol for words of up to so many bytes; longer ones are cut. Each stage adds `step` bits. */
export function wordProtocol(options: {
  readonly bytes: Numeric
  readonly epsilon: Numeric
  readonly step?: number
}): WordProtocol {
  const bytes = countOf(options.bytes, { name: "bytes", least: 1, most: 64 })
  const step = countOf(options.step ?? 8, { name: "step", least: 1, most: 16 })
  const lengths = [firstBits]
  for (let bits = firstBits; bits < bytes * 8;) {
    bits = Math.min(bits + step, bytes * 8)
    lengths.push(bits)
  }
  const parts = lengths.map((bits) => hashingProtocol({ bits, epsilon: options.epsilon }))
  return { bytes, lengths, protocol: { kind: "one-of", parts } }
}

/** What to encode for a word. */
export function wordAnswer(
  { bytes, lengths }: WordProtocol,
  word: string,
): { readonly answers: readonly Uint8Array[] } {
  const padded = wordBytes(word, bytes)
  return { answers: lengths.map(() => padded) }
}

/** A word as UTF-8, cut or filled with zeros to a length. */
export function wordBytes(word: string, bytes: number): Uint8Array {
  checkAnswer(typeof word === "string", "texts")
  const padded = new Uint8Array(bytes)
  padded.set(utf8(word).slice(0, bytes))
  return padded
}
