// Margins from the noisy comparisons of their parts (mechanisms/margins.ts): the values of all cells, on a
// fine grid on which they add up exactly, and the comparisons that each cell is made of.

import { assert } from "../../errors/assert.ts"
import { floorDivide } from "../../exact/rational.ts"
import { splitsByPlace, splitsOf } from "../../exact/split-basis.ts"

/** The noisy comparisons of one part, row-major over the splits of its attributes. */
export interface PartValues {
  readonly attributes: readonly number[]
  readonly coefficients: readonly bigint[]
}

/**
 * The whole table, row-major, in steps of 2^-bits: what the parts say of each cell, every part that is not
 * given taken as 0. Sums of it over some attributes are the margins of the others, as far as the parts give
 * them. Rounded here once, by less than a step, so that sums agree exactly. At most 48 bits.
 */
export function cellsOfParts(
  sizes: readonly bigint[],
  parts: readonly PartValues[],
  bits: number,
): readonly bigint[] {
  assert(Number.isInteger(bits) && bits >= 0 && bits <= 48, "cells have few bits")
  const count = Number(sizes.reduce((product, size) => product * size, 1n))
  const sums = Array<bigint>(count).fill(0n)
  for (const { attributes, coefficients } of parts) {
    const { values, denominator } = partTable(sizes, attributes, coefficients)
    const others = sizes.reduce(
      (product, size, axis) => (attributes.includes(axis) ? product : product * size),
      1n,
    )
    const whole = denominator * others
    const shares = values.map((value) => floorDivide(value << fineBits, whole))
    const placeOf = placeInMargin(sizes, attributes)
    for (let cell = 0; cell < count; cell += 1)
      sums[cell] = (sums[cell] ?? 0n) + (shares[placeOf(cell)] ?? 0n)
  }
  const drop = fineBits - BigInt(bits)
  return sums.map((sum) => (sum + (1n << (drop - 1n))) >> drop)
}

/** The margin over some attributes, in order, of a whole table. */
export function marginOfCells(
  sizes: readonly bigint[],
  cells: readonly bigint[],
  attributes: readonly number[],
): readonly bigint[] {
  const count = attributes.reduce((product, axis) => product * Number(sizes[axis] ?? 1n), 1)
  const sums = Array<bigint>(count).fill(0n)
  const placeOf = placeInMargin(sizes, attributes)
  for (const [cell, value] of cells.entries()) sums[placeOf(cell)] = (sums[placeOf(cell)] ?? 0n) + value
  return sums
}

/** A comparison that a cell is made of, by its part and its place there: the cell takes 1 / divisor of it. */
export interface PartTerm {
  readonly part: number
  readonly place: number
  /** A whole number, negative where the comparison is subtracted. */
  readonly divisor: number
}

/**
 * The comparisons behind each cell of a margin, in the order of its cells. A cell takes value / length^2 of
 * a comparison h within an attribute (value at its place: K is the sum of h'h / |h|^2), and 1/c where a part
 * does not have an attribute of the margin. Attributes are in order.
 */
export function marginTerms(
  sizes: readonly bigint[],
  parts: readonly Pick<PartValues, "attributes">[],
  attributes: readonly number[],
): readonly (readonly PartTerm[])[] {
  assert(
    attributes.every((axis, index) => index === 0 || axis > (attributes[index - 1] ?? -1)),
    "the attributes of a margin are in order",
  )
  const axes = attributes.map((axis) => {
    const size = Number(sizes[axis] ?? 1n)
    return { axis, size, places: divisorsByPlace(size) }
  })
  const inside = parts
    .map((part, index) => ({ index, has: axes.map(({ axis }) => part.attributes.includes(axis)), part }))
    .filter(({ part }) => part.attributes.every((axis) => attributes.includes(axis)))
  return combinationsOf(axes.map(({ size }) => size)).map((cell) => {
    const terms: PartTerm[] = []
    for (const { index: part, has } of inside) {
      const visit = (depth: number, place: number, divisor: number): void => {
        const axis = axes[depth]
        if (axis === undefined) terms.push({ part, place, divisor })
        else if (has[depth] !== true) visit(depth + 1, place, divisor * axis.size)
        else {
          for (const own of axis.places[cell[depth] ?? 0] ?? []) {
            visit(depth + 1, place * (axis.size - 1) + own.split, divisor * own.divisor)
          }
        }
      }
      visit(0, 0, 1)
    }
    return terms
  })
}

