// Runs a sampler of words on chosen words and asks a slow, exact one for the same: the same draw, from as
// many further words. Where the quick kernel is sure, whatever comes next must not matter.

import type { RandomBits } from "../random/random-bits.ts"
import { seededBits } from "./seeded-bits.ts"

/** Bits that begin with chosen words, go on with those of a seed, and are counted. */
export interface CountedBits extends RandomBits {
  readonly used: number
}

/** Makes bits that begin with `first`. */
export function bitsAfter(first: readonly number[], seed: string): CountedBits {
  let rest: RandomBits | undefined
  let used = 0
  function word(): number {
    rest ??= used < first.length ? undefined : seededBits(seed)
    const value = first[used] ?? rest?.word() ?? 0
    used += 1
    return value
  }
  return {
    get used() {
      return used
    },
    word,
    fill(words) {
      for (let i = 0; i < words.length; i += 1) words[i] = word()
    },
  }
}

/** The part of LazyExponential and LazyNormal that is tested here. */
export interface CoupledSampler {
  readonly words: 2 | 3
  runTwo(words: Uint32Array, out: Int32Array, count: number, pending: Uint32Array): number
  runThree(words: Uint32Array, out: Float64Array, count: number, pending: Uint32Array): number
  complete(words: Uint32Array, at: number, rng: RandomBits): number | bigint
}

/** One draw: its words, and what comes after them. */
export interface CoupledDraw {
  readonly words: readonly number[]
  readonly after: readonly number[]
}

/** What the two made of one draw. */
export interface Coupled {
  readonly isPending: boolean
  readonly draw: bigint
}

/** The same word for ever, or for as long as anything sure can need. */
function stuck(value: number): RandomBits {
  let left = 500
  function word(): number {
    left -= 1
    if (left < 0) throw new Error("the kernel is sure, and exact arithmetic reads on and on")
    return value
  }
  return { word, fill: (words) => words.forEach((_, i) => (words[i] = word())) }
}

/** Throws unless both samplers agree on this draw. */
export function couple(
  sampler: CoupledSampler,
  slow: (words: readonly number[], bits: RandomBits) => bigint,
  { words, after }: CoupledDraw,
): Coupled {
  const given = Uint32Array.from(words)
  const pending = new Uint32Array(2)
  const out = sampler.words === 2 ? new Int32Array(1) : new Float64Array(1)
  const waiting =
    out instanceof Int32Array
      ? sampler.runTwo(given, out, 1, pending)
      : sampler.runThree(given, out, 1, pending)
  const fault = (what: string) => new Error(`words ${words.join(" ")}, then ${after.join(" ")}: ${what}`)
  if (waiting === 0) {
    const draw = BigInt(out[0] ?? 0)
    if (Object.is(out[0], -0)) throw fault("-0")
    for (const ending of [0, 0xffffffff]) {
      const exact = slow(words, stuck(ending))
      if (exact !== draw) throw fault(`the kernel says ${draw}, and it is ${exact}`)
    }
    return { isPending: false, draw }
  }
  const seed = `${words[0]}`
  const [ours, theirs] = [bitsAfter(after, seed), bitsAfter(after, seed)]
  const exact = slow(words, theirs)
  const got = sampler.complete(given, 0, ours)
  if (Object.is(got, -0)) throw fault("-0")
  const draw = BigInt(got)
  if (draw !== exact) throw fault(`completed to ${draw}, and it is ${exact}`)
  if (ours.used !== theirs.used) {
    throw fault(`${ours.used} words were used, and ${theirs.used} are needed`)
  }
  return { isPending: true, draw }
}
