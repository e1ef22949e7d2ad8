// Reads the law of a softmax draw off the sampler itself. It inverts one uniform number of 53 bits, two words
// a draw, so the outcome grows with the number; where it jumps is found by bisection, exactly to 2^-50.

import type { RandomBits } from "../random/random-bits.ts"

const unit = 2 ** 53

/** Further bits, of no number that ends: a draw on a border between two outcomes must be able to leave it. */
const further = 0x5a5a5a5a

/** Bits under which each draw in turn sees the given uniform number, an integer below 2^53. */
export function bitsOfUniforms(uniforms: readonly number[]): RandomBits {
  const words = uniforms.flatMap((u) => [Math.floor(u / 2 ** 26) * 32, (u % 2 ** 26) * 64])
  let next = 0
  const word = (): number => {
    next += 1
    return words[next - 1] ?? further
  }
  return {
    word,
    fill(into) {
      for (let i = 0; i < into.length; i += 1) into[i] = word()
    },
  }
}

/** One outcome of a law: its probability, and a uniform number that gives it. */
export interface LawEntry {
  readonly probability: number
  readonly uniform: number
}

/** The law of an outcome 0, 1, ... that grows with the uniform number: one entry for each outcome. */
export function inversionLaw(outcomes: number, draw: (uniform: number) => number): readonly LawEntry[] {
  const starts = Array.from({ length: outcomes + 1 }, (_, outcome) => {
    if (outcome === 0) return 0
    if (outcome === outcomes) return unit
    let below = -1
    let from = unit
    while (from - below > 1) {
      const middle = Math.floor((below + from) / 2)
      if (draw(middle) >= outcome) from = middle
      else below = middle
    }
    return from
  })
  return Array.from({ length: outcomes }, (_, outcome) => {
    const [start, end] = [starts[outcome] ?? 0, starts[outcome + 1] ?? unit]
    return { probability: (end - start) / unit, uniform: Math.floor((start + end) / 2) }
  })
}
