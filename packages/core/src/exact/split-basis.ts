// An orthogonal basis of integers for what a list of values says beyond its sum: halve the list again and
// again, and compare the halves. A value takes part in as many comparisons as it can be halved, so few.

import { assert } from "../errors/assert.ts"

/** One comparison: `right` at each place in [from, middle), -`left` at each in [middle, to). */
export interface Split {
  readonly from: number
  readonly middle: number
  readonly to: number
  /** How many places each half has. */
  readonly left: number
  readonly right: number
}

/**
 * The size - 1 comparisons of a list, those of larger parts first. They are orthogonal to each other and to
 * the sum: each adds up to left * right - right * left = 0, and where two meet, one is constant on the other.
 */
export function splitsOf(size: number): readonly Split[] {
  assert(Number.isInteger(size) && size >= 1, "a list has places")
  const splits: Split[] = []
  const visit = (from: number, to: number): void => {
    if (to - from < 2) return
    const middle = from + Math.ceil((to - from) / 2)
    splits.push({ from, middle, to, left: middle - from, right: to - middle })
    visit(from, middle)
    visit(middle, to)
  }
  visit(0, size)
  return splits
}

/** The square of the length of a comparison: left * right^2 + right * left^2. */
export function lengthSquared({ left, right }: Split): bigint {
  return BigInt(left) * BigInt(right) * BigInt(left + right)
}

/** A comparison that a place takes part in, by its number, and its value there. */
export interface SplitAt {
  readonly split: number
  readonly value: bigint
}

/** The comparisons that each place takes part in. */
export function splitsByPlace(size: number): readonly (readonly SplitAt[])[] {
  const places = Array.from({ length: size }, (): SplitAt[] => [])
  for (const [split, { from, middle, to, left, right }] of splitsOf(size).entries()) {
    for (let place = from; place < to; place += 1) {
      places[place]?.push({ split, value: place < middle ? BigInt(right) : -BigInt(left) })
    }
  }
  return places
}
