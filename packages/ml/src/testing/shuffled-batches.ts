// Batches off a shuffled list, as most trainings read them: for references without privacy, and for tests
// that no accountant of ours takes them.

import { rational, type Rational } from "@dosimeter/core/exact"
import { shuffledIndices, type RandomBits } from "@dosimeter/core/noise"

/** Deals out all rows in a new order, epoch by epoch. */
export class ShuffledBatches {
  readonly rate: Rational
  readonly #rows: number
  readonly #batch: number
  #left = new Uint32Array(0)

  constructor(rows: number, batch: number) {
    this.rate = rational(BigInt(batch), BigInt(rows))
    this.#rows = rows
    this.#batch = batch
  }

  draw(_rows: number, rng: RandomBits): Uint32Array {
    if (this.#left.length === 0) this.#left = new Uint32Array(shuffledIndices(this.#rows, rng))
    const batch = this.#left.slice(0, this.#batch)
    this.#left = this.#left.slice(this.#batch)
    return batch
  }
}
