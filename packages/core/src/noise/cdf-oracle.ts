// A law on the integers as a LazyTable needs it: its outcomes in rank order and their cumulative
// probabilities, enclosed to any number of bits.

import { divideUp } from "../exact/enclosure.ts"

/** lo[k] <= 2^bits P(rank <= k) <= hi[k], for every rank up to a tail of at most about 2^-bits. */
export interface Cumulative {
  readonly lo: readonly bigint[]
  readonly hi: readonly bigint[]
}

/** A law on the integers whose cumulative probabilities can be enclosed. */
export interface CdfOracle {
  /** The outcome of a rank. Ranks run from the likeliest outcome down: fewest table cells are split so. */
  outcome(rank: number): number
  /** The cumulative probabilities by rank, to `bits` bits. */
  cumulative(bits: number): Cumulative
}

/** Weights between two integers each, and what the weights after the last may add up to. */
export interface EnclosedWeights {
  readonly lo: readonly bigint[]
  readonly hi: readonly bigint[]
  readonly tailHi: bigint
}

/**
 * Cumulative probabilities from weights that need not add up to 1. With A_k the sum up to k and R_k the rest,
 * P(rank <= k) = A_k / (A_k + R_k), which grows with A_k and falls with R_k.
 */
export function cumulativeOfWeights(weights: EnclosedWeights, bits: number): Cumulative {
  const count = weights.lo.length
  const restLo = new Array<bigint>(count).fill(0n)
  const restHi = new Array<bigint>(count).fill(weights.tailHi)
  for (let k = count - 2; k >= 0; k -= 1) {
    restLo[k] = (restLo[k + 1] ?? 0n) + (weights.lo[k + 1] ?? 0n)
    restHi[k] = (restHi[k + 1] ?? 0n) + (weights.hi[k + 1] ?? 0n)
  }
  const shift = BigInt(bits)
  const lo: bigint[] = []
  const hi: bigint[] = []
  let sumLo = 0n
  let sumHi = 0n
  for (let k = 0; k < count; k += 1) {
    sumLo += weights.lo[k] ?? 0n
    sumHi += weights.hi[k] ?? 0n
    lo.push((sumLo << shift) / (sumLo + (restHi[k] ?? 0n)))
    hi.push(divideUp(sumHi << shift, sumHi + (restLo[k] ?? 0n)))
  }
  return { lo, hi }
}
