// Sums of whole numbers without a limit: doubles while they are exact, bigints where they might not be.

import { assert } from "@dosimeter/core/errors"

/** Adds up vectors of whole numbers, each number at most `most`, exactly. */
export class WholeSums {
  readonly #doubles: Float64Array
  readonly #whole: bigint[]
  readonly #room: number
  #added = 0

  constructor(length: number, most: number) {
    assert(most >= 1 && most <= 2 ** 52, "what is added fits a double")
    this.#doubles = new Float64Array(length)
    this.#whole = Array<bigint>(length).fill(0n)
    this.#room = Math.floor(2 ** 53 / most)
  }

  /** Where the next vector is added, number by number; one call for each vector. */
  next(): Float64Array {
    if (this.#added === this.#room) this.#flush()
    this.#added += 1
    return this.#doubles
  }

  /** The sums so far. */
  total(): bigint[] {
    this.#flush()
    return [...this.#whole]
  }

  #flush(): void {
    for (const [at, value] of this.#doubles.entries())
      this.#whole[at] = (this.#whole[at] ?? 0n) + BigInt(value)
    this.#doubles.fill(0)
    this.#added = 0
  }
}
