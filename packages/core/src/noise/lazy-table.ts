// Exact sampling at the speed of a table look-up. Sixteen bits of a uniform U decide almost every draw; where
// they do not, 32 more do, and where those do not, U is read on and compared with ever finer enclosures.

import { assert } from "../errors/assert.ts"
import { LazyUniform } from "../random/lazy-uniform.ts"
import type { RandomBits } from "../random/random-bits.ts"
import type { CdfOracle } from "./cdf-oracle.ts"

/** Cells below this hold no outcome: two or more outcomes share the cell. */
export const ambiguous = -16384
const cellCount = 65536
const levelBits = 48
/** Bits of the enclosures that the thresholds are read from, at first. */
const firstPrecision = 96

/**
 * A table for one law on the integers.
 *
 * Guarantee: `outcome` returns T(U) for almost every uniform U, where T maps [C_(k-1), C_k) to the outcome of
 *   rank k and C_k = P(rank <= k); so its law is exactly the oracle's.
 * Needs: the oracle encloses the C_k (cdf-oracles.ts), exactly where a C_k is a multiple of 2^-48 (checked
 *   while building: otherwise no precision settles its floor).
 * Proof: thr[k] = floor(2^48 C_k). A cell without a threshold lies inside one [C_(k-1), C_k). In a split
 *   cell, with u the first 48 bits: u < thr[a] gives U < C_a, and u > thr[a-1] gives U > C_(a-1); together
 *   rank a. If u = thr[a-1], or u is beyond the last threshold, the bits go on as a LazyUniform, compared
 *   with enclosures: an answer needs hi[a-1] <= u and u + 1 <= lo[a], which prove the same. No bit that was
 *   seen is redrawn.
 * Numerics: thresholds are integers below 2^48, exact in doubles.
 * Source: Devroye and Gravel 2015; cut-point method of Chen and Asau 1974 for the cells.
 */
export class LazyTable {
  /** By the first 16 bits: an outcome, or a value below `ambiguous`. */
  readonly cells = new Int16Array(cellCount)
  readonly #oracle: CdfOracle
  readonly #thresholds: Float64Array
  /** For split cell number i: the least and greatest rank that can occur in it. */
  readonly #rankFrom: number[] = []
  readonly #rankTo: number[] = []

  constructor(oracle: CdfOracle) {
    this.#oracle = oracle
    this.#thresholds = certifiedThresholds(oracle)
    this.#layCells()
  }

  /** The outcome for a cell index, reading more bits if the cell is split. */
  outcome(cell: number, rng: RandomBits): number {
    const known = this.cells[cell] ?? 0
    if (known >= ambiguous) return known
    const split = known + 32768
    const u = cell * 2 ** 32 + rng.word()
    const rank = this.#rankOf(u, split)
    const exact = rank < this.#thresholds.length && (rank === 0 || this.#thresholds[rank - 1] !== u)
    return exact ? this.#oracle.outcome(rank) : this.#deep(new LazyUniform(BigInt(u), levelBits), rng)
  }

  /** Draws one outcome. */
  sample(rng: RandomBits): number {
    return this.outcome(rng.word() >>> 16, rng)
  }

  /** How likely a draw is to need more than 16 bits. */
  get splitShare(): number {
    return this.#rankFrom.length / cellCount
  }

  /** The thresholds floor(2^48 C_k), for tests that count the whole bit tree. */
  get thresholds(): readonly number[] {
    return Array.from(this.#thresholds)
  }

  /** The outcome of a rank, for tests. */
  outcomeOfRank(rank: number): number {
    return this.#oracle.outcome(rank)
  }

  /** The least rank in the split cell with u < threshold; one past the last if there is none. */
  #rankOf(u: number, split: number): number {
    let from = this.#rankFrom[split] ?? 0
    let to = this.#rankTo[split] ?? 0
    while (from < to) {
      const middle = (from + to) >>> 1
      if (u < (this.#thresholds[middle] ?? Infinity)) to = middle
      else from = middle + 1
    }
    return from
  }

  #deep(u: LazyUniform, rng: RandomBits): number {
    for (;;) {
      u.extend(rng)
      const { lo, hi } = this.#oracle.cumulative(u.count + 32)
      const start = u.value << 32n
      const rank = hi.findIndex((bound) => bound > start)
      const bound = lo[rank]
      if (bound !== undefined && start + (1n << 32n) <= bound) return this.#oracle.outcome(rank)
    }
  }

  #layCells(): void {
    const ranks = this.#thresholds.length
    let rank = 0
    for (let cell = 0; cell < cellCount; cell += 1) {
      const first = rank
      while (rank < ranks && Math.floor((this.#thresholds[rank] ?? 0) / 2 ** 32) === cell) rank += 1
      if (rank === first && rank < ranks) {
        const outcome = this.#oracle.outcome(rank)
        assert(outcome >= ambiguous && outcome <= 32767, "a table's outcomes fit into its cells")
        this.cells[cell] = outcome
      } else {
        // One cell past the last threshold may be reached too: it has no outcome of its own, only deeper
        // ones.
        this.cells[cell] = -32768 + this.#rankFrom.length
        this.#rankFrom.push(first)
        this.#rankTo.push(rank)
      }
    }
    assert(this.#rankFrom.length <= 16384, "a table has at most 16384 split cells")
  }
}

/** floor(2^48 C_k) for every rank, from enclosures fine enough to leave no doubt. */
function certifiedThresholds(oracle: CdfOracle): Float64Array {
  for (let bits = firstPrecision; bits <= 4096; bits *= 2) {
    const { lo, hi } = oracle.cumulative(bits)
    const shift = BigInt(bits - levelBits)
    const top = 1n << BigInt(levelBits)
    const thresholds: number[] = []
    let certain = true
    for (let k = 0; certain && k < lo.length; k += 1) {
      const floorLo = (lo[k] ?? 0n) >> shift
      const floorHi = (hi[k] ?? 0n) >> shift
      if (floorLo >= top - 1n) {
        // Within 2^-48 of 1, or 1 itself. Either way u below this threshold is below C_k; what is not, and
        // every later rank, is left to the deeper levels. Without it a law with one likely outcome, such as a
        // Laplace of scale 1/50, has no cell at all.
        thresholds.push(Number(floorLo < top ? top - 1n : top))
        break
      }
      certain = floorLo === floorHi
      thresholds.push(Number(floorLo))
    }
    if (certain) return Float64Array.from(thresholds)
  }
  assert(false, "the cumulative probabilities of a tabled law have floors that some precision settles")
}
