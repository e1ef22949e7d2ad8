// Sums of what units add, each held to its bound in whole numbers, whoever worked it out.

import { assert } from "@dosimeter/core/errors"
import { summable } from "@dosimeter/proof/verify/verify-training"

/** What each unit adds, by its place: worked out from its own row and from what was released before. */
export interface UnitVectors {
  readonly length: number
  /** Adds the whole numbers of a unit to zeros. */
  add(unit: number, into: Float64Array): void
}

/** Below this share of the bound's square a sum of squares in doubles is surely within it. */
const sure = 1 - 2 ** -30

/**
 * Adds up vectors of units.
 *
 * Guarantee: each unit that was added changes `total` by a vector of whole numbers whose length (L2) is at
 *   most `bound`, or by nothing.
 * Needs: at most 2^21 numbers in a vector; the vectors of other units are the same with and without the unit.
 * Proof: the vector of a unit is written into an array of zeros that nobody else writes to. It counts only
 *   if each number is whole and at most 2^53 in size, and the sum of their squares is at most bound^2. The
 *   sum in doubles has a relative error of at most 2^21 roundings, less than 2^-31: below `sure` it decides,
 *   and above it squares are added as big integers. What counts is moved from doubles to big integers before
 *   numbers of this size could pass 2^53, so no addition is rounded.
 * Numerics: as said; NaN and infinities are not whole, and the unit adds nothing.
 * Source: none; it is the comparison itself, made again after what a learner does of its own (gradientSum).
 */
export class BoundedSums {
  readonly #vectors: UnitVectors
  readonly #bound: bigint
  readonly #squareSure: number
  readonly #room: number
  readonly #unit: Float64Array
  readonly #doubles: Float64Array
  readonly #whole: bigint[]
  #added = 0

  constructor(vectors: UnitVectors, bound: bigint) {
    const { length } = vectors
    const isSummable = length <= summable.numbers && bound >= 1n && bound <= summable.bound
    assert(isSummable, "vectors of units can be added exactly")
    this.#vectors = vectors
    this.#bound = bound
    this.#squareSure = Number(bound) ** 2 * sure
    this.#room = Math.floor(2 ** 53 / Number(bound))
    this.#unit = new Float64Array(length)
    this.#doubles = new Float64Array(length)
    this.#whole = Array<bigint>(length).fill(0n)
  }

  /** Adds what a unit adds. */
  add(place: number): void {
    const unit = this.#unit
    unit.fill(0)
    this.#vectors.add(place, unit)
    if (!this.#isWithin(unit)) return
    if (this.#added === this.#room) this.#flush()
    this.#added += 1
    const sums = this.#doubles
    for (let at = 0; at < unit.length; at += 1) sums[at] = (sums[at] ?? 0) + (unit[at] ?? 0)
  }

  /** The sums so far. */
  total(): readonly bigint[] {
    this.#flush()
    return [...this.#whole]
  }

  #isWithin(unit: Float64Array): boolean {
    let square = 0
    let isWhole = true
    for (let at = 0; at < unit.length; at += 1) {
      const value = unit[at] ?? 0
      square += value * value
      isWhole = isWhole && Number.isSafeInteger(value)
    }
    if (!isWhole) return false
    if (square <= this.#squareSure) return true
    let exact = 0n
    for (const value of unit) exact += BigInt(value) ** 2n
    return exact <= this.#bound ** 2n
  }

  #flush(): void {
    for (const [at, value] of this.#doubles.entries())
      this.#whole[at] = (this.#whole[at] ?? 0n) + BigInt(value)
    this.#doubles.fill(0)
    this.#added = 0
  }
}
