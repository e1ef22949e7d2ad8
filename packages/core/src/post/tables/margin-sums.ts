// Sums of any cells of a table, from the noisy comparisons of its parts (mechanisms/margins.ts): how much of
// each comparison such a sum takes.

import { assert } from "../../errors/assert.ts"
import { rational, type Rational } from "../../exact/rational.ts"
import { lengthSquared, splitsByPlace, splitsOf, type SplitAt } from "../../exact/split-basis.ts"
import type { PartValues } from "./margin-cells.ts"

/** A comparison that a sum takes so much of, by its part and its place there. */
export interface SumTerm {
  readonly part: number
  readonly place: number
  readonly factor: Rational
}

/**
 * The comparisons behind sums of cells. Made once for a table: `termsOf(cells)` gives the terms of the sum of
 * some cells, by their places in the whole table, or undefined if a part that was not released has a say in
 * it.
 *
 * The comparisons h of all sets of attributes, each constant over the other attributes, are an orthogonal
 * basis of all tables. So the sum over S is the sum over h of <h, 1_S> / |h|^2 times the comparison, and the
 * squared length of h is that within its attributes times the sizes of the others.
 */
export function marginSums(
  sizes: readonly bigint[],
  parts: readonly Pick<PartValues, "attributes">[],
): (cells: readonly number[]) => readonly SumTerm[] | undefined {
  const axes = sizes.map((size) => axisOf(Number(size)))
  const released = new Map(parts.map(({ attributes }, index) => [maskOf(attributes), index]))
  return (cells) => {
    const products = productsOf(axes, cells)
    const terms: SumTerm[] = []
    for (const [mask, own] of products) {
      const part = released.get(mask)
      for (const [place, product] of own) {
        if (product === 0n) continue
        if (part === undefined) return undefined
        terms.push({ part, place, factor: rational(product, lengthOf(axes, mask, place)) })
      }
    }
    return terms
  }
}

/** An attribute: its comparisons by place, and their squared lengths. */
interface Axis {
  readonly size: number
  readonly places: readonly (readonly SplitAt[])[]
  readonly lengths: readonly bigint[]
}

function axisOf(size: number): Axis {
  return { size, places: splitsByPlace(size), lengths: splitsOf(size).map(lengthSquared) }
}

/** <h, 1_S> for every comparison that a cell of S takes part in: by set of attributes, then by place. */
function productsOf(
  axes: readonly Axis[],
  cells: readonly number[],
): ReadonlyMap<number, ReadonlyMap<number, bigint>> {
  const products = new Map<number, Map<number, bigint>>()
  const strides = axes.map((_, axis) => axes.slice(axis + 1).reduce((stride, { size }) => stride * size, 1))
  const visit = (cell: number, at: Visited): void => {
    const axis = axes[at.depth]
    if (axis === undefined) {
      const own = products.get(at.mask) ?? new Map<number, bigint>()
      products.set(at.mask, own)
      own.set(at.place, (own.get(at.place) ?? 0n) + at.value)
      return
    }
    const depth = at.depth + 1
    visit(cell, { ...at, depth })
    const place = Math.floor(cell / (strides[at.depth] ?? 1)) % axis.size
    for (const { split, value } of axis.places[place] ?? []) {
      visit(cell, {
        depth,
        mask: at.mask + 2 ** at.depth,
        place: at.place * (axis.size - 1) + split,
        value: at.value * value,
      })
    }
  }
  for (const cell of cells) visit(cell, { depth: 0, mask: 0, place: 0, value: 1n })
  return products
}

/** Where the walk over the attributes of a cell has come to. */
interface Visited {
  readonly depth: number
  readonly mask: number
  readonly place: number
  readonly value: bigint
}

function lengthOf(axes: readonly Axis[], mask: number, place: number): bigint {
  let left = place
  let length = 1n
  for (const [index, axis] of [...axes.entries()].toReversed()) {
    const isIn = Math.floor(mask / 2 ** index) % 2 === 1
    length *= isIn ? (axis.lengths[left % (axis.size - 1)] ?? 0n) : BigInt(axis.size)
    if (isIn) left = Math.floor(left / (axis.size - 1))
  }
  assert(length > 0n, "a comparison has a length")
  return length
}

function maskOf(attributes: readonly number[]): number {
  return attributes.reduce((mask, axis) => mask + 2 ** axis, 0)
}