/** How many terms `marginTerms` would give in all. */
export function marginTermCount(
  sizes: readonly bigint[],
  parts: readonly Pick<PartValues, "attributes">[],
  attributes: readonly number[],
): number {
  const depths = sizes.map((size) => splitsByPlace(Number(size)).reduce((sum, list) => sum + list.length, 0))
  return parts
    .filter((part) => part.attributes.every((axis) => attributes.includes(axis)))
    .reduce((sum, part) => {
      const product = attributes.reduce(
        (count, axis) =>
          count * (part.attributes.includes(axis) ? (depths[axis] ?? 0) : Number(sizes[axis] ?? 1n)),
        1,
      )
      return sum + product
    }, 0)
}

const fineBits = 64n

interface DivisorAt {
  readonly split: number
  readonly divisor: number
}

// value / length^2: 1 / (left * whole) on the left, -1 / (right * whole) on the right.
function divisorsByPlace(size: number): readonly (readonly DivisorAt[])[] {
  const splits = splitsOf(size)
  return splitsByPlace(size).map((list) =>
    list.map(({ split, value }) => {
      const { left, right } = splits[split] ?? { left: 0, right: 0 }
      return { split, divisor: (value > 0n ? left : -right) * (left + right) }
    }),
  )
}

/** What a part says of each combination of its own attributes, over a common denominator. */
function partTable(
  sizes: readonly bigint[],
  attributes: readonly number[],
  coefficients: readonly bigint[],
): { readonly values: readonly bigint[]; readonly denominator: bigint } {
  let values = coefficients
  let denominator = 1n
  // From the last attribute: those after it have been turned into places already.
  let inner = 1
  for (const axis of attributes.toReversed()) {
    const size = Number(sizes[axis] ?? 1n)
    const places = divisorsByPlace(size)
    const common = places.flat().reduce((lcm, { divisor }) => leastCommon(lcm, BigInt(Math.abs(divisor))), 1n)
    const factors = places.map((list) =>
      list.map(({ split, divisor }) => ({ split, factor: common / BigInt(divisor) })),
    )
    const outer = values.length / ((size - 1) * inner)
    assert(Number.isInteger(outer), "a part has a comparison for each combination of splits")
    const next = Array<bigint>(outer * size * inner)
    for (let i = 0; i < outer; i += 1) {
      for (let k = 0; k < inner; k += 1) {
        for (const [place, list] of factors.entries()) {
          let sum = 0n
          for (const { split, factor } of list) {
            sum += factor * (values[(i * (size - 1) + split) * inner + k] ?? 0n)
          }
          next[(i * size + place) * inner + k] = sum
        }
      }
    }
    values = next
    denominator *= common
    inner *= size
  }
  return { values, denominator }
}

/** The place in a margin of a place in the whole table. */
export function placeInMargin(
  sizes: readonly bigint[],
  attributes: readonly number[],
): (cell: number) => number {
  const strides = sizes.map((_, axis) =>
    sizes.slice(axis + 1).reduce((product, size) => product * Number(size), 1),
  )
  return (cell) =>
    attributes.reduce((place, axis) => {
      const size = Number(sizes[axis] ?? 1n)
      return place * size + (Math.floor(cell / (strides[axis] ?? 1)) % size)
    }, 0)
}

function combinationsOf(sizes: readonly number[]): readonly (readonly number[])[] {
  return sizes.reduce<readonly (readonly number[])[]>(
    (rows, size) => rows.flatMap((row) => Array.from({ length: size }, (_, place) => [...row, place])),
    [[]],
  )
}

function leastCommon(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b]
  while (y !== 0n) [x, y] = [y, x % y]
  return (a / x) * b
}
