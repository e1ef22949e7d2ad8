// Draws in chunks: fill a buffer of words, run the kernel over it, then finish what it left. The buffer is
// wiped afterwards. Completing draws after the kernel hides which of them took longer.

import type { RandomBits } from "../random/random-bits.ts"
import { doubles, integers, pending, wipeScratch, words, wordsMax } from "./scratch.ts"
import { storeDraw, type NoiseArray, type Spill } from "./noise-array.ts"

/** A sampler that turns two or three words into a draw, or says that it needs more. */
export interface WordSampler {
  readonly words: 2 | 3
  runTwo(words: Uint32Array, out: Int32Array, count: number, pending: Uint32Array): number
  runThree(words: Uint32Array, out: Float64Array, count: number, pending: Uint32Array): number
  complete(words: Uint32Array, at: number, rng: RandomBits): number | bigint
}

/**
 * Fills `out` with independent draws.
 *
 * Guarantee: entry i has the sampler's law, independently of the others; what does not fit is in the list
 *   returned.
 * Needs: the sampler's `complete` finishes from the words that its kernel saw (LazyExponential, LazyNormal).
 * Proof: each draw has words of its own, and fresh ones where those do not decide. The words of a chunk stay
 *   as they are until its last draw is finished: `complete` reads more from the source, not from this buffer.
 * Numerics: integers below 2^53, or spilled.
 * Source: ours.
 */
export function fillBatch(out: NoiseArray, sampler: WordSampler, rng: RandomBits): Spill[] {
  const spills: Spill[] = []
  const perDraw = sampler.words
  const chunkMax = Math.floor(wordsMax / perDraw)
  try {
    for (let start = 0; start < out.length; start += chunkMax) {
      const count = Math.min(chunkMax, out.length - start)
      rng.fill(words.subarray(0, count * perDraw))
      const waiting = runKernel(sampler, count)
      out.set(perDraw === 2 ? integers.subarray(0, count) : doubles.subarray(0, count), start)
      for (let i = 0; i < waiting; i += 1) {
        const index = pending[i] ?? 0
        const spill = storeDraw(out, start + index, sampler.complete(words, index * perDraw, rng))
        if (spill !== undefined) spills.push(spill)
      }
    }
  } finally {
    // Also where the random source fails on the way.
    wipeScratch(out.length, out.length * perDraw)
  }
  return spills
}

const single = new Uint32Array(3)

/** Draws one value. */
export function drawOne(sampler: WordSampler, rng: RandomBits): bigint {
  single[0] = rng.word()
  single[1] = rng.word()
  if (sampler.words === 3) single[2] = rng.word()
  const isShort = sampler.words === 2
  const waiting = isShort
    ? sampler.runTwo(single, integers, 1, pending)
    : sampler.runThree(single, doubles, 1, pending)
  const draw = waiting > 0 ? sampler.complete(single, 0, rng) : ((isShort ? integers[0] : doubles[0]) ?? 0)
  single.fill(0)
  integers[0] = 0
  doubles[0] = 0
  return BigInt(draw)
}

function runKernel(sampler: WordSampler, count: number): number {
  return sampler.words === 2
    ? sampler.runTwo(words, integers, count, pending)
    : sampler.runThree(words, doubles, count, pending)
}
